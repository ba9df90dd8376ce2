"""Bounds and optima by columns, against enumeration and integer programs of another make."""

from __future__ import annotations

import itertools
import sys

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, milp
from scipy.sparse import csc_array, hstack

import coterie
from benchmarks.exact.by_columns import by_columns
from coterie.errors import MissingDependency
from coterie.partitioning.core import Partition
from coterie.partitioning.driver import Run
from coterie.partitioning.exact import relaxation as relaxing
from coterie.partitioning.exact import solver
from coterie.partitioning.exact.beginning import first_outcome, no_larger
from coterie.partitioning.exact.columns import ColumnPool
from coterie.partitioning.exact.cuts import Cuts, violated_triples
from coterie.partitioning.exact.fixing import relax_and_fix
from coterie.partitioning.exact.relaxation import Relaxation
from coterie.partitioning.exact.set_partition import set_partition
from coterie.partitioning.problem import Problem
from tests import apart, naive
from tests.trials import trials

ROUNDING = 1 + 1e-9


def tables(rng, count, largest):
    """Random tables of several kinds: normal, lattices, duplicates, outliers, one attribute."""
    for turn in range(count):
        k = int(rng.integers(2, 5))
        n = int(rng.integers(k, largest + 1))
        d = int(rng.integers(1, 4))
        kind = turn % 5
        if kind == 0:
            X = rng.normal(size=(n, d))
        elif kind == 1:
            X = rng.integers(0, 4, (n, d)) * 1.0
        elif kind == 2:
            X = rng.normal(size=(4, d))[rng.integers(0, 4, n)]
        elif kind == 3:
            X = rng.standard_cauchy((n, d))
        else:
            X = 1e6 + rng.exponential(size=(n, 1))
        yield X, k


def never_above_the_optimum(rng, count, largest):
    for X, k in tables(rng, count, largest):
        optimum = naive.optimum(X, k)
        for method in ("columns", "ascent", "nearest"):
            bound = coterie.lower_bound(X, k, method=method)
            assert 0 <= bound.value <= optimum * ROUNDING + 1e-12
            assert 0 <= bound.percent <= 100


@trials(25, 60)
def test_never_above_the_optimum(rng, trials):
    never_above_the_optimum(rng, trials, 9)


@pytest.mark.slow
def test_never_above_the_optimum_of_many(rng):
    never_above_the_optimum(rng, 600, 10)


@trials(20, 40)
def test_columns_solve_the_relaxation_over_all_groups(rng, trials):
    for X, k in tables(rng, trials, 10):
        if len(X) < 2 * k:
            continue
        bound = coterie.lower_bound(X, k, method="columns", cuts=False)
        centered = X - X.mean(axis=0)
        value = naive.relaxation(centered, k)
        # A bound that meets a known partition ends the work before the relaxation is solved.
        assert bound.exact or bound.value == pytest.approx(naive.optimum(X, k))
        assert bound.value == pytest.approx(value, rel=1e-6, abs=1e-9 * np.square(centered).sum())


@trials(3, 10)
def test_methods_are_ordered_and_cuts_help(rng, trials):
    helped = 0
    for _ in range(trials):
        X = rng.normal(size=(40, 2))
        values = [
            coterie.lower_bound(X, 3, method="nearest").value,
            coterie.lower_bound(X, 3, method="ascent").value,
            coterie.lower_bound(X, 3, method="columns", cuts=False).value,
            coterie.lower_bound(X, 3, method="columns").value,
        ]
        assert all(a <= b * ROUNDING for a, b in itertools.pairwise(values))
        helped += values[3] > values[2] * (1 + 1e-6)
    assert helped


def test_four_outliers_are_no_four_thirds_of_a_group():
    """The relaxation shares out four outliers; the cuts forbid it."""
    X = np.concatenate([np.eye(4) * 100, np.full((8, 4), 500.0)])
    loose = coterie.lower_bound(X, 3, cuts=False)
    tight = coterie.lower_bound(X, 3)
    assert loose.value < 0.95 * tight.value
    assert tight.value == pytest.approx(naive.integer_program(X, 3))
    assert tight.cuts > 0


def test_violated_triples():
    members = np.array([[0, 1, 3], [0, 2, 3], [1, 2, 3], [0, 1, 2], [4, 5, 6]])
    weights = np.array([1 / 3, 1 / 3, 1 / 3, 1 / 3, 1.0])
    triples = violated_triples(members, weights, 10)
    assert (0, 1, 2) in map(tuple, triples.tolist())
    assert not violated_triples(members[-1:], weights[-1:], 10).size


