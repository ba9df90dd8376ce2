"""What a look counts is what a plain program counts."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from coterie.advice import keys
from coterie.advice.dependencies import determined, groups_of
from coterie.advice.facts import facts
from coterie.advice.guards import rebuilt
from coterie.table import read
from tests import naive_advice as naive

small = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 5), st.sampled_from("ab"), st.integers(0, 9)),
    min_size=2,
    max_size=30,
)


def encoded(rows):
    table = pd.DataFrame(rows, columns=list("wxyz"))
    return facts(read(table)), {name: table[name].tolist() for name in table}


@given(small)
def test_minimal_uniques(rows):
    columns, plain = encoded(rows)
    found = keys.minimal_uniques(columns, list(columns))
    assert found.on == naive.minimal_uniques(plain)
    assert found.keys == tuple(columns)


@given(small)
def test_ratios_and_ranks(rows):
    columns, plain = encoded(rows)
    ranked = keys.rank_keys(columns, list(columns))
    assert [r.separation_ratio for r in ranked] == sorted(
        (r.separation_ratio for r in ranked), reverse=True
    )
    for one in ranked:
        values = plain[one.name]
        assert abs(one.separation_ratio - naive.separation(values)) < 1e-12
        assert one.distinct_ratio == len(set(values)) / len(values)
        assert one.alone == sum(naive.alone(values))


@given(small, st.integers(2, 6))
def test_what_k_leaves(rows, k):
    columns, plain = encoded(rows)
    found = {one.k: one for one in keys.leaves(columns, list(columns), (k,))}
    assert found[k].below == naive.below(plain.values(), k)
    assert found[k].groups == len(rows) // k


def test_units_count_once_in_what_k_leaves():
    columns, _ = encoded([(0, 0, "a", 0)] * 6)
    units = np.array([0, 0, 0, 1, 1, 1])
    two, three = keys.leaves(columns, ["w"], (), units)[:2]
    assert (two.k, two.below, two.groups) == (2, 0, 1)
    assert (three.k, three.below, three.groups) == (3, 6, 0)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2)), min_size=1, max_size=40))
def test_rebuilt_units(pairs):
    units, values = (np.array(part) for part in zip(*pairs, strict=True))
    assert abs(rebuilt(units, values) - naive.rebuilt(units.tolist(), values.tolist())) < 1e-12


@given(st.integers(0, 1000), st.integers(2, 30), st.booleans())
def test_what_determines_what(seed, distinct, spoil):
    rng = np.random.default_rng(seed)
    one = rng.integers(0, distinct, 400)
    other = rng.integers(0, 4, distinct)[one]
    if spoil:
        other[rng.integers(0, 400, 20)] ^= 1
    columns = facts(read(pd.DataFrame({"one": one, "other": other})))
    holds = naive.determines(one.tolist(), other.tolist())
    assert groups_of(columns["one"]).constant(columns["other"].codes) == holds
    if columns["other"].distinct > 1:
        assert (determined(columns["one"], columns.values()) == ["other"]) == holds


def test_chance_determines_nothing():
    rng = np.random.default_rng(0)
    rare = np.zeros(60, dtype=int)
    rare[0] = 1
    columns = facts(
        read(pd.DataFrame({"pairs": rng.permutation(60) // 2, "rare": rare * 0 + rare}))
    )
    assert determined(columns["pairs"], columns.values()) == []
