"""Columns of units: the same in all records of a unit, and released so."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import coterie
from coterie.pipeline.households import prove_unit_columns
from coterie.table import read

KEYS = ["age", "hours", "hsize", "rooms"]

pytestmark = pytest.mark.usefixtures("short_search")


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(1)
    size = rng.integers(1, 6, 120)
    of = np.repeat(np.arange(120), size)
    return pd.DataFrame(
        {
            "hh": of,
            "age": rng.integers(0, 90, len(of)),
            "hours": rng.integers(0, 60, len(of)),
            "hsize": size[of],
            "rooms": rng.integers(1, 9, 120)[of],
            "area": rng.choice(["n", "s"], 120)[of],
        }
    )


def differing(release, people, name):
    of = people["hh"].to_numpy()[release.crosswalk]
    return int((release.data.assign(of=of).groupby("of")[name].nunique() > 1).sum())


@pytest.mark.parametrize("more", [{}, {"strata": ["area"]}, {"unit_members": "together"}])
def test_members_share_what_is_the_household_s(people, more):
    release = coterie.anonymize(
        people, 3, KEYS, unit="hh", unit_columns=["hsize", "rooms"], method="mdav", **more
    )
    assert differing(release, people, "hsize") == differing(release, people, "rooms") == 0
    assert release.verification.achieved >= 3
    of = people["hh"].to_numpy()[release.crosswalk]
    classes = release.data.assign(of=of).groupby([*KEYS, *more.get("strata", ())])["of"].nunique()
    assert classes.min() >= 3  # counted by itself


def test_without_them_households_fall_apart(people):
    release = coterie.anonymize(people, 3, KEYS, unit="hh", method="mdav")
    assert differing(release, people, "hsize") > 10


def test_each_centroid_is_the_mean_of_its_records(people):
    release = coterie.anonymize(
        people, 3, KEYS, unit="hh", unit_columns=["rooms"], method="mdav", row_order="keep",
        types={"rooms": "continuous", "age": "continuous"},
    )  # fmt: skip
    both = people.assign(released=release.data["rooms"])
    means = both.groupby("released")["rooms"].mean()
    assert np.allclose(means, means.index.astype(float), atol=0.51)  # groups may share a centroid


def test_all_keys_of_the_household(people):
    release = coterie.anonymize(
        people, 3, ["hsize", "rooms"], unit="hh", unit_columns=["hsize", "rooms"], method="mdav"
    )
    assert differing(release, people, "hsize") == 0


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"unit_columns": ["age"]}, r"Column 'age' differs within \d+ of 120 units"),
        ({"unit_columns": ["hsize"], "unit": None}, "unit_columns needs a unit"),
        ({"unit_columns": ["nothing"]}, "Unknown column in unit_columns: 'nothing'"),
        ({"unit_columns": ["hsize"], "aggregation": "p3m"}, "must not be used with aggregation"),
        ({"unit_columns": ["hsize"], "rules": ["age >= 0"]}, "must not be used with rules"),
    ],
)
def test_what_cannot_be_is_refused(people, more, message):
    with pytest.raises(coterie.CoterieError, match=message):
        coterie.anonymize(people, 3, KEYS, method="mdav", **{"unit": "hh", **more})


def test_a_household_in_two_strata_is_named(people):
    table = people.copy()
    table.loc[table["hh"] == 5, "area"] = ["n", "s", *"nnnn"][: (table["hh"] == 5).sum()]
    table.loc[table.index[table["hh"] == table["hh"].mode()[0]][:1], "area"] = "x"
    table["area"] = table["area"].replace("x", "s")
    table.loc[table.index[table["hh"] == table["hh"].mode()[0]][1:2], "area"] = "n"
    with pytest.raises(coterie.DataError, match=r"cannot stay together, such as hh=\d+ with 2 val"):
        coterie.anonymize(
            table, 3, ["age"], unit="hh", strata=["area"], unit_members="together", method="mdav"
        )
    with pytest.raises(coterie.DataError, match="units with records in several"):
        coterie.anonymize(
            table, 3, KEYS, unit="hh", strata=["area"], unit_columns=["hsize"], method="mdav"
        )


def test_the_proof_finds_a_unit_that_differs():
    found = read(pd.DataFrame({"hsize": [1, 1, 2]}))
    prove_unit_columns(found, ["hsize"], np.array([0, 0, 1]))
    with pytest.raises(coterie.DataError, match="1 units in which it differs"):
        prove_unit_columns(found, ["hsize"], np.array([0, 1, 1]))


def test_engines_keep_them_too(people, tmp_path):
    people.to_parquet(tmp_path / "in.parquet")
    coterie.distributed.anonymize(
        *(tmp_path / "in.parquet", tmp_path / "out", 3, KEYS),
        unit="hh",
        unit_columns=["hsize"],
        declared=["hh"],
        method="mdav",
        engine="tiles",
    )
    released = pd.read_parquet(tmp_path / "out")
    assert released.groupby("hh")["hsize"].nunique().eq(1).all()
    assert released.groupby(KEYS)["hh"].nunique().min() >= 3
