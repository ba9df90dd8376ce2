"""Each measure against a plain transcription of its equation, and against values by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import coterie
from coterie.evaluation import measures
from tests import naive_measures as naive


def release(rng, n=60, d=3, k=4, step=None):
    """A table and its plain microaggregation; values on a grid of `step` to provoke ties."""
    x = rng.normal(size=(n, d)) ** 3 + rng.normal(size=(n, 1))
    if step is not None:
        x = np.round(x / step) * step
    p = coterie.partition(x, k)
    return x, p.centroids[p.labels]


@pytest.mark.parametrize("step", [None, 1.0])
def test_risk_measures_follow_their_equations(rng, step):
    for _ in range(3):
        x, y = release(rng, step=step)
        if step is not None:
            y = np.round(y)
        found = coterie.evaluate(x, y, aligned=True)
        a, b = naive.standardize(x, y)
        assert found["dld"].value == pytest.approx(naive.dld(a, b))
        assert found["dld_expected"].value == pytest.approx(naive.dld_expected(a, b))
        assert found["own_group"].value == pytest.approx(naive.own_group(a, b))
        assert found["sdid"].value == pytest.approx(naive.sdid(a, b))
        assert found["sdid_own"].value == pytest.approx(naive.sdid_own(a, b))
        assert found["rank_interval"].value == pytest.approx(naive.rank_interval(a, b))
        assert found["offset_adversary"].value == pytest.approx(naive.offset_adversary(a, b))
        sizes = [len(c) for c in naive.classes(y)]
        assert found["achieved_k"].value == min(sizes)
        assert found["prosecutor"].value == pytest.approx(100 / min(sizes))
        assert found["marketer"].value == pytest.approx(100 * len(sizes) / len(x))
        assert found["exact_share"].value == pytest.approx(100 * np.mean(x == y))


def test_utility_measures_follow_their_equations(rng):
    for _ in range(3):
        x, y = release(rng, n=40)
        found = coterie.evaluate(x, y, aligned=True)
        a, b = naive.standardize(x, y)
        parts = naive.pil_parts(a, b)
        assert found["pil"].parts == pytest.approx(parts)
        assert found["pil"].value == pytest.approx(sum(parts.values()) / 5)
        assert found["il"].value == pytest.approx(naive.il(a, b))
        assert found["il1s"].value == pytest.approx(naive.il1s(a, b))
        by_column = [naive.ks(x[:, t].tolist(), y[:, t].tolist()) for t in range(3)]
        assert list(found["ks"].by_column.values()) == pytest.approx(by_column)
        shift = np.abs(y.mean(axis=0) - x.mean(axis=0)) / x.std(axis=0)
        assert found["means"].value == pytest.approx(shift.mean(), abs=1e-15)
        assert found["variances"].value == pytest.approx(np.abs(y.var(0) / x.var(0) - 1).mean())
        r = np.abs(np.corrcoef(y.T) - np.corrcoef(x.T))[np.triu_indices(3, 1)]
        assert found["correlations"].value == pytest.approx(r.mean())
        eigen = [np.linalg.eigvalsh(np.cov(side.T, bias=True)) for side in (a, b)]
        assert found["eigenvalues"].value == pytest.approx(np.abs(eigen[1] - eigen[0]).mean())


def test_trade_off_measures_follow_their_equations(rng):
    x, y = release(rng)
    delta, weight = rng.random(x.shape) * 0.3, rng.random(x.shape)
    delta[0] = 0.0
    found = coterie.evaluate(x, y, aligned=True, delta=delta, importance=weight)
    a, b = naive.standardize(x, y)
    assert found["sl"].value == pytest.approx(naive.sl(a, b, delta, weight))
    risk = (naive.dld(a, b) + naive.sdid(a, b)) / 2
    assert found["dr"].value == pytest.approx(risk)
    lost = sum(naive.pil_parts(a, b).values()) / 5
    assert found["si"].value == pytest.approx((risk + lost) / 2)
    parts = {"dld": naive.dld(a, b), "sdid": naive.sdid(a, b), "dr": risk, "pil": lost}
    assert found["si"].parts == pytest.approx(parts)
    nobody = coterie.evaluate(x, y, aligned=True, delta=9.0, importance=0.0)
    assert nobody["sl"].value == 100.0  # 0 / 0 = 1


def test_homogeneity_follows_its_equations(rng):
    x, y = release(rng)
    number = np.round(rng.normal(size=len(x)), 1)
    word = rng.integers(3, size=len(x))
    import pandas as pd

    before = pd.DataFrame({"a": x[:, 0], "n": number, "w": [f"w{v}" for v in word]})
    after = before.assign(a=y[:, 0])
    found = coterie.evaluate(before, after, ["a"], ["n", "w"])
    groups = naive.classes(y[:, :1])
    for name, values in (("n", number.tolist()), ("w", word.tolist())):
        inside = [[values[i] for i in group] for group in groups]
        assert found["distinct_l"].by_column[name] == min(len(set(v)) for v in inside)
        least = min(math.exp(naive.entropy(v)) for v in inside)
        assert found["entropy_l"].by_column[name] == pytest.approx(least)
        emd = naive.emd_ordered if name == "n" else naive.emd_equal
        far = max(emd(v, values) for v in inside)
        assert found["t_closeness"].by_column[name] == pytest.approx(far)


@given(st.lists(st.integers(0, 5), min_size=6, max_size=20), st.integers(2, 4))
def test_ordered_distance_on_drawn_tables(values, k):
    import pandas as pd

    n = len(values)
    labels = [float(min(i // k, n // k - 1)) for i in range(n)]
    table = pd.DataFrame({"g": labels, "c": [float(v) for v in values]})
    found = coterie.evaluate(table, table, ["g"], ["c"], measures=["t_closeness"])
    groups = naive.classes([[label] for label in labels])
    far = max(naive.emd_ordered([values[i] for i in group], values) for group in groups)
    assert found["t_closeness"].value == pytest.approx(far)


@pytest.mark.nojit
def test_values_by_hand():
    x = [[0.0], [2.0], [8.0], [10.0]]  # mean 5, sd sqrt(17)
    y = [[1.0], [1.0], [9.0], [9.0]]
    found = coterie.evaluate(x, y, aligned=True, delta=0.2, importance=1.0)
    assert found["achieved_k"].value == 2
    assert found["dld"].value == 50.0
    assert found["dld_expected"].value == 50.0
    assert found["own_group"].value == 100.0
    assert found["sdid"].value == 0.0  # 1 / sqrt(17) = 0.24
    assert found["offset_adversary"].value == 50.0
    assert found["il"].value == pytest.approx(100 * 4 / 68)
    assert found["il1s"].value == pytest.approx(1 / math.sqrt(34))
    assert found["variances"].value == pytest.approx(1 / 17)
    assert found["ks"].value == 0.25
    assert found["sl"].value == 100.0


def test_release_equal_to_original(rng):
    x = rng.normal(size=(50, 3))
    found = coterie.evaluate(x, x, aligned=True, delta=0.1)
    for name in ("il", "il1s", "pil", "means", "variances", "correlations", "eigenvalues", "ks"):
        assert found[name].value == 0.0
    assert found["pmse"].value == pytest.approx(0.0, abs=1e-12)
    for name in ("dld", "own_group", "sdid", "exact_share", "offset_adversary", "prosecutor"):
        assert found[name].value == 100.0
    assert found["sl"].value == 0.0
    assert found["achieved_k"].value == 1


def test_one_group(rng):
    x = rng.normal(size=(50, 3))
    y = np.tile(x.mean(axis=0), (50, 1))
    found = coterie.evaluate(x, y, aligned=True)
    assert found["achieved_k"].value == 50
    assert found["il"].value == pytest.approx(100.0)
    assert found["dld"].value == found["dld_expected"].value == pytest.approx(2.0)
    assert found["correlations"].value > 0
    assert all(math.isfinite(score.value) for score in found.values())


def test_all_records_equal():
    x = np.full((6, 2), 3.0)
    found = coterie.evaluate(x, x, aligned=True, delta=0.0)
    assert found["il"].value == 0.0
    assert found["pil"].value == 0.0
    assert found["exact_share"].value == 100.0
    assert found["dld_expected"].value == pytest.approx(100 / 6)
    assert all(math.isfinite(score.value) for score in found.values())


def test_a_constant_that_moved_costs_everything():
    x = np.full((6, 1), 3.0)
    found = coterie.evaluate(x, x + 1.0, aligned=True)
    assert found["pil"].parts["quantiles"] == found["pil"].parts["means"] == 100.0
    assert found["il"].value == math.inf


def test_values_lie_within_their_bounds(rng):
    for step in (None, 1.0):
        x, y = release(rng, step=step)
        found = coterie.evaluate(x, y, aligned=True, delta=0.1)
        for score in found.values():
            low, high = score.bounds
            assert low - 1e-9 <= score.value <= high + 1e-9, score


def test_pmse_sees_what_means_and_variances_do_not(rng):
    a = rng.normal(size=(2000, 1))
    x = np.hstack([a, 0.95 * a + 0.3 * rng.normal(size=a.shape)])
    y = np.column_stack([x[:, 0], rng.permutation(x[:, 1])])
    assert coterie.evaluate(x, y, measures=["pmse"])["pmse"].value > 0.05
    told = coterie.evaluate(x, x + 100.0, measures=["pmse"])["pmse"].value
    assert told == pytest.approx(0.25, abs=0.01)


def test_knowing_less_and_knowing_it_badly_finds_fewer(rng):
    x = rng.normal(size=(300, 4))
    p = coterie.partition(x, 3)
    y = p.centroids[p.labels]
    found = coterie.evaluate(x, y, aligned=True, known={"one": ["x1"], "two": ["x1", "x2"]})
    hits = found["own_group"]
    assert hits.parts["one"] < hits.parts["two"] < hits.value
    a, b = naive.standardize(x, y)
    assert found["dld"].parts["one"] == pytest.approx(naive.dld(a[:, :1], b[:, :1]))
    noisy = coterie.evaluate(x, y, aligned=True, noise=1.0, random_state=1)
    assert noisy["own_group"].value < hits.value
    again = coterie.evaluate(x, y, aligned=True, noise=1.0, random_state=1)
    assert noisy.values_by_name() == again.values_by_name()


def test_weights_make_the_population():
    x = np.array([[1.0], [1.0], [2.0], [2.0]])
    found = coterie.evaluate(x, x, sample_weight=[10, 10, 2, 3], threshold=0.1)
    assert found["prosecutor"].value == 50.0
    assert found["journalist"].value == pytest.approx(20.0)
    assert found["journalist"].parts["records_at_risk"] == 50.0
    assert found["marketer"].value == pytest.approx(100 * (2 / 20 + 2 / 5) / 4)


def test_every_measure_is_described():
    for measure in measures():
        assert measure.title
        assert measure.reference
        assert measure.kind in {"risk", "utility", "trade-off"}
        assert "is" in measure.direction
        assert measure.bounds[0] < measure.bounds[1]
        assert callable(measure.load())


def test_parts_of_a_figure_follow_the_same_equation(rng):
    """By column, by record and the largest, cell by cell; gaps count for nothing."""
    x, y = release(rng)
    delta = 0.2
    found = coterie.evaluate(x, y, aligned=True, delta=delta)
    a, b = (np.asarray(side) for side in naive.standardize(x, y))
    linked = [min(range(len(b)), key=lambda i, r=row: (((b[i] - r) ** 2).sum(), i)) for row in a]
    sd = 0.05
    flagged = {
        "sdid": np.abs(a - b[linked]) <= sd,
        "sdid_own": np.abs(a - b) <= sd,
        "sl": np.abs(a - b) >= delta,
    }
    for name, cells in flagged.items():
        one = found[name]
        assert 0 < one.value < 100, name
        assert one.value == pytest.approx(100 * np.mean(cells)), name
        assert list(one.by_column.values()) == pytest.approx(list(100 * cells.mean(axis=0))), name
        assert one.by_record == pytest.approx(100 * cells.mean(axis=1)), name
    faint = coterie.evaluate(x, y, aligned=True, delta=delta, importance=0.001, measures=["sl"])
    assert faint["sl"].value == pytest.approx(found["sl"].value)  # weights of all sum up to 0.18
    edge = coterie.evaluate(x, x + delta * x.std(axis=0), aligned=True, delta=delta)
    assert edge["sl"].value == 100.0  # a target that is kept to the last digit is kept
    differences = {
        "means": np.abs(b.mean(axis=0) - a.mean(axis=0)),
        "variances": np.abs(b.var(axis=0) - a.var(axis=0)),
    }
    for name, by_column in differences.items():
        assert list(found[name].by_column.values()) == pytest.approx(list(by_column), abs=1e-12)
        assert found[name].parts["largest"] == pytest.approx(by_column.max(), abs=1e-12)
    r = np.abs(np.corrcoef(y.T) - np.corrcoef(x.T))
    assert list(found["correlations"].by_column.values()) == pytest.approx(list(r.sum(axis=0) / 2))
    assert found["correlations"].parts["largest"] == pytest.approx(r.max())
    eigen = [np.linalg.eigvalsh(np.cov(side.T, bias=True)) for side in (a, b)]
    assert found["eigenvalues"].parts["largest"] == pytest.approx(np.abs(eigen[1] - eigen[0]).max())


def test_cells_without_a_value_count_for_nothing(rng):
    x, y = release(rng)
    gone = rng.random(x.shape) < 0.2
    gone[0] = True
    gone[1:3] = False
    x, y = (np.where(gone, np.nan, side) for side in (x, y))
    found = coterie.evaluate(x, y, aligned=True, measures=["sdid_own"])["sdid_own"]
    held = ~gone
    mean, spread = np.nanmean(x, axis=0), np.nanstd(x, axis=0)
    near = (np.abs((x - mean) / spread - (y - mean) / spread) <= 0.05) & held
    assert found.value == pytest.approx(100 * near.sum() / held.sum())
    columns = 100 * near.sum(axis=0) / held.sum(axis=0)
    assert list(found.by_column.values()) == pytest.approx(list(columns))
    assert np.isnan(found.by_record[0])
    records = 100 * near[1:].sum(axis=1) / np.maximum(held[1:].sum(axis=1), 1)
    some = held[1:].any(axis=1)
    assert found.by_record[1:][some] == pytest.approx(records[some])
