"""Released values with given moments: down to a minimum of the groups' costs on that surface.

Entry points: `descend` (to a local minimum), `restore` (onto the surface, between walls if there
are some), `balance` (a choice of basins by the moments), `total_cost`.

The moments are sum n_j c_j = 0 and sum n_j c_j^2 = N with N the number of records: a sphere in a
plane, so one shift and one factor lead back to it, and Newton's method runs on it with a diagonal
Hessian and two multipliers. Every function is a few passes over the groups.
"""

import numpy as np

from coterie.kernels.base.jit import allocating, inner, kernel
from coterie.kernels.centroids.quartics import bend, piece_of, slope, value

__all__ = ["balance", "descend", "restore", "total_cost"]

ATTEMPTS = 20  # dampings of one Newton step: 1e-5 to 1e9 of the mean curvature, tenfold each time
HELD = 1e-10  # moments nearer than this, relative to the records, are the right ones


@kernel
def balance(
    groups,
    records,
    other,
    order,
    u,  # in and out
):
    """Move groups from u to `other`, in the given order, where that brings the moments nearer.

    At the best multipliers many groups may be indifferent between two basins (all of them where
    targets are far beyond the spread within groups): the moments decide which side they take.
    """
    first, second = moments(groups, u)
    second -= records
    for j in order:
        a = groups.center[j] + u[j]
        b = groups.center[j] + other[j]
        f = first + groups.size[j] * (b - a)
        s = second + groups.size[j] * (b * b - a * a)
        if f * f + s * s < first * first + second * second:
            u[j] = other[j]
            first = f
            second = s


@kernel
def total_cost(groups, u):
    total = 0.0
    for j in range(len(groups.size)):
        total += value(groups.coef, piece_of(groups, j, u[j]), u[j])
    return total


@inner
def moments(groups, u):
    """Sum n c and sum n c^2."""
    first = 0.0
    second = 0.0
    for j in range(len(groups.size)):
        c = groups.center[j] + u[j]
        first += groups.size[j] * c
        second += groups.size[j] * c * c
    return first, second


@inner
def rescale(
    groups,
    records,
    u,  # in and out
):
    """Move u to the surface of equal moments by a shift and a factor; False if all are equal."""
    for _ in range(2):  # the second time takes out the rounding of the first
        first, second = moments(groups, u)
        mean = first / records
        rest = second - records * mean * mean
        if not rest > 1e-300:
            return False
        factor = np.sqrt(records / rest)
        for j in range(len(u)):
            u[j] = (groups.center[j] + u[j] - mean) * factor - groups.center[j]
    return True


@allocating
def rescale_between_walls(
    groups,
    records,
    u,  # in and out
):
    """The same with every value kept between its walls; shift and factor by Newton's method."""
    m = len(groups.size)
    low = np.empty(m)
    high = np.empty(m)
    base = np.empty(m)
    for j in range(m):
        p = piece_of(groups, j, u[j])
        low[j] = groups.left[p]
        high[j] = groups.right[p]
        base[j] = groups.center[j] + u[j]
    s = 0.0
    t = 1.0
    size = np.inf
    ds = 0.0
    dt = 0.0
    for _ in range(60):
        first = 0.0
        second = -float(records)
        j11 = 0.0
        j12 = 0.0
        j21 = 0.0
        j22 = 0.0
        for j in range(m):
            n = groups.size[j]
            v = s + t * base[j] - groups.center[j]
            u[j] = min(max(v, low[j]), high[j])
            c = groups.center[j] + u[j]
            first += n * c
            second += n * c * c
            if low[j] < v < high[j]:
                j11 += n
                j12 += n * base[j]
                j21 += 2.0 * n * c
                j22 += 2.0 * n * c * base[j]
        now = max(abs(first), abs(second)) / records
        if now < 1e-13:
            return True
        if now < size:
            size = now
            det = j11 * j22 - j12 * j21
            if not abs(det) > 1e-14 * abs(j11 * j22):
                return size < HELD
            ds = -(first * j22 - second * j12) / det
            dt = -(j11 * second - j21 * first) / det
            s += ds
            t += dt
        else:  # overshot: half of the step
            ds *= 0.5
            dt *= 0.5
            s -= ds
            t -= dt
    return size < HELD


@inner
def snap(
    groups,
    u,  # in and out
):
    """Move every value to the nearest allowed one; whether all were allowed."""
    every = True
    for j in range(len(u)):
        p = piece_of(groups, j, u[j])
        if u[j] < groups.low[p]:
            u[j] = groups.low[p]
            every = False
        elif u[j] > groups.high[p]:
            u[j] = groups.high[p]
            every = False
    return every


