"""Where formulas and constants of publications stand: the one list of them, room by room.

`where` is the file below src/coterie with the function, class or constant; a class counts with its
methods. `serves` names the methods and measures that are made of it. A test holds that each place
exists and that no method and no measure of the registries is left out, but for those that are ours.
"""

from __future__ import annotations

from typing import NamedTuple


class Formula(NamedTuple):
    """One place, who is made of it, and what the publication says there."""

    where: str
    serves: str
    says: str


VLDB = "Domingo-Ferrer et al. (2006)"
ICSM = "Mortazavi, Jalili (2015)"
P3M = "Mortazavi, Jalili (2017)"
ILSM = "Laszlo, Mukherjee (2015); Bierman (2020), chapter 3"
MHM = "npn-mhm md-mhm mdav-mhm cbfs-mhm tsp-mhm fdm"
GROUP_PATHS = "md-mhm mdav-mhm cbfs-mhm"
LOCAL = "ls lsc ilsm ilsmc"
OURS = {"optimize", "auto"}  # methods that no publication has
OWN_MEASURES = {"exact_share", "offset_adversary", "partial_knowledge", "changed", "eigenvalues"}

PARTITIONING = (
    Formula("kernels/constructive/mdav.py:rounds", "mdav mdav-mhm icsm", f"{VLDB}, 4.2.3: MDAV"),
    Formula("partitioning/constructive/mdav.py:mdav", "mdav", "rounds while 3k (2k) remain"),
    Formula("partitioning/constructive/leftovers.py:place", "mdav md cbfs", "the last records"),
    Formula("kernels/constructive/cbfs.py:center", "cbfs cbfs-mhm", "the centroid it is far from"),
    Formula("kernels/constructive/cbfs.py:rounds", "cbfs cbfs-mhm", "Laszlo, Mukherjee (2005)"),
    Formula("partitioning/constructive/cbfs.py:cbfs", "cbfs", "rounds while k (2k) remain"),
    Formula("kernels/constructive/vmdav.py:extend", "vmdav", "d_in < gamma d_out"),
    Formula("kernels/constructive/vmdav.py:rounds", "vmdav", "at most 2k-1 records"),
    Formula("partitioning/constructive/vmdav.py:VmdavOptions", "vmdav", "gamma"),
    Formula("partitioning/constructive/mst.py:mst", "mst", "parts of 2k or more are split"),
    Formula("kernels/constructive/gsms.py:apart", "gsms gsms-t2", "what the others are left with"),
    Formula("partitioning/constructive/tfrp.py:reference_points", "tfrp", "two fixed points"),
    Formula("partitioning/constructive/systematic.py:turns", "systematic", "every k-th record"),
    Formula("kernels/constructive/joining.py:cheapest", "systematic", "least added loss"),
    Formula("partitioning/constructive/mu_approx.py:chosen_edges", "mu-approx", "shortest edges"),
    Formula("partitioning/constructive/mu_approx.py:split", "mu-approx", "max(2k-1, 3k-5) at most"),
    Formula("partitioning/path/npn.py:farthest_from_mean", "npn-mhm", "where the path begins"),
    Formula("partitioning/path/npn.py:most_distant", "npn-mhm", "the two most distant"),
    Formula("partitioning/path/groups.py:order_groups", GROUP_PATHS, f"{VLDB}, 4.2.2, 4.2.3"),
    Formula("partitioning/path/groups.py:_one_by_one", GROUP_PATHS, "from record to record"),
    Formula("kernels/path/mhm.py:grow", f"{MHM} exact", "Hansen, Mukherjee (2003): SSE of windows"),
    Formula("kernels/path/mhm.py:step_path", f"{MHM} exact", "shortest path over k..2k-1"),
    Formula("partitioning/path/mhm.py:cut_tours", "tsp-mhm fdm", "the best rotation"),
    Formula("partitioning/exact/optimum.py:_optimum", "exact", "one attribute: sorted and cut"),
    Formula("partitioning/exact/optimum.py:_over_subsets", "exact", "sizes k..2k-1"),
    Formula("kernels/search/moves.py:shift_change", LOCAL, f"{ILSM}: change of a shift"),
    Formula("kernels/search/moves.py:swap_change", LOCAL, f"{ILSM}: change of a swap"),
    Formula("kernels/search/moves.py:spared", f"{LOCAL} icsm", f"{ILSM}: what a swap spares"),
    Formula("kernels/search/moves.py:replaced", "icsm", f"{ICSM}, R1"),
    Formula("kernels/search/moves.py:may_swap", LOCAL, f"{ILSM}: quick test of a swap"),
    Formula("kernels/search/moves.py:may_shift", LOCAL, f"{ILSM}: quick test of a shift"),
    Formula("kernels/search/visits.py:next_swap", LOCAL, "swaps that gain"),
    Formula("kernels/search/visits.py:next_shift", LOCAL, "shifts that gain"),
    Formula("kernels/search/perturb.py:choose", "ilsm ilsmc", "bDissolve: largest SSE of 5"),
    Formula("kernels/search/perturb.py:excess", "ilsm ilsmc", "beyond the k nearest"),
    Formula("kernels/search/accept.py:accept", "ilsm ilsmc", "exp(-loss / (T best)), or 0.8"),
    Formula("partitioning/search/iterated.py:_acceptance", "ilsm ilsmc", "0.8; T = 0.00001"),
    Formula("partitioning/search/iterated.py:_samples", "ilsm ilsmc", "a sampling rate of 5"),
    Formula("partitioning/search/start.py:group_counts", LOCAL, "the top quintile of counts"),
    Formula("partitioning/search/stop.py:ITERATIONS", "ilsm ilsmc", "5000 iterations"),
    Formula("partitioning/search/stop.py:Stop", "ilsm ilsmc", "when a search ends"),
    Formula("partitioning/search/icsm.py:SHAKEN", "icsm", f"{ICSM}, 5.3: 20 records"),
    Formula("partitioning/search/icsm.py:IcsmOptions", "icsm", f"{ICSM}, Algorithm 3: pool of 100"),
    Formula("partitioning/search/icsm.py:exchange", "icsm", f"{ICSM}, Algorithm 3"),
    Formula("partitioning/search/icsm.py:cycle", "icsm", f"{ICSM}, Algorithm 4"),
    Formula("partitioning/search/icsm.py:score", "icsm", f"{ICSM}, Equation (7)"),
    Formula("kernels/search/exchange.py:step", "icsm", f"{ICSM}, R1 and Algorithm 3"),
    Formula("kernels/search/cycles.py:relax", "icsm", f"{ICSM}, Algorithm 5"),
    Formula("kernels/search/cycles.py:close", "icsm", f"{ICSM}, weights of the edges back"),
    Formula("kernels/search/cycles.py:step", "icsm", f"{ICSM}, weights of the edges"),
)
CENTROIDS = (
    Formula("centroids/mean.py:group_means", "mean", "the mean of each group"),
    Formula("centroids/mean.py:_widened", "mean", f"{P3M}, Equations (5) and (6)"),
    Formula("centroids/median.py:group_middles", "median", "the middle value"),
    Formula("centroids/mode.py:group_modes", "mode", "the most frequent value"),
    Formula("centroids/p3m/release.py:p3m", "p3m", f"{P3M}, section 5.1: 0.1, 0.001, 0.5"),
    Formula("centroids/p3m/standard.py:StandardAttribute", "p3m", f"{P3M}, section 5.1: delta |x|"),
    Formula("kernels/centroids/quartics.py:add_quartic", "p3m", f"{P3M}, Equation (14)"),
    Formula("kernels/centroids/quartics.py:value", "p3m", "the cost of a released value"),
    Formula("kernels/centroids/quartics.py:slope", "p3m", "its derivative"),
    Formula("kernels/centroids/quartics.py:bend", "p3m", "its second derivative"),
    Formula("kernels/centroids/p3m.py:moments", "p3m", f"{P3M}, Equations (15) and (16)"),
    Formula("kernels/centroids/p3m.py:rescale", "p3m", "mean 0 and variance 1"),
)
EVALUATION = (
    Formula("evaluation/risk/classes.py:achieved_k", "achieved_k", "Samarati (2001)"),
    Formula("evaluation/risk/classes.py:prosecutor", "prosecutor", "El Emam (2010)"),
    Formula("evaluation/risk/classes.py:journalist", "journalist", "El Emam (2010)"),
    Formula("evaluation/risk/classes.py:marketer", "marketer", "El Emam (2010)"),
    Formula("evaluation/risk/classes.py:_highest", "prosecutor journalist", "1 / smallest class"),
    Formula("evaluation/risk/linkage.py:dld", "dld", f"{P3M}, Equation (7)"),
    Formula("evaluation/risk/linkage.py:dld_expected", "dld_expected", "ties at random"),
    Formula("evaluation/risk/linkage.py:own_group", "own_group", "the own group is found"),
    Formula("evaluation/risk/linkage.py:_shares", "dld dld_expected own_group", "shares"),
    Formula("evaluation/risk/interval.py:sdid", "sdid", f"{P3M}, Equation (8)"),
    Formula("evaluation/risk/interval.py:sdid_own", "sdid_own", "with the record's own row"),
    Formula("evaluation/risk/interval.py:rank_interval", "rank_interval", "a window of ranks"),
    Formula("evaluation/risk/interval.py:by_cell", "sdid sdid_own rank_interval sl", "shares"),
    Formula("evaluation/risk/homogeneity.py:distinct_l", "distinct_l", "Machanavajjhala (2007)"),
    Formula("evaluation/risk/homogeneity.py:entropy_l", "entropy_l", "Machanavajjhala (2007)"),
    Formula("evaluation/risk/homogeneity.py:t_closeness", "t_closeness", "Li et al. (2007)"),
    Formula("evaluation/attacks/trial.py:Rate", "singling_out linkability inference",
            "Giomi et al. (2023): (attack - control) / (1 - control)"),
    Formula("evaluation/risk/population.py:population_risk", "population_risk", "E(1/F | f)"),
    Formula("evaluation/risk/population.py:individual_risk", "population_risk", "2F1"),
    Formula("evaluation/risk/population.py:_sampled", "population_risk", "p = f / sum of weights"),
    Formula("evaluation/risk/k_map.py:people", "k_map", "Sweeney (2002)"),
    Formula("evaluation/risk/proximity.py:proximity_m", "proximity_m", "Li, Tao, Xiao (2008)"),
    Formula("evaluation/risk/proximity.py:dissimilarity", "dissimilarity", "Wang et al. (2009)"),
    Formula("evaluation/risk/proximity.py:_alike", "proximity_m dissimilarity", "within epsilon"),
    Formula("evaluation/risk/proximity.py:within", "proximity_m dissimilarity", "within epsilon"),
    Formula("evaluation/utility/loss.py:il", "il", "100 SSE / SST; see coterie.space.loss"),
    Formula("evaluation/utility/loss.py:il1s", "il1s", "|x - x'| / (sqrt(2) sigma)"),
    Formula("evaluation/utility/moments.py:means", "means", "in standard deviations"),
    Formula("evaluation/utility/moments.py:variances", "variances", "relative"),
    Formula("evaluation/utility/moments.py:correlations", "correlations", "pairs of keys"),
    Formula("evaluation/utility/moments.py:covariance", "pil", "with divisor n"),
    Formula("evaluation/utility/moments.py:correlation", "correlations pil", "Pearson"),
    Formula("evaluation/utility/probabilistic.py:QUANTILES", "pil", "5 % to 95 %"),
    Formula("evaluation/utility/probabilistic.py:pil", "pil", f"{P3M}, Equation (11)"),
    Formula("evaluation/utility/probabilistic.py:_alone", "pil", "of one attribute"),
    Formula("evaluation/utility/probabilistic.py:loss", "pil", f"{P3M}, Equation (10)"),
    Formula("evaluation/utility/probabilistic.py:_quantiles", "pil", "q (1 - q) / (n f(Q)^2)"),
    Formula("evaluation/utility/probabilistic.py:_density", "pil", "1.06 min(sd, IQR / 1.34)"),
    Formula("evaluation/utility/probabilistic.py:_pairs", "pil", "Kendall, Stuart, 10.9"),
    Formula("evaluation/utility/distribution.py:ks", "ks", "Kolmogorov, Smirnov"),
    Formula("evaluation/utility/distribution.py:pmse", "pmse", "Woo et al. (2009)"),
    Formula("evaluation/utility/analyses.py:overlap", "analyses", "Karr et al. (2006)"),
    Formula("evaluation/tradeoff.py:dr", "dr", f"{P3M}, section 2.3"),
    Formula("evaluation/tradeoff.py:si", "si", f"{P3M}, Equation (12)"),
    Formula("evaluation/tradeoff.py:sl", "sl", f"{P3M}, Equation (13)"),
)  # fmt: skip
# Steps of published algorithms without a formula or a constant of their own: who is next, what is
# linked to what. Oracles hold them; they are counted with all other changes.
STEPS = (
    Formula("evaluation/attacks/singling_out.py:singling_out", "singling_out", "section 4.1"),
    Formula("evaluation/attacks/linkability.py:linkability", "linkability", "section 4.2"),
    Formula("evaluation/attacks/inference.py:inference", "inference", "section 4.3"),
    Formula("kernels/constructive/md.py:rounds", "md md-mhm", f"{VLDB}, 4.2.2: two most distant"),
    Formula("kernels/constructive/md.py:gather", "md md-mhm", "a group of k round each of them"),
    Formula("kernels/constructive/vmdav.py:begin", "vmdav", "a group of k round the farthest"),
    Formula("kernels/constructive/mst.py:step_tree", "mst", "Prim's tree"),
    Formula("kernels/constructive/mst.py:step_cuts", "mst", "cut where both sides keep k"),
    Formula("kernels/constructive/gsms.py:candidate", "gsms gsms-t2", "a record and its nearest"),
    Formula("kernels/constructive/gsms.py:step", "gsms gsms-t2", "the least SSE of both"),
    Formula("kernels/constructive/tfrp.py:rounds", "tfrp", "Chang, Li, Huang (2007), phase 1"),
    Formula("kernels/constructive/tfrp.py:dissolve", "tfrp gsms-t2", "phase 2: who is dissolved"),
    Formula("kernels/constructive/tfrp.py:step_refining", "tfrp gsms-t2", "by rising SSE"),
    Formula("kernels/constructive/systematic.py:step", "systematic", "Kabir, Wang (2011), Table I"),
    Formula("kernels/constructive/trees.py:cut", "mu-approx", "trees of at least k"),
    Formula("kernels/path/npn.py:rounds", "npn-mhm", f"{VLDB}, 4.2.1: nearest point next"),
    Formula("kernels/path/mhm.py:rotate", "tsp-mhm fdm icsm", f"{ICSM}, Algorithm 2: a tour"),
    Formula("kernels/search/perturb.py:dissolve", "ilsm ilsmc", "Dissolve"),
    Formula("kernels/search/perturb.py:nearest_centroid", "ilsm ilsmc", "to the nearest centroid"),
    Formula("kernels/search/perturb.py:distill", "ilsm ilsmc", "Distill"),
    Formula("kernels/search/perturb.py:scatter", LOCAL, "random partition"),
    Formula("kernels/search/perturb.py:exchange_some", "icsm", f"{ICSM}, 5.3: perturbed copies"),
    Formula("kernels/search/iterated.py:step", "ilsm ilsmc", "ILSM: perturb, descend, accept"),
)
PUBLISHED = {"partitioning": PARTITIONING, "centroids": CENTROIDS, "evaluation": EVALUATION}
