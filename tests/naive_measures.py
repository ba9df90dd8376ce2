"""Plain transcriptions of the measures' equations: loops over records, no shared code.

`x` and `y` are lists of rows, row i of both the same record, already in standard deviations of the
original unless a function says otherwise.
"""

from __future__ import annotations

import itertools
import math

import numpy as np


def standardize(x, y):
    """Both tables by the original's means and standard deviations."""
    x, y = np.asarray(x, float), np.asarray(y, float)
    mean, spread = x.mean(axis=0), x.std(axis=0)
    spread[spread == 0] = 1.0
    return (x - mean) / spread, (y - mean) / spread


def distance(a, b):
    return sum((p - q) ** 2 for p, q in zip(a, b, strict=True))


def tied(x, y):
    """For each record the masked records at the least distance, up to rounding."""
    for row in x:
        every = [distance(row, other) for other in y]
        yield [j for j in range(len(y)) if every[j] <= min(every) * (1 + 1e-12)]


def nearest(x, y):
    """Equation (7): lowest index of the nearest masked record."""
    return [best[0] for best in tied(x, y)]


def dld(x, y):
    return 100 * sum(i == j for i, j in enumerate(nearest(x, y))) / len(x)


def dld_expected(x, y):
    return 100 * sum((i in best) / len(best) for i, best in enumerate(tied(x, y))) / len(x)


def own_group(x, y):
    return 100 * sum(i in best for i, best in enumerate(tied(x, y))) / len(x)


def sdid(x, y, sd=0.05):
    """Equation (8)."""
    near = nearest(x, y)
    d = len(x[0])
    inside = sum(abs(x[i][t] - y[near[i]][t]) <= sd for i in range(len(x)) for t in range(d))
    return 100 * inside / (len(x) * d)


def sdid_own(x, y, sd=0.05):
    pairs = [
        (v, w) for row, other in zip(x, y, strict=True) for v, w in zip(row, other, strict=True)
    ]
    return 100 * sum(abs(v - w) <= sd for v, w in pairs) / len(pairs)


def rank_interval(x, y, window=0.05):
    near = nearest(x, y)
    n, d = len(x), len(x[0])
    reach = int(window * n)
    inside = 0
    for t in range(d):
        ranked = sorted(row[t] for row in y)
        for i in range(n):
            value = y[near[i]][t]
            ranks = [r for r in range(n) if ranked[r] == value]
            low, high = max(ranks[0] - reach, 0), min(ranks[-1] + reach, n - 1)
            inside += ranked[low] <= x[i][t] <= ranked[high]
    return 100 * inside / (n * d)


def offset_adversary(x, y, sd=0.05):
    """Every error is tried as the left end of the window."""
    n, d = len(x), len(x[0])
    total = 0
    for t in range(d):
        errors = [x[i][t] - y[i][t] for i in range(n)]
        total += max(sum(e <= f <= e + 2 * sd for f in errors) for e in errors)
    return 100 * total / (n * d)


def phi(z):
    return 0.5 * (1 + math.erf(z / math.sqrt(2)))


def pil_of(change, variance):
    """Equation (10) with the absolute value."""
    if abs(change) < 1e-12:
        return 0.0
    return 2 * (phi(abs(change) / math.sqrt(variance)) - 0.5) if variance > 0 else 1.0


def quantile(values, q):
    ranked = sorted(values)
    at = q * (len(ranked) - 1)
    low = math.floor(at)
    high = min(low + 1, len(ranked) - 1)
    return ranked[low] + (at - low) * (ranked[high] - ranked[low])


