from __future__ import annotations

import math

import pytest

from coterie.partitioning.driver import Run
from coterie.partitioning.search.stop import ITERATIONS, Budget, Stop


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("limits", "target", "patience", "iterations"),
    [
        ({}, None, None, 5000),
        ({"time_limit": 9.0}, None, None, math.inf),
        ({}, 3.0, None, math.inf),
        ({}, None, 7, math.inf),
        ({"iterations": 12}, None, None, 12),
        ({"iterations": 12, "time_limit": 9.0}, 3.0, 7, 12),
    ],
)
def test_iterations_end_a_search_where_nothing_else_does(limits, target, patience, iterations):
    assert Stop.of(Run(**limits), target, patience, 1.0).iterations == iterations
    assert ITERATIONS == 5000


@pytest.mark.nojit
def test_a_target_is_an_information_loss():
    """In percent of the spread; without one, a goal that no SSE reaches."""
    assert Stop.of(Run(), 10.0, None, 50.0).goal == pytest.approx(5.0)
    assert Stop.of(Run(), None, None, 50.0).goal < 0.0


@pytest.mark.nojit
def test_patience_is_as_given_or_without_end():
    """Without end, and still one of the 64-bit integers that kernels count in."""
    assert Stop.of(Run(), None, 7, 1.0).patience == 7
    assert 2**61 < Stop.of(Run(), None, None, 1.0).patience < 2**63


@pytest.mark.nojit
def test_a_caller_may_have_a_default_of_its_own():
    assert Stop.of(Run(), None, None, 1.0, default=30).iterations == 30


@pytest.mark.nojit
def test_a_stop_is_a_value():
    one, other = (Stop.of(Run(), 10.0, None, 50.0) for _ in range(2))
    assert one == other
    assert len({one, other}) == 1


@pytest.mark.nojit
def test_a_budget_tells_what_the_clock_leaves(clock):
    budget = Budget(Run(time_limit=10.0), Stop.of(Run(), None, None, 1.0))
    assert budget.limited
    assert budget.limit == budget.left == 10.0
    clock.now += 4.0
    assert (budget.spent, budget.left) == (4.0, 6.0)
    assert budget.deadline(0.25) == 6.5
    with budget.until(6.5):
        assert (budget.limit, budget.left) == (6.5, 2.5)
        clock.now += 3.0
        assert budget.late
    assert not budget.late
    clock.now += 5.0
    assert budget.late
    assert budget.ended
    assert budget.left == 0.0


@pytest.mark.nojit
def test_a_budget_without_a_time_limit_has_no_end(clock):
    budget = Budget(Run(), Stop.of(Run(), None, None, 1.0))
    clock.now += 1e9
    assert not budget.limited
    assert budget.limit == budget.left == budget.deadline(0.1) == math.inf
    assert not budget.late
    with budget.until(math.inf):
        assert not budget.limited
    budget.interrupted = True
    assert budget.ended
