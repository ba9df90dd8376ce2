"""Groups that share more: costs, cuts and exchanges as plain programs have them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import coterie
from coterie.centroids.branching import branched
from coterie.centroids.shared_records import SharedRecords
from coterie.centroids.sharing import POWERS, _cut, _state, sharpen
from coterie.guarantees.constraints import Constraints
from coterie.kernels.base.draws import seeded
from coterie.kernels.centroids import sharing
from coterie.partitioning.core import Partition
from coterie.space import Space
from coterie.table import infer, read
from coterie.table.encoding import Column
from tests import naive_hierarchy as naive

WEIGHTS = {"code": 2.0, "age": 1.5, "height": 0.5}


def columns_of(n=48, seed=0, keys=("code", "age", "height")):
    rng = np.random.default_rng(seed)
    codes = [f"{a}{b}{c}" for a in "AB" for b in "12" for c in "xyz"]
    table = pd.DataFrame(
        {
            "code": rng.choice(codes, n),
            "age": rng.integers(20, 60, n),
            "height": rng.normal(170, 9, n),
        }
    )[list(keys)]
    source = read(table)
    schema = infer(
        source,
        quasi_identifiers=list(table),
        hierarchies={"code": {"prefix": [1, 2]}} if "code" in keys else None,
        releases={"age": "interval"} if "age" in keys else None,
        steps={"age": 5} if "age" in keys else None,
        attribute_weights={name: WEIGHTS[name] for name in keys},
    )
    columns = [Column.of(schema[name], source.frame[name].to_arrow()) for name in schema.keys]
    return table, columns


def groups_of(labels):
    return [np.flatnonzero(labels == group).tolist() for group in np.unique(labels)]


def price_of(table):
    trees, intervals, points = [], [], [()] * len(table)
    if "code" in table:
        trees.append((WEIGHTS["code"], [(c, c[:2], c[:1]) for c in table.code]))
    if "age" in table:
        intervals.append((WEIGHTS["age"], table.age.tolist(), 5))
    if "height" in table:
        height = (table.height - table.height.mean()) / table.height.std(ddof=0)
        points = [(np.sqrt(WEIGHTS["height"]) * one,) for one in height]
    return lambda groups: naive.cost(groups, trees, intervals, points)


@pytest.mark.parametrize("keys", [("code", "age", "height"), ("code",), ("age", "height")])
def test_the_cost_is_that_of_the_oracle_before_and_after(keys):
    for seed in range(5):
        table, columns = columns_of(seed=seed, keys=keys)
        price = price_of(table)
        points = Space.of(columns).coordinates(columns)
        labels = np.random.default_rng(seed).permutation(np.arange(len(table)) // 4)
        start = Partition.from_labels(points, labels, 3)
        assert sharing.costs(_state(SharedRecords.of(columns), labels)) == pytest.approx(
            price(groups_of(labels))
        )
        made, told = sharpen(columns, start, points, [np.arange(len(table))], Constraints(), seed)
        assert made.sizes.min() >= 3
        assert made.sizes.max() <= 5
        scale = 100 / (sum(WEIGHTS[name] for name in keys) * len(table))
        assert told.before == pytest.approx(price(groups_of(labels)) * scale)
        assert told.after == pytest.approx(price(groups_of(made.labels)) * scale)
        assert told.after <= told.started <= told.before
        assert told.after < 0.8 * told.before
        again, _ = sharpen(columns, start, points, [np.arange(len(table))], Constraints(), seed)
        assert (again.labels == made.labels).all()


def test_what_is_kept_of_groups_stays_true_while_records_move():
    for seed in range(10):
        table, columns = columns_of(n=60, seed=seed)
        rng = np.random.default_rng(seed)
        records = SharedRecords.of(columns)
        state = _state(records, rng.permutation(np.arange(60) // 4), 5)
        sharing.costs(state)
        words = seeded(np.random.SeedSequence(seed))
        strata = np.zeros(60, dtype=np.int64)
        moved = 0
        for temperature in (0.3, 0.3, 0.0):
            order = rng.permutation(60)
            before = state.cost.sum()
            moved += sharing.exchange(state, order, strata, 9, 8, temperature, 3, 0, 60, words)
            if temperature == 0.0:
                assert state.cost.sum() <= before
        assert moved > 20
        assert np.bincount(state.labels).min() >= 3
        assert (np.bincount(state.labels) == state.sizes).all()
        fresh = _state(records, state.labels, 5)
        sharing.costs(fresh)
        np.testing.assert_allclose(state.cost, fresh.cost, atol=1e-9)
        np.testing.assert_array_equal(state.level, fresh.level)
        np.testing.assert_array_equal(state.low, fresh.low)
        np.testing.assert_array_equal(state.high, fresh.high)
        assert state.cost.sum() == pytest.approx(price_of(table)(groups_of(state.labels)))


def test_what_a_group_shares_without_one_is_what_the_others_share():
    table, columns = columns_of(n=40, seed=3)
    state = _state(SharedRecords.of(columns), np.arange(40) // 5)
    sharing.costs(state)
    paths = [(c, c[:2], c[:1], "*") for c in table.code]
    for record in range(40):
        rest = [r for r in range(40) if r // 5 == record // 5 and r != record]
        shared = naive.ancestor([paths[r] for r in rest])
        assert paths[rest[0]][int(state.level[record, 0])] == shared
        low, high = naive.interval(table.age.tolist(), 5)
        ends = naive.interval(table.age[rest].tolist(), 5)
        assert state.low[record, 0] == pytest.approx(1.5 * (ends[0] - low) / (high - low))
        assert state.high[record, 0] == pytest.approx(1.5 * (ends[1] - low) / (high - low))


def test_cuts_are_the_cheapest_of_all():
    for seed in range(8):
        n = 7 + seed
        table, columns = columns_of(n=n, seed=seed)
        order = np.random.default_rng(seed).permutation(n)
        made = _cut(SharedRecords.of(columns), np.zeros(n, dtype=np.int64), [order], 3)
        price = price_of(table)
        _, least = naive.cheapest_cut(order.tolist(), 3, price)
        assert price(groups_of(made)) == pytest.approx(least)
        assert np.bincount(made).min() >= 3


@pytest.mark.parametrize("power", POWERS)
def test_an_order_holds_each_record_once(power):
    table, columns = columns_of(n=200, seed=1)
    records = SharedRecords.of(columns)
    rows = np.arange(0, 200, 2)
    assert sorted(branched(records, rows, 5, power).tolist()) == rows.tolist()
    assert len(table) == 200
    same = SharedRecords.of([column.some(np.zeros(20, dtype=np.int64)) for column in columns])
    assert sorted(branched(same, np.arange(20), 3, power).tolist()) == list(range(20))


def test_neighbors_in_an_order_share_more_than_others():
    table, columns = columns_of(n=300, seed=2)
    records, price = SharedRecords.of(columns), price_of(table)
    chance = price(groups_of(np.random.default_rng(0).permutation(np.arange(300) // 5)))
    for power in POWERS:
        order = branched(records, np.arange(300), 5, power)
        labels = np.empty(300, dtype=np.int64)
        labels[order] = np.arange(300) // 5
        assert price(groups_of(labels)) < 0.6 * chance


def test_never_above_mondrian():
    for seed in range(5):
        table, columns = columns_of(n=150, seed=seed, keys=("code", "age"))
        points = Space.of(columns).coordinates(columns)
        whole = naive.interval(table.age.tolist(), 5)

        def widths(rows, table=table, whole=whole):
            ends = naive.interval(table.age[rows].tolist(), 5)
            shared = naive.ancestor([(c, c[:2], c[:1]) for c in table.code[rows]])
            return {
                "code": 2.0 * (1 - len(shared.strip("*")) / 3),
                "age": 1.5 * (ends[1] - ends[0]) / (whole[1] - whole[0]),
            }

        def sides(rows, key, table=table):
            if key == "age":
                middle = float(np.median(table.age[rows]))
                return [
                    [row for row in rows if (table.age[row] < middle) == left]
                    for left in (True, False)
                ]
            for depth in (1, 2, 3):
                found = {}
                for row in rows:
                    found.setdefault(table.code[row][:depth], []).append(row)
                if len(found) > 1:
                    break
            return list(found.values())

        peer = naive.mondrian(list(range(150)), 4, widths, sides)
        start = Partition.from_labels(points, np.arange(150) // 4 % 37, 4)
        made, _ = sharpen(columns, start, points, [np.arange(150)], Constraints(), seed)
        price = price_of(table)
        assert price(groups_of(made.labels)) < price(peer)


def test_strata_are_not_crossed_and_constraints_leave_groups_alone():
    table, columns = columns_of(seed=9)
    points = Space.of(columns).coordinates(columns)
    parts = [np.arange(0, 24), np.arange(24, 48)]
    start = Partition.from_labels(points, np.arange(48) // 4, 3)
    made, _ = sharpen(columns, start, points, parts, Constraints(), 0)
    assert not set(made.labels[:24].tolist()) & set(made.labels[24:].tolist())
    two = Constraints(units=np.arange(48) // 2)
    same, told = sharpen(columns, start, points, parts, two, 0)
    assert same is start
    assert told is None
    each, _ = sharpen(columns, start, points, parts, Constraints(units=np.arange(48)[::-1]), 0)
    assert (each.labels == made.labels).all()
    assert len(table) == 48


def test_a_good_start_is_never_lost():
    """Groups of equal records cost nothing but their steps: no exchange, no order is better."""
    table, columns = columns_of(n=30, seed=1)
    rows = np.repeat(np.arange(10), 3)
    columns = [column.some(rows) for column in columns]
    points = Space.of(columns).coordinates(columns)
    start = Partition.from_labels(points, rows, 3)
    _, told = sharpen(columns, start, points, [np.arange(30)], Constraints(), 0)
    assert told.after <= told.before
    assert len(table) == 30


def test_ctrl_c_ends_with_the_best_so_far():
    table, columns = columns_of(n=60, seed=4)
    points = Space.of(columns).coordinates(columns)
    start = Partition.from_labels(points, np.arange(60) // 4, 3)

    def stop(progress):
        if progress.phase == "sharing":
            raise KeyboardInterrupt

    made, told = sharpen(columns, start, points, [np.arange(60)], Constraints(), 0, stop)
    assert made.interrupted
    assert told.after <= told.started <= told.before
    assert made.sizes.min() >= 3
    assert len(table) == 60


def test_dates_declared_datetimes_are_released_as_intervals_of_years():
    days = [f"{year}-06-13" for year in (1971, 1977, 2033, 2044, 2064)]
    release = coterie.anonymize(
        pd.DataFrame({"born": pd.Series(pd.to_datetime(days)).dt.date}),
        k=5,
        quasi_identifiers=["born"],
        types={"born": "datetime"},
        releases={"born": "interval"},
        steps={"born": "year"},
        declared=["born"],
    )
    assert set(release.data["born"]) == {"1971..2064"}
