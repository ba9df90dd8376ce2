"""The table of measures of utility, and of those that weigh it against risk."""

from __future__ import annotations

import math
from functools import partial

from coterie.evaluation.measure import (
    BETTER_HIGH,
    P3M,
    PERCENT,
    SAFER_LOW,
    USEFUL_HIGH,
    USEFUL_LOW,
    Measure,
)

__all__ = ["UTILITIES"]

MATEO = "Mateo-Sanz, Domingo-Ferrer, Sebe (2005), DMKD 11:181-193"
YANCEY = "Yancey, Winkler, Creecy (2002), LNCS 2316:135-152"
VLDB2006 = "Domingo-Ferrer et al. (2006), VLDB Journal 15:355-369"

_utility = partial(Measure, kind="utility", direction=USEFUL_LOW)
_tradeoff = partial(Measure, kind="trade-off", rowwise=True)

UTILITIES: tuple[Measure, ...] = (
    _utility(
        "il",
        "squared distance of the released values over that of one value for all, percent",
        (0.0, math.inf),
        f"SSE / SST for numbers: {VLDB2006}",
        "utility.loss:il",
        rowwise=True,
    ),
    _utility(
        "changed",
        "records whose category is another one, mean over such keys, percent",
        PERCENT,
        "the released category is not the original one",
        "utility.loss:changed",
        rowwise=True,
        needs="category",
    ),
    _utility(
        "il1s",
        "mean |x - x'| / (sqrt(2) sigma)",
        (0.0, math.inf),
        YANCEY,
        "utility.loss:il1s",
        rowwise=True,
        needs="numeric",
    ),
    _utility(
        "pil",
        "change of five statistics beside their sampling error, percent",
        PERCENT,
        f"{MATEO}; {P3M}, Equations (9)-(11)",
        "utility.probabilistic:pil",
        needs="numeric",
    ),
    _utility(
        "means",
        "mean absolute difference of means, in standard deviations",
        (0.0, math.inf),
        MATEO,
        "utility.moments:means",
        needs="numeric",
    ),
    _utility(
        "variances",
        "mean relative difference of variances",
        (0.0, math.inf),
        MATEO,
        "utility.moments:variances",
        needs="numeric",
    ),
    _utility(
        "correlations",
        "mean absolute difference of correlations",
        (0.0, 2.0),
        MATEO,
        "utility.moments:correlations",
        needs="pairs",
    ),
    _utility(
        "eigenvalues",
        "mean absolute difference of eigenvalues of the covariance matrix",
        (0.0, math.inf),
        "standardized by the original: eigenvalues average 1",
        "utility.moments:eigenvalues",
        needs="pairs",
    ),
    _utility(
        "ks",
        "largest Kolmogorov-Smirnov distance of a numeric key",
        (0.0, 1.0),
        "Kolmogorov (1933), Smirnov (1948)",
        "utility.distribution:ks",
        needs="numeric",
    ),
    _utility(
        "pmse",
        "propensity-score mean squared error: 0 alike, 0.25 told apart without error",
        (0.0, 0.25),
        "Woo, Reiter, Oganian, Karr (2009), J. Privacy and Confidentiality 1(1)",
        "utility.distribution:pmse",
    ),
    _utility(
        "analyses",
        "mean overlap of the intervals of the declared analyses' estimates, percent",
        PERCENT,
        "Karr, Kohnen, Oganian, Reiter, Sanil (2006), The American Statistician 60(3)",
        "utility.analyses:analyses",
        direction=USEFUL_HIGH,
        rowwise=True,
        needs="analyses",
    ),
    _tradeoff(
        "dr",
        "disclosure risk: mean of dld and sdid, percent",
        PERCENT,
        f"{P3M}, section 2.3",
        "tradeoff:dr",
        links=True,
        direction=SAFER_LOW,
        needs="numeric",
    ),
    _tradeoff(
        "si",
        "scoring index: mean of dr and pil, percent",
        PERCENT,
        f"{P3M}, Equation (12)",
        "tradeoff:si",
        links=True,
        direction="lower is better",
        needs="numeric",
    ),
    _tradeoff(
        "sl",
        "satisfaction level: share of distance targets for distance fulfilled, percent",
        PERCENT,
        f"{P3M}, Equation (13)",
        "tradeoff:sl",
        direction=BETTER_HIGH,
        needs="delta",
    ),
)
