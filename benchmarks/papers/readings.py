"""PIL and the risks of the P3M paper in every reading that its text leaves open.

R. Mortazavi, S. Jalili (2017), "Fine granular proximity breach prevention during numerical data
anonymization", Transactions on Data Privacy 10:117-144, Equations (7) to (12). Written apart from
`coterie.evaluation`, so that the two check each other.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import erf
from scipy.stats import norm

import coterie

LEVELS = np.arange(1, 20) / 20.0
PARTS = ("quantiles", "means", "variances", "covariances", "correlations")


def z_loss(change, variance, sign="size"):
    """Equation (10), each statistic: of the size of the change, or with the sign as printed."""
    change = np.where(np.abs(change) <= 1e-12, 0.0, change)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = erf(np.where(change == 0, 0.0, change / np.sqrt(variance)) / math.sqrt(2.0))
    if sign == "size":
        return np.abs(share)
    return share if sign == "signed" else np.maximum(share, 0.0)


def kernel(x, at, width):
    z = (x - at[:, None]) / width
    return np.exp(-0.5 * z * z).mean(axis=1) / (width * math.sqrt(2.0 * math.pi))


def density(x, at, levels, kind):
    """The density of x at its quantiles, as one may estimate it."""
    n, sd = len(x), x.std()
    low, high = np.quantile(x, [0.25, 0.75])
    robust = min(sd, (high - low) / 1.34) if high > low else sd
    if kind == "normal at Q":
        return norm.pdf(at, x.mean(), sd)
    if kind == "normal at q":
        return norm.pdf(norm.ppf(levels)) / sd
    if kind == "spacing":  # of the quantiles one step below and above
        above, below = (np.quantile(x, np.clip(levels + s, 0, 1)) for s in (0.05, -0.05))
        with np.errstate(divide="ignore"):
            return (np.minimum(levels + 0.05, 1) - np.maximum(levels - 0.05, 0)) / (above - below)
    if kind.startswith("bins"):
        count, edge = np.histogram(x, bins=int(kind[4:]))
        place = np.clip(np.searchsorted(edge, at, side="right") - 1, 0, len(count) - 1)
        return count[place] / (n * (edge[1] - edge[0]))
    if kind == "kernel, MAD":  # MATLAB's ksdensity
        spread = np.median(np.abs(x - np.median(x))) / 0.6745
        return kernel(x, at, (spread or x.max() - x.min()) * (4.0 / (3.0 * n)) ** 0.2)
    width = {"kernel": 1.06 * robust, "kernel, 0.9": 0.9 * robust, "kernel, Scott": sd}[kind]
    return kernel(x, at, width * n**-0.2)


def quantiles(before, after, kind="kernel", levels=LEVELS, rule="linear", of="before", sign="size"):
    n, losses = len(before), []
    for b, a in zip(before.T, after.T, strict=True):
        here, there = (np.quantile(v, levels, method=rule) for v in (b, a))
        f = density(b, here, levels, kind) if of == "before" else density(a, there, levels, kind)
        with np.errstate(divide="ignore"):
            variance = levels * (1.0 - levels) / (n * np.square(f))
        losses.append(z_loss(there - here, variance, sign))
    return 100.0 * float(np.mean(losses))


def pairs(before, after, part, law="any", of="before", sign="size", diagonal=False):
    """Covariances or correlations: variance by fourth moments (any law) or of a normal law."""
    c = before if of == "before" else after
    n, d = c.shape
    c = c - c.mean(axis=0)
    a, b = np.triu_indices(d, 1)
    square = np.square(c)
    m2, m4 = square.mean(axis=0), np.square(square).mean(axis=0)
    m22, m11 = (square.T @ square / n)[a, b], (c.T @ c / n)[a, b]
    m31 = (square * c).T @ c / n
    s = np.sqrt(m2[a] * m2[b])
    r = m11 / s
    r_before, r_after = (np.corrcoef(v.T)[a, b] for v in (before, after))
    if part == "covariances":
        change = np.cov(after.T, ddof=0)[a, b] - np.cov(before.T, ddof=0)[a, b]
        variance = (m22 - m11**2 if law == "any" else s**2 + m11**2) / n
    elif law == "Fisher":
        change, variance = np.arctanh(r_after) - np.arctanh(r_before), 1.0 / (n - 3)
    else:
        change = r_after - r_before
        variance = (1.0 - r**2) ** 2 / n
        if law == "any":
            fourth = m4[a] / m2[a] ** 2 + m4[b] / m2[b] ** 2 + 2.0 * m22 / s**2
            third = m31[a, b] / (m2[a] * s) + m31[b, a] / (m2[b] * s)
            variance = (m22 / s**2 + r**2 / 4.0 * fourth - r * third) / n
    found = 100.0 * float(z_loss(change, variance, sign).mean())
    return found * (d - 1) / d if diagonal else found  # an attribute with itself costs nothing


def moments(before, after, sign="size", less_one=False):
    """Means and variances; with `less_one` the release's variance divides by n - 1."""
    n = len(before)
    c = before - before.mean(axis=0)
    m2, m4 = np.square(c).mean(axis=0), (c**4).mean(axis=0)
    first = z_loss(after.mean(axis=0) - before.mean(axis=0), m2 / n, sign)
    second = z_loss(after.var(axis=0, ddof=int(less_one)) - m2, (m4 - m2**2) / n, sign)
    return 100.0 * float(first.mean()), 100.0 * float(second.mean())


