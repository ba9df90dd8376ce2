"""The table of measures of risk, attacks among them."""

from __future__ import annotations

import math
from functools import partial

from coterie.evaluation.measure import P3M, PERCENT, SAFER_HIGH, SAFER_LOW, Measure

__all__ = ["RISKS"]

ELEMAM = "El Emam (2010), IEEE Security & Privacy 8(3):64-67"
SAMARATI = "Samarati (2001), IEEE TKDE 13(6):1010-1027"
DIVERSITY = "Machanavajjhala et al. (2007), ACM TKDD 1(1)"
QUANTITATIVE = "Domingo-Ferrer, Torra (2001), A quantitative comparison of disclosure control"
ANONYMETER = "Giomi, Boenisch, Wehmeyer, Tasnadi (2023), PoPETs 2023(2):312-328"

_risk = partial(Measure, kind="risk", direction=SAFER_LOW)
_attack = partial(_risk, bounds=PERCENT, knows=True)

RISKS: tuple[Measure, ...] = (
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
        "mean modeled chance of a right link to a person of the population, percent",
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
)
