"""Sizes at which a rule begins or ends to hold: k, 2k, 3k and one more or less, with many ties."""

from __future__ import annotations

import numpy as np
import pytest

import coterie
from coterie.partitioning.driver import Run
from coterie.partitioning.problem import Problem
from coterie.partitioning.registry import METHODS, bind
from tests import naive
from tests.partitioning.lattices import prepared
from tests.trials import later

PLACES = {k: np.random.default_rng(np.random.SeedSequence(5)).permutation(k) for k in (2, 3, 4)}
ORACLES = {
    **{
        f"mdav {ending}": ({"ending": ending}, lambda X, k, e=ending: naive.mdav(prepared(X), k, e))
        for ending in ("last-group", "one-by-one", "together")
    },
    **{
        f"cbfs {ending} {center}": (
            {"ending": ending, "centroid": center},
            lambda X, k, e=ending, c=center: naive.cbfs(prepared(X), k, e, c),
        )
        for ending in ("one-by-one", "together", "last-group")
        for center in ("all", "remaining")
    },
    **{
        f"md {ending}": ({"ending": ending}, lambda X, k, e=ending: naive.md(prepared(X), k, e))
        for ending in ("together", "one-by-one")
    },
    **{
        f"vmdav {gain}": ({"gain": gain}, lambda X, k, g=gain: naive.vmdav(prepared(X), k, g))
        for gain in (0.0, 1.0, 4.0)
    },
    **{
        f"tfrp {reference} {refine}": (
            {"reference": reference, "refine": refine},
            lambda X, k, r=reference, f=refine: naive.tfrp(X, k, r, f),
        )
        for reference in ("vector", "scalar")
        for refine in (True, False)
    },
    **{
        f"{method} {least}": (
            {"least": least},
            lambda X, k, m=method, one=least: naive.gsms(X, k, one, refine=m == "gsms-t2"),
        )
        for method in ("gsms", "gsms-t2")
        for least in ("group-and-rest", "rest")
    },
    "mst": ({}, lambda X, k: naive.mst(prepared(X), k)),
    "mu-approx": ({}, naive.mu_approx),
    "systematic": ({"random_state": 5}, lambda X, k: naive.systematic(X, k, PLACES[k])),
}


@pytest.mark.nojit
@pytest.mark.parametrize("name", ORACLES)
@pytest.mark.parametrize("k", [2, 3, later(4)])
def test_every_size_around_the_bounds(name, k, rng):
    options, oracle = ORACLES[name]
    for n in (*range(k, 3 * k + 2), 4 * k, 4 * k + 1):
        for d, values in ((1, 3), (2, 5)):
            X = rng.integers(-values, values + 1, size=(n, d))
            p = coterie.partition(X, k, name.split()[0], **options)
            expected = {frozenset(g) for g in oracle(X, k)}
            assert naive.groups_of(p.labels) == expected, (n, d)


@pytest.mark.nojit
@pytest.mark.parametrize("method", ["mdav", "cbfs", "vmdav"])
def test_the_first_seed_is_kept_where_it_is_record_0(method):
    """The path through the groups begins there."""
    X = np.array([[100.0], [0.0], [1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [-70.0]])
    run, _ = bind(METHODS[method], {})
    assert run(Problem.of(X, 2), Run()).first == 0


@pytest.mark.nojit
@pytest.mark.parametrize(("method", "n"), [("vmdav", 3), ("cbfs", 3), ("mdav", 6)])
def test_the_first_seed_is_known_from_the_first_group_on(method, n):
    """With as many records as one group takes, or one round: the farthest from the centroid."""
    X = np.array([[0.0], [9.0], [1.0], [2.0], [1.5], [2.5]])[:n]
    run, _ = bind(METHODS[method], {})
    assert run(Problem.of(X, 3), Run()).first == 1