def pil_parts(x, y):
    """Equations (9) to (11) with the variances of large samples."""
    n, d = len(x), len(x[0])
    q_part, mean_part, var_part, cov_part, cor_part = [], [], [], [], []

    def moment(a, b, p, q):
        ma, mb = sum(a) / n, sum(b) / n
        return sum((u - ma) ** p * (v - mb) ** q for u, v in zip(a, b, strict=True)) / n

    columns = [([r[t] for r in x], [r[t] for r in y]) for t in range(d)]
    for a, b in columns:
        spread = math.sqrt(moment(a, a, 2, 0))
        middle = (quantile(a, 0.75) - quantile(a, 0.25)) / 1.34
        h = 1.06 * (min(spread, middle) if middle > 0 else spread) * n**-0.2
        for step in range(1, 20):
            q = step / 20
            at = quantile(a, q)
            f = sum(math.exp(-(((v - at) / h) ** 2) / 2) for v in a) / (
                n * h * math.sqrt(2 * math.pi)
            )
            q_part.append(pil_of(quantile(b, q) - at, q * (1 - q) / (n * f * f)))
        m2, m4 = moment(a, a, 2, 0), moment(a, a, 4, 0)
        mean_part.append(pil_of(sum(b) / n - sum(a) / n, m2 / n))
        var_part.append(pil_of(moment(b, b, 2, 0) - m2, (m4 - m2**2) / n))
    for s in range(d):
        for t in range(s + 1, d):
            (a, a2), (b, b2) = columns[s], columns[t]
            m11, m22 = moment(a, b, 1, 1), moment(a, b, 2, 2)
            cov_part.append(pil_of(moment(a2, b2, 1, 1) - m11, (m22 - m11**2) / n))
            m20, m02 = moment(a, b, 2, 0), moment(a, b, 0, 2)
            rho = m11 / math.sqrt(m20 * m02)
            variance = (
                rho**2
                / n
                * (
                    m22 / m11**2
                    + (
                        moment(a, b, 4, 0) / m20**2
                        + moment(a, b, 0, 4) / m02**2
                        + 2 * m22 / (m20 * m02)
                    )
                    / 4
                    - moment(a, b, 3, 1) / (m11 * m20)
                    - moment(a, b, 1, 3) / (m11 * m02)
                )
            )
            masked = moment(a2, b2, 1, 1) / math.sqrt(moment(a2, b2, 2, 0) * moment(a2, b2, 0, 2))
            cor_part.append(pil_of(masked - rho, variance))
    names = ("quantiles", "means", "variances", "covariances", "correlations")
    parts = (q_part, mean_part, var_part, cov_part, cor_part)
    return {name: 100 * sum(p) / len(p) if p else 0.0 for name, p in zip(names, parts, strict=True)}


def pmse(x, y, names=(), ridge=1e-6):
    """Woo et al. (2009), and the ratio of Snoke et al. (2018): value and ratio.

    A logistic regression of which table a row is from on the numbers, their squares and products,
    and on an indicator of every name but the first (of `names`, of both tables in turn), each in
    units of its root mean square; `ridge` is the penalty on half the squared coefficients.
    """
    rows = [*x, *y]
    n, d = len(rows), len(rows[0])
    made = [[1.0, *row, *(row[s] * row[t] for s in range(d) for t in range(s, d))] for row in rows]
    for name in sorted(set(names))[1:]:
        made = [[*row, float(own == name)] for row, own in zip(made, names, strict=True)]
    design = np.array(made)
    design /= np.sqrt((design**2).mean(axis=0))
    label = np.repeat([0.0, 1.0], [len(x), len(y)])
    beta = np.zeros(design.shape[1])
    for _ in range(400):
        p = (1 + np.tanh(design @ beta / 2)) / 2
        slope = design.T @ (label - p) / n - ridge * beta
        bend = (design.T * (p * (1 - p))) @ design / n + ridge * np.eye(len(beta))
        step = np.linalg.solve(bend, slope)
        beta = beta + step / max(1, abs(step).max())
    assert abs(slope).max() < 1e-10  # of a convex function: there is one such place
    value = float(((p - 0.5) ** 2).mean())
    return value, value / ((len(beta) - 1) / 8 / n)


def il(x, y):
    sse = sum(distance(a, b) for a, b in zip(x, y, strict=True))
    mean = np.mean(x, axis=0)
    return 100 * sse / sum(distance(a, mean) for a in x)


def il1s(x, y):
    n, d = len(x), len(x[0])
    spread = np.std(x, axis=0)
    total = sum(
        abs(x[i][t] - y[i][t]) / (math.sqrt(2) * spread[t]) for i in range(n) for t in range(d)
    )
    return total / (n * d)


def sl(x, y, delta, weight):
    """Equation (13)."""
    n, d = len(x), len(x[0])
    kept = total = 0.0
    for i in range(n):
        for t in range(d):
            total += weight[i][t]
            kept += weight[i][t] * (abs(x[i][t] - y[i][t]) >= delta[i][t] or delta[i][t] == 0)
    return 100 * kept / total if total else 100.0


def ks(a, b):
    n = len(a)
    return max(abs(sum(v <= z for v in a) / n - sum(v <= z for v in b) / n) for z in [*a, *b])


def classes(rows):
    found = {}
    for i, row in enumerate(rows):
        found.setdefault(tuple(row), []).append(i)
    return list(found.values())


def entropy(values):
    shares = [values.count(v) / len(values) for v in set(values)]
    return -sum(p * math.log(p) for p in shares)