def test_triples_of_records_that_are_worth_more_come_first():
    members = np.array([[0, 1, 3], [0, 2, 4], [1, 2, 5], [6, 7, 9], [6, 8, 10], [7, 8, 11]])
    weights = np.array([0.4, 0.4, 0.4, 0.5, 0.5, 0.5])
    worth = np.where(np.arange(12) < 6, 10.0, 1.0)
    assert violated_triples(members, weights, 1).tolist() == [[6, 7, 8]]
    assert violated_triples(members, weights, 1, worth).tolist() == [[0, 1, 2]]
    assert len(violated_triples(members, weights, 10, worth)) == 2


def test_a_slight_charge_is_left_out_and_the_bound_holds(rng, monkeypatch):
    """Whatever the threshold, what pricing proves without the charge is a bound."""
    left_out = 0
    for X, k in tables(rng, 30, 10):
        if len(X) < 2 * k or len(X) % k == 0:
            continue
        optimum = naive.optimum(X, k)
        usual = coterie.lower_bound(X, k)
        with monkeypatch.context() as patched:
            patched.setattr(relaxing, "SLIGHT", np.inf)
            without = coterie.lower_bound(X, k)
        for bound in (usual, without):
            assert bound.value <= optimum * ROUNDING + 1e-12
        left_out += without.value < usual.value * (1 - 1e-6)
    assert left_out  # there are tables on which the charge matters, and there it is kept


def test_ascents_end_where_fresh_groups_do_not(rng, monkeypatch):
    """Records close together: rounds are counted by what they gain, not by what they find."""
    X = np.concatenate([rng.normal(size=(300, 2)) * 1e-3, rng.standard_cauchy((100, 2))])
    problem = Problem.of(X, 3)
    spent, bounds = [], []
    for idle in (relaxing.IDLE, 10**9):
        monkeypatch.setattr(relaxing, "IDLE", idle)
        relaxation = Relaxation(problem, first_outcome(problem, Run()).labels)
        relaxation.start(Run())
        relaxation.ascend(Run())
        spent.append(relaxation.rounds)
        bounds.append(relaxation.bound)
    assert spent[0] < spent[1]
    assert bounds[0] > bounds[1] * (1 - 2e-3)


@trials(10, 25)
def test_optimum_by_columns_equals_an_integer_program(rng, trials):
    for X, k in tables(rng, trials, 11):
        problem = Problem.of(X, k)
        outcome = by_columns(problem, Run())
        p = Partition.of(problem, outcome)
        centered = X - X.mean(axis=0)
        best = naive.sse(centered, [range(len(X))])
        if len(X) >= 2 * k:
            best = naive.integer_program(centered, k)
        scale = np.square(centered).sum()
        assert p.sse == pytest.approx(best, rel=1e-6, abs=1e-9 * scale)
        assert p.gap == pytest.approx(0.0, abs=1e-4) or p.sse < 1e-9 * scale


def independent_optimum(X, k, upper):
    """All groups but those too dear for a partition below `upper`, by an integer program.

    A record costs at least its k-1 nearest squared distances over 2k; a group's cost beyond what
    its members cost at least can be no more than what is left up to `upper`.
    """
    d2 = np.square(X[:, None] - X[None]).sum(axis=2)
    least = np.sort(d2, axis=1)[:, 1:k].sum(axis=1) / (2 * k)
    spare = (upper - least.sum()) * (1 + 1e-9)
    costs, holds = [], []
    for size in range(k, 2 * k):
        every = np.array(list(itertools.combinations(range(len(X)), size)))
        cost = sum(d2[every[:, a], every[:, b]] for a, b in itertools.combinations(range(size), 2))
        cost = cost / size
        fit = cost - least[every].sum(axis=1) <= spare
        costs.append(cost[fit])
        column = np.repeat(np.arange(fit.sum()), size)
        ones = np.ones(len(column))
        holds.append(csc_array((ones, (every[fit].ravel(), column)), (len(X), fit.sum())))
    costs = np.concatenate(costs)
    once = LinearConstraint(hstack(holds), 1, 1)
    return milp(costs, constraints=once, integrality=np.ones(len(costs)), bounds=(0, 1)).fun


