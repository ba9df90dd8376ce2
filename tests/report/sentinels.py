"""A table with forty planted rare values, and a search for them in any spelling."""

from __future__ import annotations

import datetime as dt
import html
import re

import numpy as np
import pandas as pd

K = 5
KEYS = ["age", "income", "visits", "weight", "region", "grade", "born"]
ROLES = {
    "confidential": ["diagnosis", "wage"],
    "identifiers": ["name"],
    "strata": ["clinic"],
    "small_strata": "merge",
    "declared": ["note", "born", "income", "wage", "score"],
    "orders": {"grade": ["grade-low", "grade-mid", "grade-high", "grade-XQ9", "grade-XQ8"]},
    "random_state": 7_351_924,
}
# Each stands in a single record: 24 numbers and dates, 16 words.
PLANTED = {
    "income": [7_654_321.25, 987_654.5, -45_678.75, 0.000731924, 3_141_592.5],
    "visits": [918_273, 645_312, 77_345],
    "weight": [5_432.125, -9_876.5],
    "age": [-271_828],
    "born": [dt.date(1901, 2, 3), dt.date(1899, 12, 25), dt.date(2093, 7, 19)],
    "wage": [8_765_432.75, 66_554.25, -123_456.5, 0.0045678912, 24_681_357.5],
    "score": [13_579.75, 864_209.5, -97_531.25, 55_667_788.5],
    "region": ["Zwischenwasser", "Ultima Thule", "Qaqortoq", "Ittoqqortoormiit"],
    "grade": ["grade-XQ9", "grade-XQ8"],
    "diagnosis": ["kuru-8841", "fibrodysplasia", "anthrax-0007"],
    "name": ["Ottilie Quabeck", "Xerxes Vandervort"],
    "clinic": ["omega-station", "sanatorium-17"],
    "note": ["has a glass eye", "won the lottery", "is the mayor"],
}
SEED = 7_351_924  # must not be told either: with the words and numbers above, forty in all


def planted() -> pd.DataFrame:
    """The table: 400 ordinary records and one for each planted value."""
    rng = np.random.default_rng(3)
    extra = sum(map(len, PLANTED.values()))
    n = 400 + extra
    table = pd.DataFrame(
        {
            "name": [f"Person number {i}" for i in range(n)],
            "age": rng.integers(18, 95, n),
            "income": np.round(rng.lognormal(7, 0.4, n), 2),
            "visits": rng.integers(0, 30, n),
            "weight": np.round(rng.normal(70, 12, n), 1),
            "region": rng.choice(["north", "south", "east", "west"], n),
            "grade": rng.choice(["grade-low", "grade-mid", "grade-high"], n),
            "born": [dt.date(1930 + int(y), 1 + int(y) % 12, 15) for y in rng.integers(0, 70, n)],
            "clinic": rng.choice(["alpha", "beta"], n),
            "diagnosis": rng.choice(["flu", "asthma", "none"], n),
            "wage": np.round(rng.normal(2000, 300, n), 2),
            "score": np.round(rng.normal(50, 9, n), 3),
            "note": [f"remark {i}" for i in range(n)],
        }
    )
    row = 400
    for column, values in PLANTED.items():
        for value in values:
            table.loc[row, column] = value
            row += 1
    return table


def found_in(text: str) -> set[str]:
    """The planted values that a document tells, in whatever spelling."""
    text = html.unescape(text)
    words = text.casefold()
    values = [value for many in PLANTED.values() for value in many] + [SEED]
    told = {v for v in values if isinstance(v, str) and (v.casefold() in words or v[:11] in text)}
    numbers = _numbers(text)
    for value in values:
        if isinstance(value, dt.date):
            days = (value - dt.date(1970, 1, 1)).days
            spelled = re.search(rf"(?<!\d){value.year}(?!\d)", text) is not None
            if spelled or np.any(np.abs(numbers - days) < 0.5):
                told.add(value)
        elif not isinstance(value, str) and np.any(
            np.abs(numbers - value) <= 5.001e-4 * abs(value)
        ):
            told.add(value)
    return {str(value) for value in told}


def _numbers(text: str) -> np.ndarray:
    """Every number in the text: with separators, exponents and suffixes, inside pictures too."""
    plain = re.sub(r"(?<=\d)[,'\u2009\u202f\u00a0 ](?=\d{3}(?!\d))", "", text.replace("−", "-"))
    numbers = []
    for match in re.finditer(
        r"(\d+\.?\d*|\.\d+)(?:[eE]([-+]?\d{1,2}))?([kMGT](?![A-Za-z]))?", plain
    ):
        digits, power, suffix = match.groups()
        size = float(digits) * 10.0 ** int(power or 0)
        size *= {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}.get(suffix, 1.0)
        numbers += [size, -size]  # a hyphen may be a dash
    return np.array(numbers)