def emd_ordered(part, whole):
    """Li, Li, Venkatasubramanian (2007), section 4: ordered distance over the m values."""
    values = sorted(set(whole))
    m = len(values)
    if m == 1:
        return 0.0
    total = carried = 0.0
    for v in values:
        carried += part.count(v) / len(part) - whole.count(v) / len(whole)
        total += abs(carried)
    return total / (m - 1)


def emd_equal(part, whole):
    return sum(abs(part.count(v) / len(part) - whole.count(v) / len(whole)) for v in set(whole)) / 2


# What a release lost and risks, gaps and missing codes included. A table is a dict of columns, each
# a list; a gap is None or one of the column's missing codes. `kinds` says what each key is:
# "number", a list of levels, or "category".


def gap_of(value, codes=()):
    """What stands in place of a value: nothing if there is one."""
    if value is None or value != value:
        return "blank"
    return f"code {value}" if value in codes else ""


def squared(kind, a, b):
    """Squared distance of two values."""
    if kind == "number":
        return (a - b) ** 2
    if kind == "category":
        return float(a != b)
    return float(kind.index(a) - kind.index(b)) ** 2


def best_value(kind, values, weights):
    """The single value that is nearest to all of them."""
    if kind == "number":
        return math.fsum(w * v for v, w in zip(values, weights, strict=True)) / math.fsum(weights)
    candidates = set(values) if kind == "category" else kind
    return min(
        sorted(candidates, key=str),
        key=lambda c: math.fsum(
            w * squared(kind, v, c) for v, w in zip(values, weights, strict=True)
        ),
    )


def key_loss(kind, before, after, weights, codes=()):
    """Percent that one key lost; None where it has nothing to lose."""
    rows = [i for i, value in enumerate(before) if not gap_of(value, codes)]
    if not rows:
        return None
    values, w = [before[i] for i in rows], [weights[i] for i in rows]
    best = best_value(kind, values, w)
    lost = math.fsum(
        weights[i] * squared(kind, before[i], best if gap_of(after[i], codes) else after[i])
        for i in rows
    )
    total = math.fsum(x * squared(kind, v, best) for v, x in zip(values, w, strict=True))
    if total == 0:
        return None if lost == 0 else math.inf
    return 100 * lost / total


def headline(losses, key_weights):
    """The mean by the keys' weights over the keys that have something to lose."""
    counted = {name: loss for name, loss in losses.items() if loss is not None}
    if not counted:
        return 0.0
    total = sum(key_weights[name] for name in counted)
    return sum(key_weights[name] * loss for name, loss in counted.items()) / total


def changed_share(before, after, codes=()):
    """Percent of the records with a value whose value is another one."""
    rows = [i for i, value in enumerate(before) if not gap_of(value, codes)]
    return 100 * sum(before[i] != after[i] for i in rows) / len(rows) if rows else 0.0


def scaled(kind, values):
    """A function that gives a value's coordinates: variance 1 over these values."""
    if kind == "category":
        names = sorted(set(values), key=str)
        shares = [values.count(name) / len(values) for name in names]
        spread = math.sqrt((1 - sum(s * s for s in shares)) / 2) or 1.0
        return lambda v: [(v == name) / math.sqrt(2) / spread for name in names]
    numbers = [float(kind.index(v)) if isinstance(kind, list) else float(v) for v in values]
    mean = math.fsum(numbers) / len(numbers)
    spread = math.sqrt(math.fsum((x - mean) ** 2 for x in numbers) / len(numbers)) or 1.0

    def coordinates(v):
        x = float(kind.index(v)) if isinstance(kind, list) else float(v)
        return [(x - mean) / spread]

    return coordinates


def linked_with_gaps(before, after, kinds, codes, strata=None):
    """For each record the released ones nearest to it, among those with the same gaps.

    `strata` are the released ones: of those that share them.
    """
    n = len(next(iter(before.values())))
    strata = [None] * n if strata is None else strata
    there = {
        name: [v for v in before[name] if not gap_of(v, codes.get(name, ()))] for name in kinds
    }
    axes = {name: scaled(kinds[name], there[name]) if there[name] else None for name in kinds}

    def gaps(table, i):
        return tuple(gap_of(table[name][i], codes.get(name, ())) for name in kinds)

    for i in range(n):
        same = [j for j in range(n) if gaps(after, j) == gaps(before, i) and strata[i] == strata[j]]
        known = [name for name, gap in zip(kinds, gaps(before, i), strict=True) if not gap]
        every = [
            sum(
                (p - q) ** 2
                for name in known
                for p, q in zip(
                    axes[name](before[name][i]), axes[name](after[name][j]), strict=True
                )
            )
            for j in same
        ]
        least = min(every)
        yield [j for j, d in zip(same, every, strict=True) if d <= least * (1 + 1e-9) + 1e-18]