def parts(before, after, sign="size"):
    """The five parts as `coterie.evaluate` reads them (but for `sign`)."""
    both = [pairs(before, after, part, sign=sign) for part in PARTS[3:]]
    values = [quantiles(before, after, sign=sign), *moments(before, after, sign), *both]
    return dict(zip(PARTS, values, strict=True))


def risk(before, after):
    names = ["dld", "dld_expected", "sdid", "sdid_own"]
    found = coterie.evaluate(before, after, aligned=True, measures=names)
    return {name: found[name].value for name in names}


def index(dld, sdid, shares):
    """SI of the two risks and the five parts."""
    return ((dld + sdid) / 2.0 + sum(shares.values()) / 5.0) / 2.0


def variants(x, y):
    """Other values of one figure, by (figure, reading); what the text leaves open or may mean."""
    found = {}
    kinds = ("kernel, 0.9", "kernel, Scott", "kernel, MAD", "normal at Q", "normal at q",
             "spacing", "bins10", "bins20", "bins50", "bins100")  # fmt: skip
    for kind in kinds:
        found["quantiles", f"density: {kind}"] = quantiles(x, y, kind)
    found["quantiles", "density of the release"] = quantiles(x, y, of="after")
    found["quantiles", "ranks (i - 1/2) / n"] = quantiles(x, y, rule="hazen")
    found["quantiles", "deciles only"] = quantiles(x, y, levels=np.arange(1, 10) / 10)
    found["quantiles", "quartiles only"] = quantiles(x, y, levels=np.array([0.25, 0.5, 0.75]))
    found["variances", "release by 1/(n - 1)"] = moments(x, y, less_one=True)[1]
    for part in PARTS[3:]:
        found[part, "normal law"] = pairs(x, y, part, law="normal")
        found[part, "moments of the release"] = pairs(x, y, part, of="after")
        found[part, "d x d pairs"] = pairs(x, y, part, diagonal=True)
    found["correlations", "Fisher's z"] = pairs(x, y, "correlations", law="Fisher")
    for sign in ("signed", "none below 0"):
        for part, value in parts(x, y, sign).items():
            if part not in PARTS[1:3]:
                found[part, f"Eq. 10 {sign}"] = value
    risks = risk(x, y)
    found["dld", "ties at random"] = risks["dld_expected"]
    reverse = coterie.evaluate(y, x, aligned=True, measures=["dld"])
    found["dld", "release to original"] = reverse["dld"].value
    found["sdid", "own record"] = risks["sdid_own"]
    narrow = coterie.evaluate(x, y, aligned=True, measures=["sdid"], sd=0.025)
    found["sdid", "+-0.025"] = narrow["sdid"].value
    return found


def reading(x, y):
    """The figures of SI as `coterie.evaluate` reads them."""
    risks = risk(x, y)
    return {"dld": risks["dld"], "sdid": risks["sdid"], "shares": parts(x, y)}


def changed(base, figure, value):
    """The same figures with another value of one."""
    if figure in PARTS:
        return {**base, "shares": {**base["shares"], figure: value}}
    return {**base, figure: value}
