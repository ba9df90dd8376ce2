"""Mean, median and mode against loops over the groups."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import coterie
from coterie.centroids.mean import mean
from coterie.centroids.median import group_middles, median
from coterie.centroids.mode import mode
from coterie.centroids.result import Grouped


@pytest.fixture
def grouped(rng):
    labels = rng.permutation(np.repeat(np.arange(7), rng.integers(2, 6, size=7)) * 3 + 5)
    return rng.normal(size=(len(labels), 3)) + 1e6, labels


def by_group(x, labels, function):
    out = np.empty_like(x)
    for label in set(labels.tolist()):
        out[labels == label] = function(x[labels == label])
    return out


def test_mean_and_weighted_mean(grouped, rng):
    x, labels = grouped
    assert mean(x, labels).table == pytest.approx(by_group(x, labels, lambda g: g.mean(axis=0)))
    w = rng.random(len(x)) + 0.1
    found = mean(x, labels, weights=w)
    for label in set(labels.tolist()):
        inside = labels == label
        expected = np.average(x[inside], axis=0, weights=w[inside])
        assert found.table[inside][0] == pytest.approx(expected)


def test_renormalization_restores_the_variance(grouped, rng):
    x, labels = grouped
    found = mean(x, labels, renormalize=True).table
    assert found.mean(axis=0) == pytest.approx(x.mean(axis=0))
    assert found.var(axis=0) == pytest.approx(x.var(axis=0))
    plain = mean(x, labels).table  # Equations (5) and (6), as printed
    standard = (plain - x.mean(axis=0)) / x.std(axis=0)
    expected = standard / standard.std(axis=0) * x.std(axis=0) + x.mean(axis=0)
    assert found == pytest.approx(expected)
    w = rng.random(len(x)) + 0.1
    weighted = mean(x, labels, weights=w, renormalize=True).table
    center = np.average(x, axis=0, weights=w)
    spread = [np.average((v - center) ** 2, axis=0, weights=w) for v in (x, weighted)]
    assert spread[0] == pytest.approx(spread[1])


@pytest.mark.parametrize("where", [0.0, 1e6])
def test_means_that_hardly_differ_are_widened_all_the_same(where):
    x = where + np.array([-1.0, 1.01, -1.01, 1.0])
    found = mean(x[:, None], [0, 0, 1, 1], renormalize=True).values[:, 0]
    expected = x.mean() + x.std() * np.array([1.0, -1.0])
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-6)


def test_one_group_and_constants_stay_finite():
    x = np.column_stack([np.arange(6.0), np.full(6, 4.0)])
    assert mean(x, np.zeros(6, int), renormalize=True).values.tolist() == [[2.5, 4.0]]
    two = mean(x, [0, 0, 0, 1, 1, 1], renormalize=True)
    assert (two.values[:, 1] == 4.0).all()


def test_median(grouped):
    x, labels = grouped
    expected = by_group(x, labels, lambda g: np.median(g, axis=0))
    assert median(x, labels).table == pytest.approx(expected)


def test_medians_at_half_of_the_weight_by_hand():
    """The lower and the upper one differ where a value ends at just one half, and nowhere else."""
    x = np.array([[1.0], [2.0], [3.0], [4.0], [10.0], [20.0], [30.0]])
    grouped = Grouped.of(x, [0, 0, 0, 0, 1, 1, 1], "median")
    for weights, low, high in (
        (None, [2.0, 20.0], [3.0, 20.0]),
        ([1, 1, 1, 1, 1, 1, 1], [2.0, 20.0], [3.0, 20.0]),
        ([3, 1, 1, 1, 1, 1, 2], [1.0, 20.0], [2.0, 30.0]),
        ([1, 1, 1, 2, 3, 1, 1], [3.0, 10.0], [3.0, 10.0]),
        ([0.1, 0.2, 0.3, 0.6, 0.2, 0.1, 0.1], [3.0, 10.0], [4.0, 20.0]),  # but for rounding
        ([1, 1, 1, 6, 1, 1, 6], [4.0, 30.0], [4.0, 30.0]),
    ):
        given = None if weights is None else np.array(weights, dtype=float)
        found = group_middles(grouped, given)
        assert [side.tolist() for side in found] == [low, high], weights


def test_mode(rng):
    labels = rng.integers(5, size=60)
    x = rng.integers(4, size=(60, 2))
    found = mode(x, labels).table
    for i in range(60):
        for t in range(2):
            count = Counter(x[labels == labels[i], t].tolist())
            top = max(count.values())
            assert found[i, t] == min(v for v, c in count.items() if c == top)


def test_weights_count_as_so_many_records(rng):
    """Whole weights, and the same ones as fractions, give what repeated records give."""
    labels = rng.permutation(np.repeat([4, 9, 2, 7], 5))
    x = rng.integers(4, size=(20, 3)).astype(float)
    times = rng.integers(1, 5, size=20)
    for function in (median, mode):
        many = function(np.repeat(x, times, axis=0), np.repeat(labels, times)).table
        expected = many[np.cumsum(times) - 1]
        for weights in (times, times / 7.0):
            assert (function(x, labels, weights=weights).table == expected).all()


def test_one_column_by_its_type(rng):
    """What a release holds: groups keep their numbers, and the lower of two levels is taken."""
    from types import SimpleNamespace

    from coterie.centroids.typed import centroids, rounded

    labels = rng.permutation(np.repeat([2, 0, 1], [4, 6, 5]))
    values = rng.integers(5, size=15).astype(float)
    weights = rng.integers(1, 4, size=15).astype(float)
    for kind in ("continuous", "integer", "ordinal", "nominal"):
        known = SimpleNamespace(type=kind, missing_codes=())
        column = SimpleNamespace(values=values, attribute=known)
        found = rounded(column, centroids(column, labels, weights))
        assert found.shape == (3,)
        for g in range(3):
            members = sorted(np.repeat(values[labels == g], weights[labels == g].astype(int)))
            count = Counter(members)
            expected = {
                "continuous": np.mean(members),
                "integer": np.rint(np.mean(members)),
                "ordinal": min(range(5), key=lambda v: (abs(v - np.mean(members)), v)),
                "nominal": min(v for v, c in count.items() if c == max(count.values())),
            }[kind]
            assert found[g] == pytest.approx(expected)
            if kind == "ordinal":
                middle = centroids(column, labels, weights, "median")[g]
                assert middle == members[(len(members) - 1) // 2]


@pytest.mark.parametrize("function", [mean, median, mode])
@pytest.mark.parametrize("labels", [[0, 1], [0.5] * 6, None, [[0] * 6]])
def test_bad_labels(function, labels):
    with pytest.raises(coterie.ParameterError, match=r"'labels'.*one integer for each of the 6"):
        function(np.zeros((6, 1)), labels)


def test_bad_weights():
    for weights in ([1, 2], [0.0] * 6, [-1.0] * 6, [np.nan] * 6, ["a"] * 6):
        for function in (mean, median, mode):
            with pytest.raises(coterie.ParameterError, match=r"'weights'.*above 0"):
                function(np.zeros((6, 1)), [0] * 6, weights=weights)
    with pytest.raises(coterie.ParameterError, match="'renormalize'"):
        mean(np.zeros((6, 1)), [0] * 6, renormalize=1)
