"""One space: parts give what the whole gives, and every key weighs alike."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import coterie
from coterie.evaluation.declared import DeclaredPair, declared_loss
from coterie.space import NOMINAL, Loss, Space, Summary, tally_of, transformed
from coterie.space.axis import Line
from coterie.space.exact_sums import Moments
from coterie.table import infer, read
from coterie.table.encoding import Column
from coterie.table.schema import Schema
from tests.mixed import KEYS, ORDERS, mixed


@pytest.fixture(scope="module")
def people():
    table = mixed(300, seed=4)
    source = read(table)
    transforms = {"income": "log1p", "hours": "asinh"}
    weights = {"age": 3.0, "region": 0.5}
    schema = infer(
        source,
        quasi_identifiers=KEYS,
        orders=ORDERS,
        transforms=transforms,
        attribute_weights=weights,
    )
    return table, schema


def columns_of(table, schema):
    frame = read(table).frame
    return [Column.of(schema[name], frame[name].to_arrow()) for name in schema.keys]


def summary_of(column, origin=0.0):
    """What a part adds to the fit."""
    attribute, present = column.attribute, column.values[~column.missing]
    if attribute.type in NOMINAL:
        names = [column.categories[int(code)] for code in present]
        return Summary(counts=Counter(names))
    return Summary(origin, Moments.of(transformed(attribute.transform, present), origin))


def test_every_key_has_variance_one_times_its_weight(people):
    columns = columns_of(*people)
    space = Space.of(columns)
    for place, column in enumerate(columns):
        block = space.block(place, column)[~column.missing]
        spread = np.square(block - block.mean(axis=0)).sum(axis=1).mean()
        assert spread == pytest.approx(column.attribute.weight)
        assert (space.block(place, column)[column.missing] == 0).all()


@pytest.mark.parametrize("cuts", [[1], [150], [40, 41, 200]])
def test_parts_give_what_the_whole_gives(people, cuts):
    table, schema = people
    attributes = [schema[name] for name in schema.keys]
    bounds = [0, *cuts, len(table)]
    parts = [table.iloc[a:b] for a, b in pairwise(bounds)]
    origins = dict.fromkeys(schema.keys, 17.0)

    def fitted(tables):
        found = {}
        for one in tables:
            for column in columns_of(one, schema):
                added = summary_of(column, origins[column.name])
                known = found.get(column.name)
                found[column.name] = added if known is None else known + added
        return Space.fit(attributes, found)

    whole, merged = fitted([table]), fitted(parts)
    assert whole == merged  # to the last bit
    columns = columns_of(table, schema)
    at_hand = Space.of(columns).coordinates(columns)
    np.testing.assert_allclose(whole.coordinates(columns), at_hand, atol=1e-9)
    # Coordinates of a part are those of its records in the whole.
    place = bounds[-2]
    last = whole.coordinates(columns_of(parts[-1], schema))
    np.testing.assert_array_equal(last, whole.coordinates(columns)[place:])


@pytest.mark.parametrize("weighted", [False, True])
def test_tallies_of_parts_add_up_to_the_last_digit(people, weighted):
    table, _ = people
    rng = np.random.default_rng(0)
    table = table.assign(weight=rng.uniform(0.1, 9, len(table)))
    schema = infer(
        read(table),
        quasi_identifiers=KEYS,
        orders=ORDERS,
        sample_weight="weight" if weighted else None,
    )
    released = table.sample(frac=1, random_state=0).reset_index(drop=True)
    released["weight"] = table["weight"]
    whole = DeclaredPair.of(table, released, schema).tallies
    order = rng.permutation(len(table))
    for parts in ([order], np.array_split(order, 7)):
        found = {}
        for rows in parts:
            before, after = (t.iloc[rows].reset_index(drop=True) for t in (table, released))
            for name, tally in DeclaredPair.of(before, after, schema).tallies.items():
                found[name] = found[name] + tally if name in found else tally
        assert declared_loss(found, schema) == declared_loss(whole, schema)


NUMBERS = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30)


@given(NUMBERS, st.integers(1, 4))
def test_numbers_lose_between_nothing_and_everything(numbers, groups):
    x = np.array(numbers)
    labels = np.arange(len(x)) % groups
    means = np.array([x[labels == g].mean() if (labels == g).any() else 0 for g in range(groups)])
    here = np.ones(len(x), dtype=bool)
    tally = tally_of("number", x, means[labels], here, ~here)
    loss = Loss.of({"x": tally}, {}).keys["x"]
    whole = np.square(x - x.mean()).sum()
    if whole > 1e-280:  # below it squares vanish in floats, though not in the exact sums
        truth = 100 * np.square(x - means[labels]).sum() / whole
        assert loss.percent == pytest.approx(truth, rel=1e-6, abs=1e-6)


def test_a_constant_has_nothing_to_lose_unless_it_is_changed():
    here = np.ones(3, dtype=bool)
    same, moving = np.full(3, 2.0), np.array([1.0, 2.0, 6.0])
    tallies = {
        "constant": tally_of("number", same, same, here, ~here),
        "moving": tally_of("number", moving, np.full(3, 3.0), here, ~here),
        "absent": tally_of("number", same, same, ~here, ~here),
    }
    loss = Loss.of(tallies, {"constant": 5.0})
    assert loss.percent == 100.0
    assert loss.keys["constant"].percent == 0.0
    assert not loss.keys["constant"].counts
    changed = {"constant": tally_of("number", same, moving, here, ~here)}
    assert Loss.of(changed, {}).percent == np.inf
    assert Loss.of({"constant": tallies["constant"]}, {}).percent == 0.0


def test_weights_count_as_so_many_records():
    rng = np.random.default_rng(3)
    x = rng.normal(size=12)
    y = np.round(x)
    times = rng.integers(1, 5, 12)
    here = np.ones(12, dtype=bool)
    weighted = tally_of("number", x, y, here, ~here, times.astype(float))
    many = np.ones(times.sum(), dtype=bool)
    repeated = tally_of("number", np.repeat(x, times), np.repeat(y, times), many, ~many)
    assert weighted.lost == repeated.lost
    assert weighted.total == repeated.total
    codes = rng.integers(0, 3, 12)
    one = tally_of("category", codes, codes * 0, here, ~here, times.astype(float), "abc")
    two = tally_of(
        "category", np.repeat(codes, times), np.repeat(codes * 0, times), many, ~many, None, "abc"
    )
    assert (one.lost, one.total) == (two.lost, two.total)


def test_as_far_apart_as_floats_go():
    x = np.array([1.7e308, -1.7e308, 1.7e308, -1.7e308])
    here = np.ones(4, dtype=bool)
    tally = tally_of("number", x, -x, here, ~here)
    assert Loss.of({"x": tally}, {}).percent == 400.0
    tiny = tally_of("number", x * 1e-308 * 1e-308, x * 0.0, here, ~here)
    assert Loss.of({"x": tiny}, {}).percent == pytest.approx(100.0)


def test_an_ordinal_is_nearest_to_the_mean_position():
    positions = np.array([0.0, 0.0, 3.0])
    here = np.ones(3, dtype=bool)
    tally = tally_of("ordinal", positions, np.ones(3), here, ~here, None, "abcd")
    assert tally.best == 1
    assert (tally.lost, tally.total) == (6, 6)
    even = tally_of("ordinal", np.array([0.0, 1.0]), np.zeros(2), here[:2], ~here[:2], None, "ab")
    assert even.best == 0  # of two the lower


def test_tables_of_any_library_lose_alike(people):
    table, schema = people
    released = table.assign(age=table["age"].mean(), sector="A")
    keys = Schema((schema["age"], schema["sector"]))
    expected = declared_loss(DeclaredPair.of(table, released, keys).tallies, keys)
    for other in ("polars", "pyarrow"):
        library = pytest.importorskip(other)
        make = library.from_pandas if other == "polars" else library.Table.from_pandas
        sides = [make(t[["age", "sector"]]) for t in (table, released)]
        assert declared_loss(DeclaredPair.of(*sides, keys).tallies, keys) == expected


def test_what_is_moved_far_beyond_the_originals_has_a_place(recwarn):
    """A rule may release 1 where the originals are 1e-310: far away, but no infinity."""
    axis = Line.of(np.array([1e-310, 0.0, 2e-310]))
    far = axis.coordinates(np.array([1.0, -1e300, 1e-310]))[:, 0]
    assert far[0] == 1e150
    assert far[1] == -1e150
    assert abs(far[2]) < 1.0
    assert np.isfinite(np.square(far).sum())
    table = pa.table({"a": [1e-310] * 3 + [0.0] * 3, "b": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]})
    asked = {"rules": ["a >= 1"], "broken_rules": "repair", "method": "mdav"}
    release = coterie.anonymize(table, 3, ["a", "b"], **asked)
    assert release.data["a"].to_pylist() == [1.0] * 6
    assert not recwarn.list
