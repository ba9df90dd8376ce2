"""An attack on what is public about a release: differences of counts, moments, extremes.

The attacker has the released table, every public document (report, evidence, metadata), and the
text of `coterie.public`: a number that says its cell or step is known to lie in it, any other
number to as many digits as it is printed with. Where she needs what other units add to a sum, she
is given it. Each function yields findings: what fewer than k units share and she knows all the
same. The original is used to check that she is right, and to give her what the others add; nothing
of coterie is called.

    make attack TABLES=300 SEED=1
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

CLOSE = 0.25  # a value that is known to within this share of what it adds is found
# Shares of whole records.
INTEGERS = ("exact_share", "own_group", "sdid", "offset_adversary", "changed")
WHOLE = 6  # digits: more of them tell of few


@dataclass(frozen=True, eq=False)
class Target:
    """A release and its documents; row i of both tables is the same record."""

    original: pd.DataFrame
    released: pd.DataFrame
    keys: list[str]
    k: int
    units: np.ndarray
    report: dict[str, Any]
    evidence: dict[str, Any]
    metadata: dict[str, Any]

    @property
    def base(self) -> int:
        """One more than the records that any k - 1 units have together."""
        return self.base_of(np.ones(len(self.units), dtype=bool))

    def base_of(self, there: np.ndarray) -> int:
        """The same of some of the records, such as those that have a value."""
        return 1 + int(np.sort(np.bincount(self.units[there]))[::-1][: self.k - 1].sum())


def attack(target: Target) -> list[str]:
    """Everything that was found."""
    return [
        *counts(target),
        *shares(target),
        *noted(target),
        *moments(target),
        *extremes(target),
        *digits(target),
    ]


# -- Counts ---------------------------------------------------------------------------------------


def counts(target: Target) -> Iterator[str]:
    """Bins and categories: those that hold few, and those that changed by few."""
    for column in target.report["columns"]:
        if column["kind"] == "none":
            continue
        before, after = column["before"], column["after"]
        low, high = _cells(before, after, column.get("cell", 1))
        yield from _sums(target, column["name"], low, high, after)


def _cells(before: list[int], after: list[int], cell: int) -> tuple[list[int], list[int]]:
    """The least and largest number that each may be."""
    total = sum(before)
    takes = int(np.argmax(after)) if cell > 1 and len(before) > 1 else -1
    middle = (cell - 1) // 2
    low = [b - middle if cell > 1 and len(before) > 1 else b for b in before]
    high = [start + (cell - 1 if cell > 1 and len(before) > 1 else 0) for start in low]
    if takes >= 0:
        low[takes], high[takes] = 0, total
    for _ in range(3):  # what the total says about each
        for i in range(len(before)):
            low[i] = max(low[i], total - sum(high) + high[i])
            high[i] = min(high[i], total - sum(low) + low[i])
    return low, high


def _sums(
    target: Target, name: str, low: list[int], high: list[int], after: list[int]
) -> Iterator[str]:
    """Single entries, pairs and runs of neighbors: how many there are, and what changed."""
    places = range(len(low))
    runs = [tuple(range(i, j)) for i in places for j in range(i + 3, len(low))]
    few = target.base_of(target.original[name].notna().to_numpy())
    for chosen in [*((i,) for i in places), *itertools.combinations(places, 2), *runs]:
        least, most = sum(low[i] for i in chosen), sum(high[i] for i in chosen)
        if least >= 1 and most < few:
            yield f"{name}: entries {chosen} hold {least} to {most} records of the original"
        there = sum(after[i] for i in chosen)
        least, most = least - there, most - there
        if (least >= 1 and most < few) or (-few < least and most <= -1):
            yield f"{name}: entries {chosen} changed by {least} to {most} records"


def shares(target: Target) -> Iterator[str]:
    """Shares of the records, their complements, and differences of two."""
    n = len(target.original)
    told = [(None, m["name"], m, n) for m in target.report["measures"]]
    for column in target.report["columns"]:
        there = int(target.original[column["name"]].notna().sum())
        told += [(column["name"], name, m, there) for name, m in column["measures"].items()]
    for name, value in target.evidence.get("measures", {}).items():
        step = target.evidence.get("rounded_to", {}).get(name)
        told.append((None, name, _parsed(value, step), n))
    steps = target.evidence.get("rounded_to", {}).get("changed_percent_by_key", {})
    for name, value in target.evidence.get("changed_percent_by_key", {}).items():
        there = int(target.original[name].notna().sum())
        told.append((name, "changed", _parsed(value, steps.get(name)), there))
    known = []
    for column, name, one, records in told:
        if name not in INTEGERS:
            continue
        low, high = (side * records / 100 for side in _interval(one, 0.0, 100.0))
        numbers = range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)
        many = 1 if column is not None or name == "own_group" else len(target.keys)
        yield from _few(target, f"{column or 'all keys'}, {name}", numbers, records, many)
        if column is not None:
            known.append((column, name, low, high))
    for (a, one, low, high), (b, other, bottom, top) in itertools.combinations(known, 2):
        least, most = low - top, high - bottom
        if a == b and ((least > 0 and most < target.base) or (-target.base < least and most < 0)):
            yield f"{a}: {one} and {other} differ by {least:.1f} to {most:.1f} records"


def _few(target: Target, what: str, numbers: range, records: int, many: int) -> Iterator[str]:
    """A number of records known to be few, or all but few."""
    if many > 1 or not len(numbers):  # a mean over keys is no number of records
        return
    least, most = numbers[0], numbers[-1]
    if least >= 1 and most < target.base:
        yield f"{what}: {least} to {most} records"
    if records - most >= 1 and records - least < target.base:
        yield f"{what}: all but {records - most} to {records - least} records"


def noted(target: Target) -> Iterator[str]:
    """Numbers of records in the evidence: each, and what is left of two."""
    found = []
    for path, value in _leaves(target.evidence):
        if "records" in path[-1] or "broken_in_original" in path[-1]:
            found.append((".".join(path), *_counted(value)))
    for what, low, high in found:
        if low >= 1 and high < target.k:
            yield f"{what}: {low} to {high}"
    for (a, low, high), (b, bottom, top) in itertools.permutations(found, 2):
        if low - top >= 1 and high - bottom < target.k:
            yield f"{a} less {b}: {low - top} to {high - bottom}"


# -- Moments --------------------------------------------------------------------------------------


def moments(target: Target) -> Iterator[str]:
    """What one unit adds to a loss, a deviation, a mean or a correlation."""
    added, spread = _added(target)
    for column in target.report["columns"]:
        name = column["name"]
        if column["kind"] != "number" or name not in added:
            continue
        x, total = _numbers(target.original[name]), spread[name]
        for loss in _losses(target, column):
            width = _width(loss, 100.0)
            yield from _found(target, f"{name}: loss", width * total / 100, added[name])
        there = ~np.isnan(x)
        n, mean = int(there.sum()), float(np.nanmean(x))
        away = np.where(there, x - mean, 0.0)
        if column["sd"][0] is not None:
            deviation = column["sd"][0]
            low, high = (max(deviation + s * _printed(deviation) / 2, 0.0) for s in (-1, 1))
            yield from _found(target, f"{name}: deviation", n * (high**2 - low**2), away**2)
        if column["mean"][0] is not None and _differ(target, name):
            width = n * (column.get("mean_step") or _printed(column["mean"][0]))
            yield from _found(target, f"{name}: mean", width, np.abs(away))
    steps = target.evidence.get("rounded_to", {})
    losses = [
        ("the loss of the report", _loss(target.report["figures"])),
        (
            "the loss in the evidence",
            _parsed(
                target.evidence["information_loss_percent"], steps.get("information_loss_percent")
            ),
        ),
        ("il in the evidence", _parsed(target.evidence["measures"].get("il"), steps.get("il"))),
        (
            "the loss in the metadata",
            _parsed(target.metadata["information_loss_percent"], target.metadata.get("rounded_to")),
        ),
        ("il", next((m for m in target.report["measures"] if m["name"] == "il"), {})),
    ]
    if added:
        parts = sum(100 * added[name] / spread[name] for name in added) / len(target.keys)
        for what, told in losses:
            yield from _found(target, what, _width(told, 100.0), parts)
    yield from _correlated(target)


def _losses(target: Target, column: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What report and evidence say about the loss of a key."""
    if "il" in column["measures"]:
        yield column["measures"]["il"]
    steps = target.evidence.get("rounded_to", {}).get("information_loss_percent_by_key", {})
    by_key = target.evidence.get("information_loss_percent_by_key", {})
    if column["name"] in by_key:
        yield _parsed(by_key[column["name"]], steps.get(column["name"]))


