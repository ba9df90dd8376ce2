"""What few units can make up of a loss that is published."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

import coterie
from coterie.public import DocumentRule, Influence, Largest
from coterie.space import Stake, shares_of, tally_of
from coterie.table.schema import Attribute, Schema

KEY = frozenset({"key"})
SCHEMA = Schema(
    (
        Attribute("age", KEY, "integer", "", weight=1.0),
        Attribute("income", KEY, "continuous", "", weight=3.0),
    )
)


def test_the_largest_of_all_parts_count():
    rng = np.random.default_rng(0)
    shares = {name: rng.gamma(0.3, 0.01, 60) for name in SCHEMA.keys}
    rule = DocumentRule("public", 4)
    whole = Influence.of(shares, SCHEMA, rule)
    parts = [
        Largest.of({name: one[rows] for name, one in shares.items()}, SCHEMA, rule)
        for rows in np.array_split(np.arange(60), [2, 30, 31])
    ]
    assert Influence.of_parts(parts, SCHEMA, k=4) == whole
    assert whole.losses["age"] == pytest.approx(100 * np.sort(shares["age"])[-3:].sum())
    both = 0.25 * shares["age"] + 0.75 * shares["income"]
    assert whole.loss == pytest.approx(100 * np.sort(both)[-3:].sum())


def test_what_is_beyond_float64_or_not_known_leaves_nothing_to_be_published():
    shares = {"age": np.array([math.inf, 0.1, 0.1]), "income": np.array([0.01, 0.0, 0.0])}
    found = Influence.of(shares, SCHEMA, DocumentRule("public", 2))
    assert found.losses == {"age": math.inf, "income": 1.0}
    assert found.loss == math.inf
    assert Influence.of({}, SCHEMA, DocumentRule("public", 2)).loss == math.inf


@pytest.mark.parametrize("size", [1.0, 1e-300, 1e300])
def test_a_record_counts_by_what_it_adds_to_either_side_of_the_ratio(size):
    """Against the loss without the record: first order, so within the square of its share."""
    rng = np.random.default_rng(1)
    x = np.append(rng.normal(size=200), 40.0) * size
    y = np.append(x[:200].round(1) if size == 1 else x[:200] * 1.01, x[200])
    here = np.ones(201, dtype=bool)
    tally = tally_of("number", x, y, here, ~here)
    shares = shares_of(Stake.of(tally), x, y, here, ~here)
    loss = float(tally.lost / tally.total)
    rest = tally_of("number", x[:200], y[:200], here[:200], ~here[:200])
    moved = abs(float(rest.lost / rest.total) - loss)
    assert shares.argmax() == 200  # which itself has lost nothing
    assert shares[200] > 0.8 * loss
    assert moved > loss
    assert np.isfinite(shares).all()


def test_a_weight_beyond_all_others_leaves_nothing_to_be_told():
    codes = np.array([0, 0, 0, 1, 2])
    here, weights = np.ones(5, dtype=bool), np.array([8e300, 1e-300, 1e-300, 1e-300, 1e-300])
    tally = tally_of("category", codes, codes * 0, here, ~here, weights, ["a", "b", "c"])
    shares = shares_of(Stake.of(tally), codes, codes * 0, here, ~here, weights)
    assert shares[0] == math.inf
    assert shares[3:].tolist() == pytest.approx([0.5, 0.5])


def outliers():
    """A table of which four records are most of the variance, and lose next to nothing."""
    values = np.random.default_rng(0).normal(size=(300, 2)).round(2)
    values[:4] = [[40, 40], [40, 40.1], [40.1, 40], [40, 40]]
    return pd.DataFrame(values, columns=["a", "b"])


TABLES = {
    "numbers": (outliers(), {}),
    "suppression": (outliers(), {"suppress_at_most": 0.1}),
    "weights": (
        outliers().assign(w=np.linspace(1, 9, 300)),
        {"sample_weight": "w", "identifiers": ["w"]},
    ),
    "categories": (outliers().assign(b=list("uvvwww") * 50), {}),
    "levels": (
        outliers().assign(b=[*"3333", *("121212" * 50)][:300]),
        {"orders": {"b": ["1", "2", "3"]}, "types": {"b": "ordinal"}},
    ),
    "dates": (
        outliers().assign(b=pd.Timestamp(2020, 1, 1) + pd.to_timedelta(np.arange(300) ** 2, "h")),
        {},
    ),
    "intervals": (
        outliers(),
        {"releases": {"a": "interval", "b": "interval"}, "steps": {"a": 1, "b": 1}},
    ),
}


@pytest.mark.parametrize(("table", "asked"), TABLES.values(), ids=TABLES)
def test_everybody_learns_the_same_of_a_table_in_parts(table, asked, tmp_path):
    asked = {"method": "mdav", "random_state": 0, "quasi_identifiers": ["a", "b"], **asked}
    table.to_parquet(tmp_path / "in.parquet")
    memory = coterie.anonymize(tmp_path / "in.parquet", 4, **asked)
    parts = coterie.distributed.anonymize(
        tmp_path / "in.parquet", tmp_path / "out.parquet", 4, engine="tiles", **asked
    )
    figures = ["information_loss_percent", "information_loss_percent_by_key"]
    figures.append("changed_percent_by_key")
    one, other = (made.evidence.public for made in (memory, parts))
    for name in figures:
        assert one[name] == other[name]
        assert one["rounded_to"].get(name) == other["rounded_to"].get(name)
