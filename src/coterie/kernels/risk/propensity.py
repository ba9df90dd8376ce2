"""One Newton pass of a logistic regression on numbers, their products, and ready-made columns.

Entry points: `squares` (to scale the columns) and `accumulate` (gradient and Hessian).
The columns of a record are made on the fly, so the design matrix never exists; a pass costs
w^2 / 2 operations a record for w columns. Plain loops: a threaded matrix product loses more by
waiting for busy processors than it gains.
"""

import numpy as np

from coterie.kernels.base.jit import allocating, inner

__all__ = ["accumulate", "squares"]


@inner
def columns(
    x,
    extra,
    i,
    pairs,
    out,  # out: 1, the numbers, their squares (and products), the extra columns
):
    d = x.shape[1]
    out[0] = 1.0
    for a in range(d):
        out[1 + a] = x[i, a]
    at = 1 + d
    for a in range(d):
        for b in range(a, d if pairs else a + 1):
            out[at] = x[i, a] * x[i, b]
            at += 1
    for a in range(extra.shape[1]):
        out[at + a] = extra[i, a]


@allocating
def squares(
    x,
    extra,
    pairs,
    total,  # in and out: sum of squares of each column
):
    f = np.empty(len(total))
    for i in range(len(x)):
        columns(x, extra, i, pairs, f)
        for a in range(len(total)):
            total[a] += f[a] * f[a]


@allocating
def accumulate(
    x,
    extra,
    pairs,
    scale,
    beta,
    label,
    gradient,  # in and out
    hessian,  # in and out: upper triangle
):
    """Add the records' part of gradient and Hessian; returns their sum of (p - 1/2)^2."""
    w = len(beta)
    f = np.empty(w)
    apart = 0.0
    for i in range(len(x)):
        columns(x, extra, i, pairs, f)
        logit = 0.0
        for a in range(w):
            f[a] /= scale[a]
            logit += beta[a] * f[a]
        p = 0.5 * (1.0 + np.tanh(0.5 * logit))
        apart += (p - 0.5) * (p - 0.5)
        error = label - p
        curve = p * (1.0 - p)
        for a in range(w):
            gradient[a] += error * f[a]
            t = curve * f[a]
            for b in range(a, w):
                hessian[a, b] += t * f[b]
    return apart