def _added(target: Target) -> tuple[dict[str, np.ndarray], dict[str, float]]:
    """What each record adds to the squared error of each numeric key, and its total variation."""
    added, spread = {}, {}
    for name in target.keys:
        x, y = _numbers(target.original[name]), _numbers(target.released[name])
        if x is None or y is None:
            continue
        total = float(np.nansum(np.square(x - np.nanmean(x))))
        if total > 0:
            added[name] = np.nan_to_num(np.square(x - y))
            spread[name] = total
    return added, spread


def _correlated(target: Target) -> Iterator[str]:
    """What one unit adds to the correlations of the original."""
    found = target.report["correlations"]
    if found is None:
        return
    x = np.column_stack([_numbers(target.original[name]) for name in found["names"]])
    x = x[~np.isnan(x).any(axis=1)]
    units = target.units[~target.original[found["names"]].isna().any(axis=1).to_numpy()]
    z = (x - x.mean(axis=0)) / np.where(x.std(axis=0) > 0, x.std(axis=0), 1.0)
    for i, j in itertools.combinations(range(len(found["names"])), 2):
        told = found["before"][j][i]
        if told is None:
            continue
        r = float((z[:, i] * z[:, j]).mean())
        apart = np.abs(z[:, i] * z[:, j] - r * (z[:, i] ** 2 + z[:, j] ** 2) / 2) / len(z)
        width = found["steps"][j][i] if "steps" in found else _printed(told)
        what = f"correlation of {found['names'][i]} and {found['names'][j]}"
        yield from _found(target, what, width, apart, units)


