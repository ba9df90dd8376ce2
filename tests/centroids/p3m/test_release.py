"""P3M: never above a general solver, moments exact, hard targets kept, one line for bad input."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.optimize import minimize

import coterie
from coterie.centroids.mean import mean
from coterie.centroids.p3m import p3m
from coterie.centroids.p3m.dual import CuttingPlane, maximize
from tests.kernels.entries import minima


def instance(rng, groups=(2, 12), k=(2, 5)):
    """Records of one attribute in groups, standardized."""
    m, least = rng.integers(*groups), rng.integers(*k)
    labels = np.repeat(np.arange(m), rng.integers(least, 2 * least, size=m))
    x = rng.normal(size=len(labels)) * rng.choice([0.1, 0.5, 1.0]) + rng.normal(size=m)[labels]
    return (x - x.mean()) / x.std(), labels


def targets(rng, n):
    if rng.random() < 0.6:
        delta = np.full(n, rng.choice([0.05, 0.1, 0.4, 0.8, 1.2]))
    else:
        delta = rng.random(n)
    weight = (
        np.full(n, rng.choice([0.001, 0.5, 0.9])) if rng.random() < 0.6 else rng.random(n) * 0.95
    )
    return delta, weight


def objective(c, x, labels, delta, weight, alpha, one_sided=False):
    """Equation (14), record by record; hard targets have no error term."""
    size = np.bincount(labels)
    center = np.bincount(labels, x) / size
    total = 0.0
    for i, j in enumerate(labels):
        if weight[i] < 1:
            room = delta[i] ** 2 - (c[j] - x[i]) ** 2
            gamma = (max(room, 0.0) if one_sided else room) / (1 - weight[i])
            total += alpha * gamma**2
    return total + (1 - alpha) * float(size @ (c - center) ** 2)


def general_solver(rng, x, labels, delta, weight, alpha, starts):
    """SciPy's best of several starts among points that hold both moments."""
    n, size = len(x), np.bincount(labels).astype(float)
    center = np.bincount(labels, x) / size

    def cost(c):
        gamma = (delta**2 - (c[labels] - x) ** 2) / (1 - weight)
        return alpha * gamma @ gamma + (1 - alpha) * size @ (c - center) ** 2

    def slope(c):
        e = c[labels] - x
        gamma = (delta**2 - e**2) / (1 - weight)
        pull = np.bincount(labels, -4 * gamma * e / (1 - weight))
        return alpha * pull + 2 * (1 - alpha) * size * (c - center)

    moments = [
        {"type": "eq", "fun": lambda c: size @ c / n, "jac": lambda c: size / n},
        {"type": "eq", "fun": lambda c: size @ c**2 / n - 1, "jac": lambda c: 2 * size * c / n},
    ]
    best = np.inf
    for s in range(starts):
        c = center + rng.normal(size=len(size)) * (0 if s == 0 else rng.choice([0.2, 1.0]))
        c -= size @ c / n
        c *= np.sqrt(n / max(size @ c**2, 1e-12))
        done = minimize(
            cost,
            c,
            jac=slope,
            constraints=moments,
            method="SLSQP",
            options={"maxiter": 300, "ftol": 1e-14},
        )
        if max(abs(m["fun"](done.x)) for m in moments) < 1e-8:
            best = min(best, done.fun)
    return best


def compare(rng, instances, starts):
    for _ in range(instances):
        x, labels = instance(rng)
        delta, weight = targets(rng, len(x))
        alpha = float(rng.choice([0.0, 0.2, 0.5, 0.8, 1.0]))
        found = p3m(
            x[:, None],
            labels,
            delta=delta[:, None],
            importance=weight[:, None],
            alpha=alpha,
            margin=0.0,
        )
        best = general_solver(rng, x, labels, delta, weight, alpha, starts)
        value = found.objective[0]
        assert value == pytest.approx(
            objective(found.values[:, 0], x, labels, delta, weight, alpha), rel=1e-7, abs=1e-7
        )
        # SciPy's points hold the moments to 1e-8, so they may lie below by about as much.
        assert value <= best + 1e-6 * max(best, 1.0)
        assert found.bound[0] <= value * (1 + 1e-12)
        assert abs(found.mean_residual[0]) < 1e-9
        assert abs(found.variance_residual[0]) < 1e-9


@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_never_above_a_general_solver(rng):
    compare(rng, 25, 4)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_never_above_the_best_of_ten_starts_on_200_instances(rng):
    compare(rng, 200, 10)