def linkage_with_gaps(before, after, kinds, codes, strata=None):
    """Right links with ties to the first, those expected, and records next to their own class."""
    found = list(linked_with_gaps(before, after, kinds, codes, strata))
    n = len(found)
    first = 100 * sum(best[0] == i for i, best in enumerate(found)) / n
    expected = 100 * sum((i in best) / len(best) for i, best in enumerate(found)) / n
    return first, expected, 100 * sum(i in best for i, best in enumerate(found)) / n


def exact_share(before, after, codes):
    """Percent of the values that are released unchanged, mean over the keys that have values."""
    shares = []
    for name in before:
        rows = [i for i, v in enumerate(before[name]) if not gap_of(v, codes.get(name, ()))]
        if rows:
            shares.append(100 * sum(before[name][i] == after[name][i] for i in rows) / len(rows))
    return sum(shares) / len(shares)


def classes_with_gaps(after, kinds, codes, strata=None):
    """The records of each class: equal on every key and stratum, gaps and codes included."""
    n = len(next(iter(after.values())))
    strata = [None] * n if strata is None else strata
    rows = [
        (
            strata[i],
            *(gap_of(after[name][i], codes.get(name, ())) or after[name][i] for name in kinds),
        )
        for i in range(n)
    ]
    return classes(rows)


def class_risks(after, kinds, codes, units=None, weights=None, strata=None):
    """achieved_k, prosecutor, journalist and marketer."""
    found = classes_with_gaps(after, kinds, codes, strata)
    n = sum(map(len, found))
    units = list(range(n)) if units is None else units
    sizes = [len({units[i] for i in members}) for members in found]
    population = []
    for members, size in zip(found, sizes, strict=True):
        if weights is None:
            population.append(size)
            continue
        by_unit = {}
        for i in members:
            by_unit.setdefault(units[i], []).append(weights[i])
        population.append(max(size, sum(sum(w) / len(w) for w in by_unit.values())))
    marketer = sum(len(m) / f for m, f in zip(found, population, strict=True)) / n
    return {
        "achieved_k": min(sizes),
        "prosecutor": 100 / min(sizes),
        "journalist": 100 / min(population),
        "marketer": 100 * marketer,
    }


# Attacks: rows of keys `x` (original) and `y` (released) in standard deviations of the original.


def wilson(successes, trials):
    """Middle and half width of Wilson's 95 % interval."""
    z = 1.959963984540054
    middle = (successes + z * z / 2) / (trials + z * z)
    half = z / (trials + z * z) * math.sqrt(successes * (trials - successes) / trials + z * z / 4)
    return middle, half


def added(success, reference):
    """Share of what the reference misses that the attack gets."""
    return max(success - reference, 0.0) / (1 - reference) if reference < 1 else 0.0


def added_interval(success, trials, reference, others=None):
    """Its interval, by first derivatives; `others` are the reference's trials."""
    s, ds = wilson(success * trials, trials)
    r, dr = (reference, 0.0) if others is None else wilson(reference * others, others)
    middle = (s - r) / (1 - r)
    error = math.sqrt((ds / (1 - r)) ** 2 + (dr * (1 - s) / (1 - r) ** 2) ** 2)
    point = added(success, reference)
    return max(min(middle - error, point), 0.0), min(max(middle + error, point), 1.0)


def place_of(row, y):
    """The released records equal to the nearest one, of several nearest the first."""
    every = [distance(row, other) for other in y]
    first = next(j for j in range(len(y)) if every[j] <= min(every) * (1 + 1e-12))
    return [j for j in range(len(y)) if list(y[j]) == list(y[first])]


def guessed_right(guess, truth, number):
    if not number:
        return guess == truth
    # As ends of a span: rounded once, so that a guess at the end itself counts.
    return truth - 0.05 * abs(truth) <= guess <= truth + 0.05 * abs(truth)


def best_guess(values, number):
    """The guess that is right for most of the values: of numbers the least such end of a span."""
    ends = sorted({v - 0.05 * abs(v) for v in values}) if number else sorted(set(values))
    return max(ends, key=lambda g: sum(guessed_right(g, v, number) for v in values))