def prove(rng, count, n, k):
    for _ in range(count):
        X = rng.normal(size=(n, int(rng.integers(2, 5))))
        problem = Problem.of(X, k)
        p = Partition.of(problem, by_columns(problem, Run()))
        assert p.gap <= 1e-4
        assert p.sse == pytest.approx(independent_optimum(X, k, p.sse), rel=1e-6)


@trials(1, 2)
def test_twenty_records_are_proved_optimal(rng, trials):
    prove(rng, trials, 20, 3)


@pytest.mark.slow
def test_fifty_times_thirty_records_are_proved_optimal(rng):
    prove(rng, 50, 30, 3)


def test_relax_and_fix_gives_a_partition_near_the_bound(rng):
    X = rng.normal(size=(120, 2))
    problem = Problem.of(X, 3)
    relaxation = Relaxation(problem, coterie.partition(X, 3, "mdav").labels)
    assert relax_and_fix(relaxation, Run()) is None  # nothing solved yet
    relaxation.solve(Run())
    p = Partition.from_labels(X, relax_and_fix(relaxation, Run()), 3)
    assert p.sizes.max() <= 5
    bound = relaxation.bound * problem.scale**2
    assert bound <= p.sse * ROUNDING
    assert p.sse < 1.1 * bound


def test_what_is_left_is_followed_and_what_was_taken_is_paid_for(rng):
    X = rng.normal(size=(120, 3))
    problem = Problem.of(X, 4)
    relaxation = Relaxation(problem, coterie.partition(X, 4, "mdav").labels)
    relaxation.solve(Run(), cuts=0)
    seen = []

    def rest(left):
        assert not left.stuck
        assert left.shares.shape == (left.problem.n, 7)
        seen.append(left)
        below = Relaxation(left.problem, coterie.partition(left.problem.values, 4, "mdav").labels)
        below.start(Run(), left.shares)
        below.solve(Run(), cuts=0)
        # No partition with the groups taken costs less than this.
        assert left.paid + below.bound >= relaxation.bound * (1 - 1e-6)
        end = len(seen) == 3 or below.closed
        return coterie.partition(left.problem.values, 4, "mdav").labels if end else below

    labels = relax_and_fix(relaxation, Run(), rest)
    assert len(seen) > 1
    assert all(one.problem.n > two.problem.n for one, two in itertools.pairwise(seen))
    assert all(one.paid < two.paid for one, two in itertools.pairwise(seen))
    last = coterie.partition(seen[-1].problem.values, 4, "mdav").sse
    p = Partition.from_labels(X, labels, 4)
    assert p.sse == pytest.approx(seen[-1].paid * problem.scale**2 + last)


def test_a_tolerance_ends_the_linear_program_early(rng):
    X = rng.normal(size=(150, 2))
    problem = Problem.of(X, 4)
    start = coterie.partition(X, 4, "mdav-mhm").labels
    near, whole = (Relaxation(problem, start, tolerance=t) for t in (0.003, 1e-7))
    for relaxation in (near, whole):
        relaxation.solve(Run(), cuts=0)
        assert relaxation.exact
        assert relaxation.bound >= relaxation.value * (1 - relaxation.tolerance)
    assert near.steps.done < whole.steps.done
    assert near.bound <= whole.bound * ROUNDING
    near.tolerance = whole.tolerance
    near.generate(Run())
    assert near.bound == pytest.approx(whole.bound, rel=1e-6)


def test_certain_groups_stay_and_another_method_partitions_the_rest(rng):
    X = rng.normal(size=(120, 2))
    problem = Problem.of(X, 3)
    relaxation = Relaxation(problem, coterie.partition(X, 3, "mdav").labels)
    relaxation.solve(Run())
    asked = []

    def rest(left):
        asked.append(left.problem.n)
        return coterie.partition(left.problem.values, 3, "mdav-mhm").labels

    p = Partition.from_labels(X, relax_and_fix(relaxation, Run(), rest), 3)
    assert len(asked) == 1
    assert 3 <= asked[0] < 120
    assert p.sizes.max() <= 5