def intervals(x, labels, delta, hard, j):
    """What hard targets leave to group j, up to 6 standard deviations."""
    low, free = -6.0, []
    for a, b in sorted(
        (x[i] - delta[i], x[i] + delta[i]) for i in np.flatnonzero(labels == j) if hard[i]
    ):
        if a >= low:
            free.append((low, a))
        low = max(low, b)
    return [*free, (low, 6.0)]


@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
@pytest.mark.parametrize("one_sided", [False, True])
def test_hard_targets_are_kept_and_no_better_choice_of_sides_exists(rng, one_sided):
    feasible = 0
    for _ in range(5):
        x, labels = instance(rng, groups=(2, 4), k=(2, 3))
        n, size = len(x), np.bincount(labels).astype(float)
        delta = np.full(n, rng.choice([0.05, 0.3, 0.8]))
        hard = rng.random(n) < rng.choice([0.3, 1.0])
        weight = np.where(hard, 1.0, 0.5)
        found = p3m(
            x[:, None],
            labels,
            delta=delta[:, None],
            importance=weight[:, None],
            margin=0.0,
            one_sided=one_sided,
        )
        c = found.values[:, 0]
        assert (np.abs(x - c[labels]) >= delta - 1e-9)[hard].all()
        cost = lambda v: objective(v, x, labels, delta, weight, 0.5, one_sided)  # noqa: E731, B023
        moments = [
            {"type": "eq", "fun": lambda v: size @ v / n},  # noqa: B023
            {"type": "eq", "fun": lambda v: size @ v**2 / n - 1},  # noqa: B023
        ]
        best = np.inf
        choices = [intervals(x, labels, delta, hard, j) for j in range(len(size))]
        for sides in itertools.product(*choices):
            for _ in range(2):
                start = [np.clip(rng.normal(), *side) for side in sides]
                done = minimize(cost, start, bounds=sides, constraints=moments, method="SLSQP")
                if max(abs(m["fun"](done.x)) for m in moments) < 1e-7:
                    best = min(best, done.fun)
        if found.infeasible:
            assert best == np.inf
            continue
        feasible += 1
        assert found.objective[0] == pytest.approx(cost(c), rel=1e-7, abs=1e-7)
        assert found.objective[0] <= best + 1e-4 * max(best, 1.0)
        assert abs(found.mean_residual[0]) < 1e-9
        assert abs(found.variance_residual[0]) < 1e-9
    assert feasible >= 2


def table(rng, n=300, d=3, k=4):
    x = np.exp(rng.normal(size=(n, 3))) * [1.0, 100.0, 1e-3] + [0.0, 1e6, 5.0]
    x = x[:, :d].copy()
    return x, coterie.partition(coterie.standardize(x), k).labels


@pytest.mark.parametrize("delta", [0.0, 0.1, 0.8, 2.0])
@pytest.mark.parametrize("basin", ["best", "means", "outward", "inward", "spread"])
def test_moments_hold_at_every_distance_in_every_basin(rng, delta, basin):
    x, labels = table(rng)
    found = p3m(x, labels, delta=delta, importance=0.3, basin=basin)
    assert np.abs(found.mean_residual).max() < 1e-9
    assert np.abs(found.variance_residual).max() < 1e-9
    y = found.table
    assert y.mean(axis=0) == pytest.approx(x.mean(axis=0))
    assert y.var(axis=0) == pytest.approx(x.var(axis=0))
    assert found.infeasible == ()
    assert ((found.satisfied >= 0) & (found.satisfied <= 1)).all()
    best = p3m(x, labels, delta=delta, importance=0.3)
    assert (best.objective <= found.objective * (1 + 1e-9)).all()


@pytest.mark.nojit
def test_without_targets_it_is_the_renormalized_mean(rng):
    x, labels = table(rng)
    found = p3m(x, labels, delta=0.0, importance=0.0, alpha=0.0)
    plain = mean(x, labels, renormalize=True)
    assert found.values == pytest.approx(plain.values, rel=1e-6)


def test_hard_targets_on_a_whole_table(rng):
    x, labels = table(rng)
    weight = np.where(rng.random(x.shape) < 0.2, 1.0, 0.001)
    found = p3m(x, labels, delta=0.1, importance=weight)
    far = np.abs(x - found.table) / x.std(axis=0) >= 0.1 - 1e-9
    assert far[weight == 1.0].all()
    assert found.infeasible == ()
    assert np.abs(found.variance_residual).max() < 1e-9