def _found(
    target: Target, what: str, width: float, added: np.ndarray, units: np.ndarray | None = None
) -> Iterator[str]:
    """Whether the unit that adds most is found to within a quarter, all others being known."""
    most = float(np.bincount(target.units if units is None else units, weights=added).max())
    total = float(added.sum())
    if most > 1e-9 * max(total, 1e-300) and width / 2 < CLOSE * most:
        yield f"{what}: what one unit adds is known to within {50 * width / most:.3g} %"


# -- Extremes and digits --------------------------------------------------------------------------


def extremes(target: Target) -> Iterator[str]:
    """Values and categories of the original that few have, in any document."""
    texts, numbers = set(), set()
    for document in (target.report, target.evidence, target.metadata):
        for path, value in _leaves(document):
            texts.add(path[-1])
            if isinstance(value, str):
                texts.add(value)
                numbers |= {float(x) for x in re.findall(r"\d+\.\d+|\d{4,}", value)}
            elif isinstance(value, float) and path[-1] != "edges":
                numbers.add(value)
    # Bins lie at even distances between two released values, and may meet an original by chance:
    # only where they begin and end could tell one.
    for column in target.report["columns"]:
        numbers.update(column.get("edges", [])[:: max(1, len(column.get("edges", [])) - 1)])
    for name in target.keys:
        column = target.original[name]
        units = pd.Series(target.units).groupby(column.to_numpy()).nunique()
        rare = units[units < target.k].index
        if _numbers(column) is None:
            for value in set(map(str, rare)) & texts - set(map(str, target.released[name])):
                yield f"{name}: the category {value!r} that few have"
        elif not np.issubdtype(column.dtype, np.datetime64):
            shown = " ".join(map(repr, target.released[name].dropna().tolist()))  # or its intervals
            known = {round(float(v), 9) for v in re.findall(r"-?\d+\.?\d*(?:e[+-]?\d+)?", shown)}
            for value in (float(v) for v in rare):
                long = len(f"{value:.10g}".replace(".", "").lstrip("-0")) >= 5
                if long and round(value, 9) not in known and value in numbers:
                    yield f"{name}: the value {value!r} that few have"