@allocating
def restore(
    groups,
    records,
    walls,
    u,  # in and out
):
    """Bring u to allowed values with the right moments, near to where it is; False if that fails.

    With walls: by turns onto the surface and to the nearest allowed values, until one of the two
    is met from the other, or shift and factor can be found between the walls.
    """
    if not walls:
        return rescale(groups, records, u)
    trial = np.empty(len(u))
    for _ in range(30):
        snap(groups, u)
        for j in range(len(u)):
            trial[j] = u[j]
        if rescale_between_walls(groups, records, trial):
            for j in range(len(u)):
                u[j] = trial[j]
            return True
        if not rescale(groups, records, u):
            return False
        for j in range(len(u)):
            trial[j] = u[j]
        if snap(groups, trial):
            return True
    return False


@allocating
def descend(
    groups,
    records,
    walls,
    turns,
    u,  # in and out
    found,  # out: the two multipliers
):
    """Go down to a local minimum of the cost among values with the right moments; its cost.

    Newton's method on the surface: the Hessian is diagonal and two multipliers keep the step
    tangent, so a step costs one pass. `tau` makes it shorter where the curvature misleads; the
    moments hold after every step. Returns inf if no such values were found from here.
    """
    m = len(groups.size)
    if not restore(groups, records, walls, u):
        return np.inf
    cost = total_cost(groups, u)
    trial = np.empty(m)
    g = np.empty(m)
    h = np.empty(m)
    tau = 0.0
    for _ in range(turns):
        # Gradient, curvature, and the multipliers that explain the gradient best.
        s0 = 0.0
        s1 = 0.0
        s2 = 0.0
        t0 = 0.0
        t1 = 0.0
        spread = 0.0
        for j in range(m):
            p = piece_of(groups, j, u[j])
            g[j] = slope(groups.coef, p, u[j])
            h[j] = bend(groups.coef, p, u[j])
            n = groups.size[j]
            spread += abs(h[j])
            if walls and (u[j] <= groups.left[p] or u[j] >= groups.right[p]):
                continue
            c = groups.center[j] + u[j]
            s0 += n
            s1 += n * c
            s2 += n * c * c
            t0 += g[j]
            t1 += g[j] * c
        det = s0 * s2 - s1 * s1
        if not det > 1e-14 * s0 * s2:
            break
        lam = -(t0 * s2 - t1 * s1) / det
        mu = -0.5 * (s0 * t1 - s1 * t0) / det
        found[0] = lam
        found[1] = mu
        unit = spread / records + 1e-300
        done = False
        for attempt in range(ATTEMPTS):
            b11 = 0.0
            b12 = 0.0
            b22 = 0.0
            r1 = 0.0
            r2 = 0.0
            steady = True
            for j in range(m):
                n = groups.size[j]
                c = groups.center[j] + u[j]
                trial[j] = 0.0  # its weight in the step: 1 / curvature, 0 if held by a wall
                curve = h[j] + n * (2.0 * mu + tau)
                pull = g[j] + n * (lam + 2.0 * mu * c)
                if walls:
                    p = piece_of(groups, j, u[j])
                    if (u[j] <= groups.left[p] and pull > 0.0) or (
                        u[j] >= groups.right[p] and pull < 0.0
                    ):
                        continue
                if tau > 0.0 and curve <= 0.0:
                    steady = False
                    break
                if abs(curve) < 1e-12 * unit * n:
                    curve = 1e-12 * unit * n
                w = 1.0 / curve
                trial[j] = w
                b11 += n * n * w
                b12 += n * n * c * w
                b22 += n * n * c * c * w
                r1 += n * w * g[j]
                r2 += n * c * w * g[j]
            accepted = False
            if steady:
                det = b11 * b22 - b12 * b12
                if abs(det) > 1e-14 * abs(b11 * b22):
                    x = -(r1 * b22 - r2 * b12) / det
                    y = -(b11 * r2 - b12 * r1) / det
                    down = 0.0
                    for j in range(m):
                        n = groups.size[j]
                        c = groups.center[j] + u[j]
                        step = -trial[j] * (g[j] + n * (x + y * c))
                        down += step * g[j]
                        trial[j] = u[j] + step
                        if walls:
                            p = piece_of(groups, j, u[j])
                            trial[j] = min(max(trial[j], groups.left[p]), groups.right[p])
                    if down < 0.0:
                        if -down <= 1e-15 * abs(cost):
                            done = True
                        if walls:
                            held = rescale_between_walls(groups, records, trial)
                        else:
                            held = rescale(groups, records, trial)
                        if held:
                            new = total_cost(groups, trial)
                            if new < cost:
                                accepted = True
                                done = done or cost - new <= 1e-15 * abs(cost)
                                cost = new
                                for j in range(m):
                                    u[j] = trial[j]
                    elif down == 0.0 or (tau == 0.0 and abs(down) <= 1e-15 * abs(cost)):
                        done = True
            if accepted:
                tau = 0.1 * tau if tau > 1e-4 * unit else 0.0
                break
            if done:
                break
            tau = 10.0 * tau if tau > 0.0 else 1e-3 * unit
            # Where the curvature is not finite, `tau` is not either and no bound would hold.
            if tau > 1e9 * unit or attempt == ATTEMPTS - 1:
                done = True
                break
        if done:
            break
    return cost