def test_targets_that_cannot_be_had_are_named(rng):
    x, labels = table(rng, d=2)
    found = p3m(x, labels, delta=[0.1, 50.0], importance=1.0)
    assert found.infeasible == (1,)
    assert (np.abs(x - found.table) / x.std(axis=0) >= [0.1 - 1e-9, 50.0 - 1e-9]).all()
    assert found.variance_residual[1] > 1


def test_one_group_and_constant_attributes(rng):
    x = np.column_stack([rng.normal(size=8), np.full(8, 3.0)])
    found = p3m(x, np.zeros(8, int))
    assert found.infeasible == (0,)
    assert (found.values[:, 1] == 3.0).all()
    two = p3m(x, [0] * 4 + [1] * 4)
    assert two.infeasible == ()
    assert (two.values[:, 1] == 3.0).all()
    equal_means = p3m(np.array([[-1.0], [1.0]] * 6), np.repeat(np.arange(3), 4), delta=0.5)
    assert abs(equal_means.variance_residual[0]) < 1e-9


def test_units_of_targets(rng):
    x, labels = table(rng, d=1)
    spread = x.std()
    by_sd = p3m(x, labels, delta=0.2)
    by_value = p3m(x, labels, delta=0.2 * spread, unit="value")
    assert by_value.values == pytest.approx(by_sd.values, rel=1e-9)
    standard = np.abs(x - x.mean()) / spread
    relative = p3m(x, labels, delta=0.1, unit="relative")
    assert relative.values == pytest.approx(p3m(x, labels, delta=0.1 * standard).values, rel=1e-9)


def test_targets_of_every_shape_agree(rng):
    x, labels = table(rng)
    n, d = x.shape
    plain = p3m(x, labels, delta=0.2, importance=0.5).values
    import pandas as pd

    people = pd.DataFrame({"w": np.full(n, 0.2)})
    for delta in (
        [0.2] * d,
        np.full((n, d), 0.2),
        np.full((n, 1), 0.2),
        "w",
        {"x1": "w", "x2": 0.2, "x3": 0.2},
    ):
        found = p3m(x, labels, delta=delta, importance=0.5, table=people)
        assert np.array_equal(found.values, plain)


def test_integers_are_refused_or_rounded(rng):
    x = rng.integers(0, 1000, size=(60, 2))
    labels = np.repeat(np.arange(15), 4)
    with pytest.raises(coterie.DataError, match="integers='round'"):
        p3m(x, labels)
    found = p3m(x, labels, integers="round")
    assert np.array_equal(found.values, np.round(found.values))
    expected = found.table.var(axis=0) / x.var(axis=0) - 1
    assert found.variance_residual == pytest.approx(expected, abs=1e-12)


def test_a_one_sided_target_costs_nothing_beyond_its_distance(rng):
    x, labels = table(rng)
    both = p3m(x, labels, delta=0.3, importance=0.5)
    one = p3m(x, labels, delta=0.3, importance=0.5, one_sided=True)
    assert (one.objective <= both.objective).all()
    shift = [np.square(f.values - mean(x, labels).values).sum() for f in (one, both)]
    assert shift[0] < shift[1] or one.satisfied.mean() > both.satisfied.mean()


def test_the_same_every_time_and_in_any_order(rng):
    x, labels = table(rng)
    first = p3m(x, labels, delta=0.6)
    assert np.array_equal(first.values, p3m(x, labels, delta=0.6).values)
    mixed = rng.permutation(len(x))
    again = p3m(x[mixed], labels[mixed], delta=0.6)
    assert again.objective == pytest.approx(first.objective, rel=1e-3)


def test_progress_is_told(rng):
    x, labels = table(rng)
    told = []
    p3m(x, labels, callback=told.append)
    assert told == pytest.approx([1 / 3, 2 / 3, 1.0])


@pytest.mark.nojit
def test_minima_of_quartics(rng):
    roots = np.empty(2)
    for _ in range(300):
        a = rng.normal(size=4) * 10.0 ** rng.uniform(-3, 3, size=4)
        a[3] = abs(a[3])
        count = minima(a[0], a[1], a[2], a[3], roots)
        exact = np.roots([4 * a[3], 3 * a[2], 2 * a[1], a[0]])
        real = exact[np.abs(exact.imag) < 1e-9 * np.abs(exact)].real
        value = [r * (a[0] + r * (a[1] + r * (a[2] + r * a[3]))) for r in real]
        ours = [r * (a[0] + r * (a[1] + r * (a[2] + r * a[3]))) for r in roots[:count]]
        assert min(ours) <= min(value) + 1e-9 * abs(min(value))
    assert minima(1.0, -1.0, 0.0, 0.0, roots) == 0


