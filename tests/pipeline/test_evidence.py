"""Evidence: what the internal kind tells, what the public kind leaves out, by plain counting."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import coterie
from coterie.pipeline.evidence import CLAIM, keyed_hash, may_drop, objective, versions
from coterie.table import read

KEYS = ["age", "income"]


@pytest.fixture
def people(rng):
    return pd.DataFrame(
        {
            "id": [f"q{number:05d}" for number in rng.permutation(90_000)[:120]],
            "age": rng.integers(18, 90, 120).astype(float),
            "income": rng.lognormal(10, 0.6, 120).round(2),
            "region": rng.choice(["n", "s"], 120),
            "illness": rng.choice(["a", "b", "c"], 120),
        }
    )


@pytest.fixture
def release(people):
    return coterie.anonymize(
        people,
        5,
        KEYS,
        strata=["region"],
        confidential=["illness"],
        identifiers=["id"],
        method="mdav",
        random_state=918_273,
    )


def test_counts_are_those_of_the_release(people, release):
    internal, public = release.evidence.internal, release.evidence.public
    sizes = release.data.groupby([*KEYS, "region"]).size().value_counts()
    assert internal["claim"] == public["claim"] == CLAIM
    assert internal["records_read"] == internal["records_released"] == 120
    assert internal["records_dropped"] == 0
    assert internal["groups"] == sizes.sum()
    assert public["group_sizes"] == {str(k): int(v) for k, v in sorted(sizes.items())}
    assert internal["strata_formed"] == 2
    assert internal["identifiers_dropped"] == ["id"]
    assert internal["asked"]["random_state"] == 918_273
    assert set(internal["schema"]) == set(people.columns)
    assert internal["schema"]["income"]["roles"] == ["key"]


def test_the_loss_is_the_one_of_plain_numbers(people, release):
    internal = release.evidence.internal
    original = people[KEYS].to_numpy()[release.crosswalk]
    there = release.data[KEYS].to_numpy()
    lost = np.square(original - there).sum(axis=0)
    whole = np.square(original - original.mean(axis=0)).sum(axis=0)
    expected = dict(zip(KEYS, 100 * lost / whole, strict=True))
    found = internal["information_loss_percent_by_key"]
    assert {name: found[name] for name in KEYS} == pytest.approx(expected)
    assert internal["information_loss_percent"] == pytest.approx(np.mean(list(expected.values())))


def test_the_public_kind_tells_neither_seed_nor_rows_nor_hash(people, release):
    public, internal = release.evidence.public, release.evidence.internal
    assert set(public) - set(internal) <= {"rounded_to"}
    for name in ("asked", "method_options", "schema", "seconds", "search", "records_read"):
        assert name in internal
        assert name not in public
    text = json.dumps(public)
    assert "918273" not in text
    assert "hmac" not in text
    assert not any(one in text for one in people.id)


def test_dropped_records_are_told_as_far_as_they_may_be(people):
    people.loc[:3, "age"] = np.nan
    release = coterie.anonymize(people, 5, KEYS, missing="drop", identifiers=["id"], method="mdav")
    assert release.evidence.internal["records_dropped"] == 4
    assert release.evidence.internal["records_released"] == 116
    assert release.evidence.public["records_dropped"] != 4  # four are fewer than five


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, False),
        ({"missing": "error", "small_strata": "merge", "suppress_at_most": None}, False),
        ({"missing": "drop"}, True),
        ({"small_strata": "drop"}, True),
        ({"broken_rules": "drop"}, True),
        ({"suppress_at_most": 0.01}, True),
    ],
)
def test_whether_records_may_be_dropped(asked, expected):
    assert may_drop(asked) is expected


def test_the_objective_is_percent_of_all():
    assert objective(1.0, 4.0)["objective_percent"] == 25.0
    assert objective(4.1, 4.0)["objective_percent"] == 100.0
    assert objective(0.0, 0.0)["objective_percent"] == 0.0


def test_a_hash_says_nothing_without_its_key(people):
    source = read(people)
    one, other = keyed_hash(source), keyed_hash(source)
    assert one["hmac_sha256"] != other["hmac_sha256"]
    assert len(bytes.fromhex(one["key"])) == 16


def test_versions_name_what_decides_the_result():
    assert set(versions()) == {"coterie", "python", "numpy", "numba", "pyarrow"}
