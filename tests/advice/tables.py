"""Tables of many kinds, with the roles that somebody who knows them gives their columns.

Of each table: identifiers (to be dropped), units, weights, whole numbers that are codes, and dates.
What is named in none of these is none of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

FIRST = [
    "Ana",
    "Ben",
    "Carla",
    "Dimitri",
    "Eva",
    "Farid",
    "Greta",
    "Hugo",
    "Ines",
    "Jonas",
    "Karin",
    "Luis",
    "Mara",
    "Nils",
    "Olga",
]
LAST = [
    "Abel",
    "Bauer",
    "Costa",
    "Dietz",
    "Evans",
    "Ferrari",
    "Garcia",
    "Haas",
    "Ivanov",
    "Jansen",
    "Klein",
    "Lopez",
    "Meyer",
]
TEXTS = [
    "has",
    "asked",
    "for",
    "a",
    "second",
    "visit",
    "because",
    "the",
    "first",
    "one",
    "was",
    "cancelled",
    "without",
    "any",
    "notice",
]


@dataclass(frozen=True)
class Known:
    """A table and what its columns are."""

    name: str
    data: pd.DataFrame
    identifiers: set[str] = field(default_factory=set)
    units: set[str] = field(default_factory=set)
    weights: set[str] = field(default_factory=set)
    codes: set[str] = field(default_factory=set)
    dates: set[str] = field(default_factory=set)


def tables() -> Iterator[Known]:
    """All of them."""
    for number, make in enumerate(MADE):
        yield make(np.random.default_rng(number))
    yield from packaged()


def days(rng, n, start="1930-01-01", span=25000):
    return pd.to_datetime(start) + pd.to_timedelta(rng.integers(0, span, n), unit="D")


def people(rng, n):
    return [f"{rng.choice(FIRST)} {rng.choice(LAST)} {i}" for i in range(n)]


def sentence(rng, n):
    return [" ".join(rng.choice(TEXTS, 12)) for _ in range(n)]


def patients(rng, n=400):
    return Known(
        "patients",
        pd.DataFrame(
            {
                "patient_id": rng.permutation(n) + 10_000,
                "name": people(rng, n),
                "date_of_birth": days(rng, n),
                "sex": rng.choice([1, 2, 9], n, p=[0.5, 0.47, 0.03]),
                "zip": rng.choice([10115, 10117, 20095, 20097, 50667, 80331], n),
                "bmi": rng.normal(26, 4, n).round(1),
                "icd10": rng.choice(["E11.9", "I10", "J45.0", "F32.1"], n),
                "notes": sentence(rng, n),
            }
        ),
        {"patient_id", "name", "notes"},
        codes={"sex", "zip"},
        dates={"date_of_birth"},
    )


def visits(rng, n=600):
    who = rng.integers(0, 150, n)
    return Known(
        "visits",
        pd.DataFrame(
            {
                "patient_id": who + 5000,
                "sex": rng.integers(1, 3, 150)[who],
                "birth_year": rng.integers(1930, 2005, 150)[who],
                "visit": days(rng, n, "2019-01-01", 700),
                "cost": rng.gamma(2, 100, n).round(2),
                "ward": rng.choice([101, 102, 205, 310, 410], n),
            }
        ),
        units={"patient_id"},
        codes={"ward"},
        dates={"visit"},
    )


def panel(rng, n=120, years=8):
    nr = np.repeat(rng.choice(10_000, n, replace=False), years)
    return Known(
        "wage panel",
        pd.DataFrame(
            {
                "nr": nr,
                "year": np.tile(np.arange(1980, 1980 + years), n),
                "school": np.repeat(rng.integers(8, 18, n), years),
                "black": np.repeat(rng.integers(0, 2, n), years),
                "exper": rng.integers(0, 20, n * years),
                "wage": rng.normal(1.6, 0.5, n * years).round(4),
            }
        ),
        units={"nr"},
    )


def households(rng, n=250):
    size = rng.integers(1, 6, n)
    of = np.repeat(np.arange(n), size)
    m = len(of)
    return Known(
        "households",
        pd.DataFrame(
            {
                "HHID": 900_000 + of,
                "PID": np.arange(m) + 1,
                "hsize": size[of],
                "region": rng.choice([1, 2, 3, 4, 5, 6, 8, 9], n)[of],
                "age": rng.integers(0, 95, m),
                "relate": rng.choice([1, 2, 3, 9], m, p=[0.4, 0.3, 0.28, 0.02]),
                "weight": rng.gamma(9, 50, n).round(3)[of],
            }
        ),
        {"PID"},
        {"HHID"},
        {"weight"},
        {"region", "relate"},
    )


def firms(rng, n=400):
    goods, services = rng.gamma(1, 1e5, n).round(0), rng.gamma(1, 1e5, n).round(0)
    return Known(
        "firms",
        pd.DataFrame(
            {
                "company": [f"{rng.choice(LAST)} and {rng.choice(LAST)} Ltd {i}" for i in range(n)],
                "vat": [f"DE{x:09d}" for x in rng.choice(10**9, n, replace=False)],
                "nace": rng.choice([1011, 1012, 2511, 2512, 4611, 4711, 6201, 8610], n),
                "employees": rng.integers(1, 900, n),
                "goods": goods,
                "services": services,
                "turnover": goods + services,
            }
        ),
        {"company", "vat"},
        codes={"nace"},
    )


def survey(rng, n=500):
    return Known(
        "survey with codes for no answer",
        pd.DataFrame(
            {
                "id": np.arange(n),
                "q1": rng.choice([1, 2, 3, 4, 5, 8, 9], n),
                "q2": rng.choice([1, 2, 98, 99], n, p=[0.5, 0.4, 0.06, 0.04]),
                "hours": rng.integers(0, 60, n),
                "pweight": rng.gamma(5, 1, n).round(4),
                "income": np.where(rng.random(n) < 0.1, -9, rng.integers(500, 6000, n)),
            }
        ),
        {"id"},
        weights={"pweight"},
        codes={"q1", "q2"},
    )


def occupations(rng, n=900):
    codes = rng.choice(np.arange(1110, 9630, 7), 60, replace=False)
    return Known(
        "occupations",
        pd.DataFrame(
            {
                "serial": rng.permutation(n),
                "isco": rng.choice(codes, n),
                "age": rng.integers(16, 70, n),
                "sex": rng.integers(1, 3, n),
                "wage": rng.gamma(3, 900, n).round(2),
            }
        ),
        {"serial"},
        codes={"isco"},
    )


def classification(rng, n=1500):
    codes = np.sort(rng.choice(np.arange(1110, 9630), 60, replace=False))
    return Known(
        "a classification without a telling name",
        pd.DataFrame(
            {
                "x1": rng.choice(codes, n),
                "age": rng.integers(16, 70, n),
                "x2": rng.normal(0, 1, n),
            }
        ),
        codes={"x1"},
    )


def transactions(rng, n=500):
    stamp = pd.to_datetime("2020-01-01") + pd.to_timedelta(rng.choice(10**7, n, replace=False), "s")
    return Known(
        "transactions",
        pd.DataFrame(
            {
                "account": [
                    f"AT{x:018d}"
                    for x in rng.choice(10**9, 90, replace=False)[rng.integers(0, 90, n)]
                ],
                "timestamp": stamp,
                "amount": rng.gamma(1, 80, n).round(2),
                "merchant": rng.choice(["a", "b", "c", "d"], n),
            }
        ),
        {"timestamp"},
        units={"account"},
        dates={"timestamp"},
    )


def customers(rng, n=300):
    return Known(
        "customers",
        pd.DataFrame(
            {
                "CustomerID": rng.choice(10**6, n, replace=False),
                "email": [f"user{i}@example.org" for i in range(n)],
                "phone": [f"+49 30 {x}" for x in rng.integers(10**6, 10**7, n)],
                "city": rng.choice(["Bonn", "Kiel", "Ulm"], n),
                "since": days(rng, n, "2000-01-01", 8000),
                "spent": rng.gamma(1, 300, n).round(2),
            }
        ),
        {"CustomerID", "email", "phone"},
        dates={"since"},
    )


def students(rng, n=400):
    return Known(
        "students",
        pd.DataFrame(
            {
                "student number": rng.choice(10**7, n, replace=False),
                "surname": rng.choice(LAST, n),
                "grade": rng.choice([1.0, 1.3, 1.7, 2.0, 2.3, 2.7, 3.0, 3.3, 4.0, 5.0], n),
                "faculty": rng.choice(["law", "arts", "science"], n),
                "semester": rng.integers(1, 15, n),
            }
        ),
        {"student number", "surname"},
    )


def census(rng, n=500):
    return Known(
        "census extract",
        pd.DataFrame(
            {
                "AGE": rng.integers(0, 95, n),
                "SEX": rng.integers(1, 3, n),
                "MARITAL": rng.choice([1, 2, 3, 4, 5], n),
                "RACE": rng.choice([1, 2, 3, 7], n),
                "FNLWGT": rng.gamma(4, 500, n).round(2),
                "INCTOT": rng.gamma(1, 3e4, n).round(0),
                "HOURS": rng.integers(0, 80, n),
            }
        ),
        weights={"FNLWGT"},
        codes={"MARITAL", "RACE"},
    )


def births(rng, n=400):
    return Known(
        "births",
        pd.DataFrame(
            {
                "case": np.arange(n) + 1,
                "mother_dob": days(rng, n, "1970-01-01", 10000),
                "weight": rng.normal(3300, 500, n).round(0),
                "height": rng.normal(50, 2, n).round(1),
                "week": rng.integers(35, 43, n),
                "sex": rng.choice(["f", "m"], n),
            }
        ),
        {"case"},
        dates={"mother_dob"},
    )


def cars(rng, n=300):
    return Known(
        "cars",
        pd.DataFrame(
            {
                "plate": [f"B-{chr(65 + i % 26)}{chr(65 + i // 26 % 26)} {i}" for i in range(n)],
                "mpg": rng.normal(24, 7, n).round(1),
                "cylinders": rng.choice([4, 6, 8], n),
                "weight": rng.normal(2900, 800, n).round(0),
                "model_year": rng.integers(70, 83, n),
            }
        ),
        {"plate"},
    )


def municipalities(rng, n=300):
    popul = np.exp(rng.normal(8, 1, n)).round(0)
    return Known(
        "municipalities",
        pd.DataFrame(
            {
                "municipality": [f"Town {i}" for i in range(n)],
                "province": rng.integers(1, 13, n),
                "popul": popul,
                "logpopul": np.log(popul).round(4),
                "area": rng.gamma(2, 30, n).round(1),
            }
        ),
        {"municipality"},
        codes={"province"},
    )


def weather(rng, n=400):
    return Known(
        "stations",
        pd.DataFrame(
            {
                "date": np.tile(pd.date_range("2021-01-01", periods=n // 4), 4),
                "station": np.repeat(["N", "S", "E", "W"], n // 4),
                "temperature": rng.normal(10, 8, n).round(1),
                "rain": rng.gamma(1, 3, n).round(1),
            }
        ),
        dates={"date"},
    )


def german(rng, n=300):
    return Known(
        "a German extract as text",
        pd.DataFrame(
            {
                "Personalnummer": rng.choice(10**8, n, replace=False),
                "Geburtsdatum": days(rng, n).strftime("%d.%m.%Y"),
                "Miete": [f"{x // 1000}.{x % 1000:03d},50 €" for x in rng.integers(1000, 3000, n)],
                "Anteil": [f"{x},5 %" for x in rng.integers(0, 99, n)],
                "Geschlecht": rng.choice(["w", "m"], n),
            }
        ),
        {"Personalnummer"},
        dates={"Geburtsdatum"},
    )


def trips(rng, n=500):
    return Known(
        "trips",
        pd.DataFrame(
            {
                "trip_uuid": [f"{i:08x}-1111-2222-3333-{i:012x}" for i in range(n)],
                "started": pd.to_datetime("2022-05-01")
                + pd.to_timedelta(rng.choice(10**7, n, replace=False), "s"),
                "zone": rng.integers(1, 40, n),
                "distance": rng.gamma(2, 3, n).round(2),
            }
        ),
        {"trip_uuid", "started"},
        codes={"zone"},
        dates={"started"},
    )


def repeated(rng, n=100):
    return Known(
        "repeated measures without names",
        pd.DataFrame(
            {
                "v1": np.repeat(np.arange(n) * 3 + 7, 4),
                "v2": np.tile([1, 2, 3, 4], n),
                "v3": np.repeat(rng.normal(0, 1, n).round(3), 4),
                "v4": np.repeat(rng.integers(0, 9, n), 4),
                "v5": rng.normal(0, 1, 4 * n).round(2),
            }
        ),
        units={"v1"},
    )


def accounts(rng, n=300):
    return Known(
        "taxes",
        pd.DataFrame(
            {
                "tax_id": [f"{x:011d}" for x in rng.choice(10**10, n, replace=False)],
                "profit": rng.normal(5e4, 2e4, n).round(0),
                "year": np.full(n, 2023),
                "branch": rng.choice([10, 20, 35, 47, 62], n),
                "filed": days(rng, n, "2024-01-01", 300),
            }
        ),
        {"tax_id"},
        codes={"branch"},
        dates={"filed"},
    )


def employees(rng, n=350):
    return Known(
        "employees",
        pd.DataFrame(
            {
                "employee": rng.choice(10**5, n, replace=False),
                "login": [f"u{i}" for i in range(n)],
                "hired": days(rng, n, "1990-01-01", 12000),
                "salary": rng.gamma(6, 9000, n).round(0),
                "department": rng.choice([11, 12, 21, 40], n),
                "sex": rng.choice(["f", "m"], n),
            }
        ),
        {"employee", "login"},
        codes={"department"},
        dates={"hired"},
    )


def numbers(rng, n=300):
    made = rng.normal(0, 1, (n, 5))
    return Known("numbers alone", pd.DataFrame(made, columns=list("abcde")))


def counts(rng, n=400):
    return Known(
        "counts",
        pd.DataFrame(
            {
                "children": rng.poisson(1.2, n),
                "rooms": rng.integers(1, 9, n),
                "visits": rng.poisson(6, n),
                "age": rng.integers(20, 90, n),
            }
        ),
    )


def couples(rng, n=200):
    of = np.repeat(np.arange(n), 2)
    return Known(
        "couples",
        pd.DataFrame(
            {
                "couple": of,
                "partner": np.tile([1, 2], n),
                "married": np.repeat(days(rng, n), 2),
                "age": rng.integers(20, 80, 2 * n),
                "income": rng.gamma(2, 1500, 2 * n).round(0),
                "rent": np.repeat(rng.gamma(3, 300, n).round(0), 2),
            }
        ),
        units={"couple"},
        dates={"married"},
    )


def banded(rng, n=300):
    return Known(
        "bands and flags",
        pd.DataFrame(
            {
                "ageband": rng.choice([20, 25, 30, 35, 40], n),
                "smoker": rng.integers(0, 2, n),
                "urban": rng.choice([True, False], n),
                "score": rng.integers(0, 101, n),
            }
        ),
    )


MADE = [
    patients, visits, panel, households, firms, survey, occupations, classification, transactions,
    customers, students, census, births, cars, municipalities, weather, german, trips, repeated,
    accounts, employees, numbers, counts, couples, banded,
]  # fmt: skip


def packaged() -> Iterator[Known]:
    """Data sets that come with scikit-learn."""
    from sklearn import datasets

    for name in ("iris", "wine", "breast_cancer", "diabetes"):
        yield Known(name, getattr(datasets, f"load_{name}")(as_frame=True).frame)
    linnerud = datasets.load_linnerud(as_frame=True)
    yield Known("linnerud", pd.concat([linnerud.data, linnerud.target], axis=1))