def digits(target: Target) -> Iterator[str]:
    """Numbers with more digits than anything public needs."""
    for title, document in (("report", target.report), ("evidence", target.evidence)):
        for path, value in _leaves(document):
            if isinstance(value, float) and len(f"{value:.17g}") > 12:
                shortest = repr(value).split("e")[0].replace(".", "").lstrip("-0")
                if len(shortest) > WHOLE:
                    yield f"{title}, {'.'.join(path)}: {value!r} has {len(shortest)} digits"


# -- What is printed ------------------------------------------------------------------------------


def _interval(told: dict[str, Any], least: float, most: float) -> tuple[float, float]:
    """Between what a figure lies, by what is printed of it."""
    value = told.get("value")
    if value is None:
        return told.get("above", least), told.get("below", most)
    half = told.get("step", _printed(value)) / 2
    return max(value - half, least), min(value + half, most)


def _width(told: dict[str, Any], most: float) -> float:
    low, high = _interval(told, 0.0, most)
    return high - low


def _printed(value: float) -> float:
    """The place value of the last printed digit."""
    mantissa, _, power = repr(float(value)).partition("e")
    decimals = len(mantissa.partition(".")[2]) if not mantissa.endswith(".0") else 0
    return 10.0 ** (int(power or 0) - decimals)


def _differ(target: Target, name: str) -> bool:
    """Whether the release does not say the same mean itself."""
    x, y = _numbers(target.original[name]), _numbers(target.released[name])
    if y is None:  # released as text
        return True
    return abs(float(np.nanmean(x) - np.nanmean(y))) > 1e-9 * max(float(np.nanstd(x)), 1e-300)


def _loss(told: dict[str, Any]) -> dict[str, Any]:
    """The headline, with its step if that is told, or words."""
    if told["loss"] is None:
        return _parsed(told.get("loss_words", ""))
    step = told.get("loss_step")
    return {"value": told["loss"], **({} if step is None else {"step": step})}


def _parsed(value: Any, step: float | None = None) -> dict[str, Any]:
    """A figure of the evidence: a number, with its step if that is told, or words."""
    if isinstance(value, str):
        found = re.fullmatch(r"(less|more|fewer) than ([\d.e+-]+)( %)?", value)
        if found is None:
            return {}
        return {"value": None, "above" if found[1] == "more" else "below": float(found[2])}
    if value is None or isinstance(value, (dict, list)):
        return {}
    return {"value": float(value), **({} if step is None else {"step": step})}


def _counted(value: Any) -> tuple[int, int]:
    if isinstance(value, str):
        if found := re.fullmatch(r"(\d+) to (\d+)", value):
            return int(found[1]), int(found[2])
        if found := re.fullmatch(r"fewer than (\d+)", value):
            return 0, int(found[1]) - 1
        return 0, 10**12
    return int(value), int(value)


def _leaves(found: Any, path: tuple[str, ...] = ("",)) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(found, dict):
        for name, value in found.items():
            yield from _leaves(value, (*path, str(name)))
    elif isinstance(found, list):
        for value in found:
            yield from _leaves(value, path)
    else:
        yield path, found


def _numbers(column: pd.Series) -> np.ndarray | None:
    """A column as numbers, dates as days; None for categories."""
    if column.dtype == bool or not (
        pd.api.types.is_numeric_dtype(column) or pd.api.types.is_datetime64_any_dtype(column)
    ):
        return None
    if pd.api.types.is_datetime64_any_dtype(column):
        return (column - pd.Timestamp(0)).dt.total_seconds().to_numpy() / 86400
    return column.to_numpy(dtype=float, na_value=np.nan)


# -- Random tables --------------------------------------------------------------------------------