def inferred(x, y, truths, secrets, number):
    """Mean chance of a right guess: by neighbors, by the majority, and of one guess for all.

    And of the value of any record.
    """
    anybody = best_guess(secrets, number)
    near, major, same, drawn = [], [], [], []
    for row, truth in zip(x, truths, strict=True):
        inside = [secrets[j] for j in place_of(row, y)]
        near.append(sum(guessed_right(v, truth, number) for v in inside) / len(inside))
        major.append(guessed_right(best_guess(inside, number), truth, number))
        same.append(guessed_right(anybody, truth, number))
        drawn.append(sum(guessed_right(v, truth, number) for v in secrets) / len(secrets))
    return tuple(sum(v) / len(x) for v in (near, major, same, drawn))


def met(x, y, first, second):
    """Mean chance that both halves of the keys draw the same record, and the same class."""
    record = group = 0.0
    parts = [[[row[t] for t in half] for row in y] for half in (first, second)]
    for row in x:
        a, b = (
            place_of([row[t] for t in half], part)
            for half, part in zip((first, second), parts, strict=True)
        )
        record += sum(i == j for i in a for j in b) / (len(a) * len(b))
        group += sum(list(y[i]) == list(y[j]) for i in a for j in b) / (len(a) * len(b))
    return record / len(x), group / len(x)


def holds(predicate, row):
    """Whether a predicate, a list of (column, operator, value), holds for a row; None is a gap."""
    tests = {
        "==": lambda v, w: v is not None and v == w,
        "<=": lambda v, w: v is not None and v <= w,
        ">=": lambda v, w: v is not None and v >= w,
        "missing": lambda v, w: v is None,
    }
    return all(tests[operator](row[column], value) for column, operator, value in predicate)


def singled_out(predicates, rows):
    """Share of the predicates that hold for exactly one row."""
    return sum(sum(holds(p, row) for row in rows) == 1 for p in predicates) / len(predicates)


def drawn_alone(c, n, m):
    """Chance that of m records n are drawn with exactly one of c among them; by all draws."""
    draws = list(itertools.combinations(range(m), n))
    return sum(sum(i < c for i in draw) == 1 for draw in draws) / len(draws)


def alike(values, x, epsilon):
    """Values within epsilon of x; None, a gap, is like gaps only."""
    if x is None:
        return [v for v in values if v is None]
    return [v for v in values if v is not None and x - epsilon <= v <= x + epsilon]


def proximity_m(inside, epsilon):
    """(epsilon, m)-anonymity: the largest m that every value of every class keeps."""
    return min(len(group) / len(alike(group, x, epsilon)) for group in inside for x in group)


def dissimilarity(inside, epsilon):
    """(epsilon, delta)^k: the largest delta; 0 for a class of one."""
    return min(
        (len(group) - len(alike(group, x, epsilon))) / (len(group) - 1) if len(group) > 1 else 0.0
        for group in inside
        for x in group
    )


def individual_risk(f, p):
    """E(1 / F | f): F - f failures before the f-th success, each of probability p."""
    total, chance = 0.0, p**f
    for size in range(f, f + 20_000):
        total += chance / size
        chance *= (1 - p) * size / (size - f + 1)
    return total


def alone_on(rows, names, most=3):
    """The first and smallest set of columns on which each row is alone."""
    from itertools import combinations

    found = [()] * len(rows)
    for size in range(most, 0, -1):
        for places in reversed(list(combinations(range(len(names)), size))):
            parts = [tuple(row[t] for t in places) for row in rows]
            for i, part in enumerate(parts):
                if parts.count(part) == 1:
                    found[i] = tuple(names[t] for t in places)
    return found


def covered(a, b):
    """Mean share of each of two intervals that the other covers; of equal points all of it."""
    if a == b:
        return 1.0
    common = min(a[1], b[1]) - max(a[0], b[0])
    if common < 0:
        return 0.0
    return sum(common / (end - start) if end > start else 1.0 for start, end in (a, b)) / 2


def domain_mean(values, weights):
    """A weighted mean and its linearized standard error."""
    total = sum(weights)
    mean = sum(w * v for v, w in zip(values, weights, strict=True)) / total
    squares = sum((w * (v - mean)) ** 2 for v, w in zip(values, weights, strict=True))
    return mean, math.sqrt(squares) / total


def domain_total(parts):
    """The sum of what each record of the table adds, and its standard error under sampling."""
    mean = sum(parts) / len(parts)
    return sum(parts), math.sqrt(sum((p - mean) ** 2 for p in parts))
