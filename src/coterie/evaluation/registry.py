"""The static table of measures: what each one is called, says and needs, and where it lives."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from coterie.errors import unknown_name

if TYPE_CHECKING:
    from coterie.evaluation.case import Case, Finding

__all__ = ["MEASURES", "Measure", "find", "measures"]

P3M = "Mortazavi, Jalili (2017), Transactions on Data Privacy 10:117-144"
PERCENT = (0.0, 100.0)
SAFER_LOW = "lower is safer"
SAFER_HIGH = "higher is safer"
USEFUL_HIGH = "higher is more useful"
BETTER_HIGH = "higher is better"
HIGHER = (SAFER_HIGH, USEFUL_HIGH, BETTER_HIGH)
USEFUL_LOW = "lower is more useful"


@dataclass(frozen=True)
class Measure:
    """One line of the table.

    Attributes
    ----------
    name : str
        As `coterie.evaluate` gives it.
    title : str
        What it says, in one line.
    kind : str
        ``"risk"``, ``"utility"`` or ``"trade-off"``.
    direction : str
        Which way is good, in words.
    bounds : tuple of two floats
        Least and largest possible value.
    reference : str
        Publication and equation.
    rowwise : bool
        Whether it compares records one by one and so needs aligned tables.
    needs : str
        ``""``, ``"numeric"`` (a numeric key), ``"pairs"`` (two of them), ``"several"`` (two keys),
        ``"category"`` (a key of categories), ``"confidential"`` (a confidential column),
        ``"weights"`` (sampling weights), ``"analyses"``,
        ``"population"`` (a table of it) or ``"delta"`` (distance targets).
    links : bool
        Whether it links records, and so needs the same gaps in both tables.
    knows : bool
        Whether it depends on what the intruder knows, and does not link.
    """

    name: str
    title: str
    bounds: tuple[float, float]
    reference: str
    target: str
    kind: str
    direction: str
    rowwise: bool = False
    needs: str = ""
    links: bool = False
    knows: bool = False

    @property
    def rises(self) -> bool:
        """Whether a higher value is the better one."""
        return self.direction in HIGHER

    def load(self) -> Callable[[Case], Finding]:
        """The function behind it."""
        module, function = self.target.split(":")
        found: Callable[[Case], Finding] = getattr(
            import_module(f"coterie.evaluation.{module}"), function
        )
        return found


_risk = partial(Measure, kind="risk", direction=SAFER_LOW)
_utility = partial(Measure, kind="utility", direction=USEFUL_LOW)
_tradeoff = partial(Measure, kind="trade-off", rowwise=True)
_attack = partial(_risk, bounds=PERCENT, knows=True)

ELEMAM = "El Emam (2010), IEEE Security & Privacy 8(3):64-67"
SAMARATI = "Samarati (2001), IEEE TKDE 13(6):1010-1027"
DIVERSITY = "Machanavajjhala et al. (2007), ACM TKDD 1(1)"
MATEO = "Mateo-Sanz, Domingo-Ferrer, Sebe (2005), DMKD 11:181-193"
QUANTITATIVE = "Domingo-Ferrer, Torra (2001), A quantitative comparison of disclosure control"
YANCEY = "Yancey, Winkler, Creecy (2002), LNCS 2316:135-152"
ANONYMETER = "Giomi, Boenisch, Wehmeyer, Tasnadi (2023), PoPETs 2023(2):312-328"
VLDB2006 = "Domingo-Ferrer et al. (2006), VLDB Journal 15:355-369"

MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        _risk(
            "achieved_k",
            "units in the smallest class of records equal on every key, gaps included",
            (1.0, math.inf),
            SAMARATI,
            "risk.classes:achieved_k",
            direction=SAFER_HIGH,
        ),
        _risk(
            "prosecutor",
            "highest chance of finding a person known to be in the table, percent",
            PERCENT,
            ELEMAM,
            "risk.classes:prosecutor",
        ),
        _risk(
            "journalist",
            "highest chance of finding a person of the population, percent",
            PERCENT,
            ELEMAM,
            "risk.classes:journalist",
        ),
        _risk(
            "marketer",
            "expected share of records found by linking everybody, percent",
            PERCENT,
            ELEMAM,
            "risk.classes:marketer",
        ),
        _risk(
            "dld",
            "records linked to themselves by distance, ties to the first, percent",
            PERCENT,
            f"{P3M}, Equation (7)",
            "risk.linkage:dld",
            rowwise=True,
            links=True,
        ),
        _risk(
            "dld_expected",
            "records linked to themselves by distance, ties at random, percent",
            PERCENT,
            f"{P3M}, Equation (7)",
            "risk.linkage:dld_expected",
            rowwise=True,
            links=True,
        ),
        _risk(
            "own_group",
            "records linked by distance to their own class, percent",
            PERCENT,
            f"{P3M}, Equation (7)",
            "risk.linkage:own_group",
            rowwise=True,
            links=True,
        ),
        _risk(
            "sdid",
            "values within sd standard deviations of the nearest released record's, percent",
            PERCENT,
            f"{P3M}, Equation (8)",
            "risk.interval:sdid",
            rowwise=True,
            links=True,
            needs="numeric",
        ),
        _risk(
            "sdid_own",
            "values within sd standard deviations of their own released value, percent",
            PERCENT,
            f"{P3M}, Equation (8) with the record's own row",
            "risk.interval:sdid_own",
            rowwise=True,
            needs="numeric",
        ),
        _risk(
            "rank_interval",
            "values within a window of ranks of the nearest released record's, percent",
            PERCENT,
            QUANTITATIVE,
            "risk.interval:rank_interval",
            rowwise=True,
            links=True,
            needs="numeric",
        ),
        _risk(
            "exact_share",
            "values of keys released unchanged, percent",
            PERCENT,
            "the released value equals the original one",
            "risk.interval:exact_share",
            rowwise=True,
        ),
        _risk(
            "offset_adversary",
            "values regained within sd by adding one constant per attribute, percent",
            PERCENT,
            "coterie; read it beside sdid and si",
            "risk.offset:offset_adversary",
            rowwise=True,
            needs="numeric",
        ),
        _risk(
            "distinct_l",
            "least number of different confidential values in a class",
            (1.0, math.inf),
            DIVERSITY,
            "risk.homogeneity:distinct_l",
            direction=SAFER_HIGH,
            needs="confidential",
        ),
        _risk(
            "entropy_l",
            "least exp(entropy) of the confidential values in a class",
            (1.0, math.inf),
            DIVERSITY,
            "risk.homogeneity:entropy_l",
            direction=SAFER_HIGH,
            needs="confidential",
        ),
        _risk(
            "t_closeness",
            "largest earth mover's distance of a class from the table, confidential values",
            (0.0, 1.0),
            "Li, Li, Venkatasubramanian (2007), ICDE:106-115",
            "risk.homogeneity:t_closeness",
            needs="confidential",
        ),
        _attack(
            "singling_out",
            "what the release adds to the success of predicates that hold for one person, percent",
            reference=f"Cohen, Nissim (2020), PNAS 117(15):8344-8352; {ANONYMETER}",
            target="attacks.singling_out:singling_out",
            knows=False,
        ),
        _attack(
            "linkability",
            "what the release adds to the chance that two halves of the keys meet in one record, "
            "percent",
            reference=ANONYMETER,
            target="attacks.linkability:linkability",
            knows=False,
            needs="several",
        ),
        _attack(
            "inference",
            "what the release adds to the chance of guessing a confidential value from the keys, "
            "percent",
            reference=ANONYMETER,
            target="attacks.inference:inference",
            needs="confidential",
        ),
        _risk(
            "partial_knowledge",
            "largest share of records linked by who knows one or two keys, percent",
            PERCENT,
            "coterie; linkage as in dld_expected, on every key and pair of keys",
            "risk.partial:partial_knowledge",
            rowwise=True,
        ),
        _risk(
            "population_risk",
            "mean modelled chance of a right link to a person of the population, percent",
            PERCENT,
            "Benedetti, Franconi (1998); Hundepool et al. (2012), section 3.3",
            "risk.population:population_risk",
            needs="weights",
        ),
        _risk(
            "k_map",
            "least number of people of the population who fit a released class",
            (0.0, math.inf),
            "Sweeney (2002), IJUFKS 10(5):557-570; a person fits the class nearest to her",
            "risk.k_map:k_map",
            direction=SAFER_HIGH,
            needs="population",
        ),
        _risk(
            "proximity_m",
            "(epsilon, m)-anonymity: largest m such that at most 1/m of a class is alike",
            (1.0, math.inf),
            "Li, Tao, Xiao (2008), SIGMOD:473-486",
            "risk.proximity:proximity_m",
            direction=SAFER_HIGH,
            needs="confidential",
        ),
        _risk(
            "dissimilarity",
            "(epsilon, delta)^k-dissimilarity: least share of a class that is not alike",
            (0.0, 1.0),
            "Wang, Meng, Bamba, Liu, Pu (2009), ICDE:1279-1282",
            "risk.proximity:dissimilarity",
            direction=SAFER_HIGH,
            needs="confidential",
        ),
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
            "standardised by the original: eigenvalues average 1",
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
}


def find(name: object) -> Measure:
    """The measure called `name`, or an error with the nearest one."""
    if isinstance(name, str) and name in MEASURES:
        return MEASURES[name]
    raise unknown_name("measure", name, MEASURES)


def measures() -> list[Measure]:
    """Every measure: name, one-line title, kind, direction in words, bounds and reference.

    Examples
    --------
    >>> from coterie.evaluation import measures
    >>> [m.name for m in measures() if m.kind == "trade-off"]
    ['dr', 'si', 'sl']
    """
    return list(MEASURES.values())
