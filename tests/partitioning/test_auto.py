from __future__ import annotations

import numpy as np
import pytest

import coterie
from coterie.partitioning import auto
from coterie.partitioning.search.optimize import course, search
from coterie.partitioning.search.optimize import start as start_phase
from coterie.partitioning.search.optimize.composition import Composition
from coterie.partitioning.search.optimize.start import Start
from coterie.partitioning.tiles import tiles


def test_no_worse_than_the_paths_it_starts_from(rng):
    X = rng.normal(size=(150, 3))
    p = coterie.partition(X, 4, "auto", random_state=0, iterations=5)
    for method in ("mdav", "mdav-mhm", "npn-mhm", "cbfs-mhm"):
        assert p.sse <= coterie.partition(X, 4, method).sse * (1 + 1e-12)


def test_tiles_hold_every_record_once_and_are_near_equal(rng):
    X = rng.normal(size=(1003, 2))
    for parts in (tiles(X, 100), tiles(X, 100, rng)):
        assert np.array_equal(np.sort(np.concatenate(parts)), np.arange(1003))
        assert max(map(len, parts)) <= 100
        assert min(map(len, parts)) >= 49


def test_duplicates_are_cut_like_any_other():
    assert max(map(len, tiles(np.zeros((500, 2)), 60))) <= 60


def test_small_tables_and_single_attributes_get_their_optimum(rng):
    for X in (rng.normal(size=(14, 3)), rng.normal(size=(500, 1))):
        assert coterie.partition(X, 3, "auto").gap == 0.0


def test_large_tables_are_cut_and_stay_valid(rng, monkeypatch):
    for module in (auto, course, search):
        monkeypatch.setattr(module, "LARGE", 300)
    start = Start(uncut=300, tile=100)
    monkeypatch.setattr(search, "USUAL", Composition(start=start))
    X = rng.normal(size=(700, 2))
    p = coterie.partition(X, 3, "auto", random_state=0, effort=300)
    assert p.sizes.min() >= 3
    assert p.sizes.max() <= 5
    again = coterie.partition(X, 3, "auto", random_state=0, effort=300, workers=1)
    assert np.array_equal(p.labels, again.labels)
    assert p.sse < coterie.partition(X, 3, "mdav").sse


def test_more_effort_loses_less(rng):
    X = rng.normal(size=(600, 3))
    few, many = (
        coterie.partition(X, 3, "auto", random_state=0, effort=effort) for effort in (50, 5000)
    )
    assert many.sse < few.sse


def test_outliers_in_wrong_groups_do_not_stay():
    """Heavy tails, each record nearly four times: halves of the second seed end at 0.99."""
    rng = np.random.default_rng(2)
    X = np.repeat(np.exp(2.5 * rng.normal(size=(750, 6))), 4, axis=0)
    X = coterie.standardize(X * np.exp(0.02 * rng.normal(size=X.shape)))
    plain = coterie.partition(X, 5, "mdav-mhm").sse
    for seed in (1, 2):
        assert coterie.partition(X, 5, "auto", random_state=seed).sse < 0.85 * plain


def test_what_is_melted_has_one_path_and_halves(rng, monkeypatch):
    """Other paths would be forgotten, and cost a first run what their kernels take to compile."""

    def refused(*_):
        raise AssertionError("a second path was sought")

    for name in ("cbfs", "npn"):
        monkeypatch.setattr(start_phase, name, refused)
    X = rng.normal(size=(100, 3))
    assert coterie.partition(X, 3, "auto", random_state=0, effort=1000).sizes.min() >= 3
    with pytest.raises(AssertionError, match="second path"):
        coterie.partition(X, 3, "auto", random_state=0, effort=40)


@pytest.mark.parametrize("effort", [40, 1000])
def test_without_a_limit_it_is_no_worse_than_mdav(effort, rng):
    for k in (3, 10):
        X = rng.standard_cauchy(size=(200, 3))
        plain = coterie.partition(X, k, "mdav").sse
        for seed in range(3):
            found = coterie.partition(X, k, "auto", random_state=seed, effort=effort)
            assert found.sse <= plain * (1 + 1e-12)


def test_effort_is_not_ignored(rng):
    X = rng.normal(size=(60, 2))
    with pytest.raises(coterie.ParameterError, match="'effort' option"):
        coterie.partition(X, 3, "auto", effort=10, iterations=5)
    with pytest.raises(coterie.ParameterError, match="'effort'"):
        coterie.partition(X, 3, "auto", effort=0)