def random_table(seed: int) -> tuple[pd.DataFrame, dict[str, Any]]:
    """A table with heavy tails, lone values, rare categories and gaps, and how to protect it."""
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(40, 500)), int(rng.integers(2, 9))
    people = np.arange(n)
    if several := bool(rng.random() < 0.25):
        people = np.sort(rng.integers(0, max(n // 3, 3 * k), n))
    makers = {
        "normal": lambda: np.round(rng.normal(50, 10, n), 4),
        "income": lambda: np.round(rng.lognormal(9, rng.uniform(0.5, 2.5), n), 3),
        "alone": lambda: np.round(
            np.append(rng.normal(0, 1, n - 1), 1.2345678 * 10.0 ** rng.integers(2, 7)), 4
        ),
        "ages": lambda: rng.integers(0, 95, n),
        "zeros": lambda: np.where(rng.random(n) < 0.9, 0.0, np.round(rng.lognormal(5, 2, n), 4)),
        "born": lambda: (
            pd.to_datetime("1950-01-01") + pd.to_timedelta(rng.integers(0, 2e4, n), "D")
        ),
        "few": lambda: rng.choice(["a", "b", "c"], n, p=[0.6, 0.39, 0.01]),
        "many": lambda: np.array([f"town {int(t)}" for t in rng.zipf(1.6, n).clip(1, 40)]),
        "flag": lambda: rng.random(n) < rng.choice([0.5, 0.02]),
    }
    names = list(rng.choice(list(makers), int(rng.integers(1, 5)), replace=False))
    table = pd.DataFrame({name: makers[name]() for name in names})
    asked: dict[str, Any] = {"k": k, "quasi_identifiers": names, "method": "mdav"}
    asked["declared"] = names
    if rng.random() < 0.3:
        for name in names:
            if table[name].dtype == float:
                table.loc[rng.random(n) < 0.2, name] = np.nan
        asked |= {"missing": str(rng.choice(["pattern", "drop"])), "small_strata": "drop"}
    if several:
        table["who"] = people
        asked["unit"] = "who"
    numbers = [name for name in names if table[name].dtype.kind in "if"]
    if numbers and "missing" not in asked and not several:
        asked["aggregation"] = str(rng.choice(["mean", "mean", "median", "p3m"]))
    table["ill"] = rng.choice(["flu", "cold", "gout"], n, p=[0.6, 0.39, 0.01])
    asked["confidential"] = ["ill"]
    if rng.random() < 0.4:
        asked |= meant(names, rng)
    return table, asked


def meant(names: list[str], rng: np.random.Generator) -> dict[str, Any]:
    """Hierarchies, intervals, recodings and records left out, for some of the keys."""
    made: dict[str, Any] = {}
    for name in names:
        if name == "many" and rng.random() < 0.5:
            made.setdefault("hierarchies", {})[name] = {"prefix": [5]}
        elif name in ("ages", "born", "normal") and rng.random() < 0.5:
            made.setdefault("releases", {})[name] = "interval"
            made.setdefault("steps", {})[name] = "year" if name == "born" else 2.5
        elif name in ("income", "alone") and rng.random() < 0.5:
            made.setdefault("recodings", {})[name] = {"top": "auto"}
    if rng.random() < 0.5:
        made["suppress_at_most"] = float(rng.choice([0.02, 0.1, 0.3]))
    return made


def target_of(table: pd.DataFrame, asked: dict[str, Any]) -> Target | None:
    """The table protected, and its public documents as they are written; None if refused."""
    import coterie
    from coterie.report import summary
    from coterie.report.dossier import metadata

    try:
        release = coterie.anonymize(table, random_state=0, **asked)
    except coterie.CoterieError:
        return None
    original = table.iloc[release.crosswalk].reset_index(drop=True)
    units = np.arange(len(original))
    if "unit" in asked:
        units = np.unique(original[asked["unit"]], return_inverse=True)[1]
    return Target(
        original,
        release.data,
        asked["quasi_identifiers"],
        asked["k"],
        units,
        json.loads(json.dumps(summary(release, "public"))),
        json.loads(release.evidence.json("public")),
        json.loads(json.dumps(metadata(release))),
    )


def main() -> int:
    """Attack so many random tables; prints what was found, and ends with 1 if anything was."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--tables", type=int, default=300, help="public reports to attack")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    attacked, found, seed = 0, 0, given.seed
    while attacked < given.tables:
        target = target_of(*random_table(seed))
        if target is not None:
            attacked += 1
            for finding in attack(target):
                found += 1
                print(f"table {seed}: {finding}")
        seed += 1
    print(
        f"{attacked} public reports attacked (tables {given.seed} to {seed - 1}): {found} findings"
    )
    return int(found > 0)


if __name__ == "__main__":
    raise SystemExit(main())