def test_cutting_planes_find_a_kink():
    def tent(x, y):
        return CuttingPlane(
            -abs(x - 7.0) - 2 * abs(y + 30.0), (np.sign(7.0 - x), 2 * np.sign(-30.0 - y))
        )

    assert maximize(tent, (0.0, 0.0), 1.0, 200) == pytest.approx((7.0, -30.0), abs=1e-3)


BAD = {
    "negative delta": ({"delta": -0.1}, r"'delta' parameter of p3m must be.*at least 0. Got -0.1"),
    "delta nan": ({"delta": np.nan}, r"'delta'.*Got nan"),
    "importance above 1": ({"importance": 1.1}, r"'importance'.*0 to 1. Got 1.1"),
    "importance below 0": ({"importance": [0.1, -0.5]}, r"'importance'.*Got -0.5"),
    "delta shape": ({"delta": [0.1, 0.2, 0.3]}, r"'delta'.*2 attributes.*shape \(3,\)"),
    "importance shape": ({"importance": np.zeros((3, 2))}, r"\(12, 2\).*shape \(3, 2\)"),
    "delta text": ({"delta": "wish"}, r"names a column, 'wish'"),
    "delta none": ({"delta": None}, r"'delta'.*Got None"),
    "unknown attribute": ({"delta": {"x3": 1}}, r"attribute in 'delta': 'x3'"),
    "alpha": ({"alpha": 1.5}, r"'alpha'.*0 to 1. Got 1.5"),
    "alpha text": ({"alpha": "x"}, r"'alpha'.*Got 'x'"),
    "margin": ({"margin": -1}, r"'margin'.*Got -1"),
    "unit": ({"unit": "cm"}, r"'unit'.*'sd', 'value', 'relative'. Got 'cm'"),
    "basin": ({"basin": "up"}, r"'basin'.*'best'.*Got 'up'"),
    "basins": ({"basin": ["best"]}, r"'basin'.*one for each attribute"),
    "one_sided": ({"one_sided": 1}, r"'one_sided'.*True or False"),
    "integers": ({"integers": "floor"}, r"'integers'.*'refuse', 'round'"),
    "attributes": ({"attributes": ["a"]}, r"'attributes'.*2 names"),
    "callback": ({"callback": 1}, r"'callback'.*function"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_one_line(name):
    options, expected = BAD[name]
    x = np.arange(24.0).reshape(12, 2)
    with pytest.raises(coterie.CoterieError, match=expected) as raised:
        p3m(x, np.repeat(np.arange(4), 3), **options)
    assert "\n" not in str(raised.value)


@pytest.mark.data
@pytest.mark.parametrize(("name", "k", "printed"), [("Tarragona", 5, 54.55), ("Census", 5, 65.18)])
def test_satisfaction_of_table_2(reference_data, name, k, printed):
    x = reference_data[name]
    labels = coterie.partition(x, k, ending="one-by-one").labels
    found = p3m(x, labels, delta=0.1, importance=0.001, alpha=0.5)
    assert 100 * found.satisfied.mean() == pytest.approx(printed, abs=0.15)
    assert (found.objective - found.bound <= 1e-5 * found.objective).all()


def test_odd_tables_and_targets_keep_moments_and_hard_targets(rng):
    for _ in range(120):
        m = int(rng.choice([2, 3, 5, 20, 60]))
        labels = np.repeat(np.arange(m), rng.integers(2, 6, size=m))
        n = len(labels)
        x = [
            rng.normal(size=n),
            np.round(rng.normal(size=n)),
            rng.standard_cauchy(size=n),
            np.where(np.arange(n) % 2 == 0, -1.0, 1.0),
        ][rng.integers(4)][:, None]
        delta = float(rng.choice([0.0, 1e-6, 0.1, 0.8, 3.0]))
        weight = np.where(rng.random((n, 1)) < rng.choice([0.0, 0.3, 1.0]), 1.0, rng.random((n, 1)))
        found = p3m(
            x,
            labels,
            delta=delta,
            importance=weight,
            alpha=float(rng.choice([0.0, 0.2, 0.5, 1.0])),
            one_sided=bool(rng.random() < 0.4),
            basin=str(rng.choice(["best", "means", "inward"])),
        )
        if x.min() < x.max():
            far = np.abs(x - found.table) / x.std() >= delta - 1e-9
            assert far[weight >= 1.0].all()
        if found.infeasible:
            assert (weight >= 1.0).any()  # soft targets always leave room for the moments
        else:
            assert abs(found.mean_residual[0]) < 1e-9
            assert abs(found.variance_residual[0]) < 1e-9