def test_set_partition_recombines(rng):
    X = rng.normal(size=(60, 2))
    problem = Problem.of(X, 3)
    columns = ColumnPool(problem.points, 3)
    starts = [coterie.partition(X, 3, m).labels for m in ("mdav", "mdav-mhm", "npn-mhm")]
    for labels in starts:
        columns.add_partition(no_larger(problem, labels))
    sses = [Partition.of(problem, coterie.partitioning.core.Outcome(s)).sse for s in starts]
    result = set_partition(problem, columns, np.arange(len(columns)), starts[0], Run())
    p = Partition.from_labels(X, result.labels, 3)
    assert result.optimal
    assert p.sse <= min(sses) * ROUNDING
    assert p.sse == pytest.approx(result.sse * problem.scale**2)


def test_columns_hold_a_group_once(rng):
    columns = ColumnPool(rng.normal(size=(9, 2)), 2)
    rows = np.array([[3, 1, -1], [1, 3, -1], [1, 3, 5], [0, 1, -1]])
    assert columns.add(rows).tolist() == [0, 1, 2]
    assert columns.add(rows).tolist() == []
    cuts = Cuts.of_triples(np.array([[1, 3, 5]]), np.array([2.0]))
    assert [array.tolist() for array in columns.counted(cuts)] == [[0, 0], [0, 1], [1, 1]]
    plain = columns.reduced(np.zeros(9), Cuts.none())
    assert columns.reduced(np.zeros(9), cuts) - plain == pytest.approx([2.0, 2.0, 0.0])


def test_groups_above_the_largest_size_are_cut(rng):
    X = rng.normal(size=(50, 2))
    problem = Problem.of(X, 3)
    labels = no_larger(problem, np.zeros(50, dtype=np.int64))
    assert np.bincount(labels).min() >= 3
    assert np.bincount(labels).max() <= 5


def test_time_limit_callback_and_replay(rng, clock):
    clock.tick = 0.004
    X = rng.normal(size=(1500, 4))
    told = []
    bound = coterie.lower_bound(X, 4, time_limit=1.0, callback=told.append)
    assert bound.seconds < 1.5  # 0.5 s is the guarantee
    assert not bound.exact
    assert bound.value > 0
    assert {p.phase for p in told} & {"ascent", "pricing"}
    same = [coterie.lower_bound(X[:200], 3, time_limit=None) for _ in range(2)]
    assert same[0].value == same[1].value
    assert same[0].columns == same[1].columns


@apart.POSIX
def test_ctrl_c_gives_the_best_bound_so_far():
    code = """
        import numpy as np, coterie
        X = np.random.default_rng(0).normal(size=(2000, 4))
        told = []

        def tell(progress):
            if progress.phase == "pricing" and not told:
                told.append(progress)
                print("at work", flush=True)

        bound = coterie.lower_bound(X, 5, time_limit=None, callback=tell)
        print(bound.interrupted, bound.value > 0)
    """
    assert apart.interrupted(code) == ["True True"]


def test_without_highs(monkeypatch, rng):
    monkeypatch.setitem(sys.modules, "highspy", None)  # importing it raises ModuleNotFoundError
    X = rng.normal(size=(30, 2))
    assert not solver.have_highs()
    assert coterie.lower_bound(X, 3).method == "ascent"
    with pytest.raises(MissingDependency, match="pip install highspy"):
        coterie.lower_bound(X, 3, method="columns")
    with pytest.raises(MissingDependency, match="pip install highspy"):
        solver.solver()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"method": "simplex"}, "'method' parameter of lower_bound must be one of 'auto'"),
        ({"time_limit": 0}, "'time_limit' parameter of lower_bound must be a finite number"),
        ({"time_limit": "1"}, "'time_limit' parameter of lower_bound must be a finite number"),
        ({"cuts": 1}, "'cuts' parameter of lower_bound must be True or False"),
        ({"callback": 3}, "'callback' parameter of lower_bound must be a function"),
        ({"k": 1}, "'k' parameter of lower_bound must be an integer of at least 2"),
    ],
)
def test_bad_arguments(arguments, message, rng):
    with pytest.raises(coterie.ParameterError, match=message):
        coterie.lower_bound(rng.normal(size=(9, 2)), **{"k": 3, **arguments})


@pytest.mark.data
def test_reference_data(reference_data):
    """The relaxation of Census, k = 3, is 4.646 %; with cuts it passes 4.66 %."""
    X = reference_data["Census"]
    loose = coterie.lower_bound(X, 3, cuts=False)
    assert loose.exact
    assert loose.percent == pytest.approx(4.64603, abs=1e-4)
