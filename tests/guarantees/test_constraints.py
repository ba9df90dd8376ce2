"""Predicates against their oracles, and repaired partitions that must be admissible."""

from __future__ import annotations

import numpy as np
import pytest

import coterie
from coterie.guarantees import disclosure
from coterie.guarantees.constraints import Constraints
from coterie.guarantees.diversity import Diversity
from coterie.guarantees.dominance import Dominance
from coterie.guarantees.repair import RepairRecord
from coterie.numbers.renumber import renumber
from coterie.partitioning.constrained import search as admissible
from coterie.partitioning.constrained import walks
from tests import naive_constraints as naive


def random_table(rng, most=40):
    """Points, labels, units, two attributes and two amounts of a small table with many ties."""
    n = int(rng.integers(6, most))
    return {
        "X": rng.normal(size=(n, int(rng.integers(1, 4)))).round(1),
        "labels": renumber(rng.integers(0, max(1, n // 3), n)),
        "units": rng.integers(0, max(2, int(n * rng.choice([0.4, 0.8]))), n),
        "word": rng.choice(5, n, p=[0.4, 0.3, 0.15, 0.1, 0.05]),
        "number": rng.integers(0, 12, n).astype(float),
        "amount": np.exp(rng.normal(0, 1.5, n)).round(2) * rng.choice([-1, 0, 1, 1], n),
        "size": rng.integers(1, 9, n).astype(float),
    }


def random_constraints(rng, table):
    """Constraints that the table as a whole can keep, in both forms."""
    n = len(table["X"])
    whole = np.zeros(n, dtype=np.int64)
    units = table["units"] if rng.random() < 0.5 else None
    diversity, dominance = [], []
    for name, ordered in (("word", False), ("number", True)):
        values = table[name]
        limits = {}
        if rng.random() < 0.4:
            limits["min_distinct"] = int(rng.integers(1, len(np.unique(values)) + 1))
        if rng.random() < 0.4:
            share = float(disclosure.largest_share(whole, values)[0])
            limits["max_share"] = share + (1 - share) * rng.random()
        if rng.random() < 0.3:
            top = float(disclosure.effective_values(whole, values)[0])
            limits["entropy_l"] = 1 + (top - 1) * rng.random()
        if rng.random() < 0.4:
            limits["t_closeness"] = float(rng.uniform(0.05, 0.6))
        more = rng.random(4)
        share = float(disclosure.largest_share(whole, values)[0])
        if more[0] < 0.2:
            limits["alpha_k"] = share + (1 - share) * rng.random() * 0.9
        elif more[0] < 0.4:
            limits["alpha_k"] = dict.fromkeys(np.unique(values)[-2:].tolist(), 0.6)
        if more[1] < 0.3:
            least = int(rng.integers(2, 4))
            ratio = float(disclosure.recursive_ratio(whole, values, least)[0])
            limits["recursive_cl"] = (ratio * rng.uniform(1.1, 3.0), least)
        if more[2] < 0.3:
            limits["beta_likeness"] = float(rng.uniform(0.5, 3.0))
        if more[3] < 0.15:
            limits["delta_disclosure"] = float(rng.uniform(1.0, 3.0))
        if limits:
            diversity.append({"values": values, "ordered": ordered, **limits})
    for name in ("amount", "size"):
        limits = {}
        rest = float(disclosure.remainder_percent(whole, units, table[name])[0])
        if rng.random() < 0.4 and rest > 0:
            limits["p_percent"] = min(rest, 80.0) * rng.uniform(0.1, 1)
        count = int(rng.integers(1, 4))
        top = float(disclosure.top_percent(whole, units, table[name], count)[0])
        if rng.random() < 0.3 and top < 99:
            limits["dominance"] = (count, rng.uniform(max(top, 1), 99.9))
        if limits:
            dominance.append({"amounts": table[name], **limits})
    return units, diversity, dominance


def made(units, diversity, dominance, **more):
    return Constraints(
        units,
        diversity=tuple(Diversity.of(str(i), **d) for i, d in enumerate(diversity)),
        dominance=tuple(
            Dominance(str(i), **{**d, "amounts": np.asarray(d["amounts"])})
            for i, d in enumerate(dominance)
        ),
        **more,
    )


@pytest.mark.parametrize("seed", range(20))
def test_statistics_agree_with_the_oracles(seed):
    table = random_table(np.random.default_rng(seed))
    labels, groups = table["labels"], naive.classes(table["labels"].tolist())
    n = len(labels)

    def agree(found, oracle):
        assert found == pytest.approx([oracle(groups[g]) for g in range(len(groups))])

    word, number = table["word"].tolist(), table["number"].tolist()
    agree(disclosure.distinct_values(labels, table["word"]), lambda m: len({word[i] for i in m}))
    agree(disclosure.largest_share(labels, table["word"]), lambda m: naive.largest_share(m, word))
    agree(
        disclosure.effective_values(labels, table["word"]),
        lambda m: naive.effective_values(m, word),
    )
    agree(disclosure.equal_distance(labels, table["word"]), lambda m: naive.equal_distance(m, word))
    agree(
        disclosure.ordered_distance(labels, table["number"]),
        lambda m: naive.ordered_distance(m, number),
    )
    for units in (None, table["units"]):
        owners = list(range(n)) if units is None else units.tolist()
        amounts = table["amount"].tolist()
        percent = disclosure.remainder_percent(labels, units, table["amount"])
        for g, members in groups.items():
            if abs(percent[g] - 10) > 1e-6:
                passes = naive.passes_p_percent(members, owners, amounts, 10)
                assert passes == (percent[g] >= 10)
            parts = naive.contributions(members, owners, amounts)
            if sum(parts):
                share = 100 * sum(parts[:2]) / sum(parts)
                top = disclosure.top_percent(labels, units, table["amount"], 2)[g]
                assert top == pytest.approx(share)


@pytest.mark.nojit
@pytest.mark.parametrize("seed", range(60))
def test_kernel_findings_and_oracle_say_the_same_of_any_groups(seed):
    from tests.kernels.entries import shortfall

    rng = np.random.default_rng([1, seed])
    table = random_table(rng)
    units, diversity, dominance = random_constraints(rng, table)
    constraints = made(units, diversity, dominance)
    labels, n = table["labels"], len(table["X"])
    rules = constraints.rules(n, 2)
    misses = sum(
        shortfall(rules, np.flatnonzero(labels == g), int((labels == g).sum())) > 0
        for g in np.unique(labels)
    )
    wanted = naive.admissible(labels.tolist(), 2, units, False, diversity, dominance)
    assert (misses == 0) == wanted
    sizes = np.bincount(labels)
    found = [one for one in constraints.findings(labels, 2) if one.failing]
    assert (not found and (units is not None or sizes.min() >= 2)) == wanted


def check_repair(seed, method="mdav"):
    rng = np.random.default_rng([2, seed])
    table = random_table(rng)
    units, diversity, dominance = random_constraints(rng, table)
    k = int(rng.integers(2, 5))
    n = len(table["X"])
    if (n if units is None else len(np.unique(units))) < k:
        return None
    together = units is not None and bool(rng.random() < 0.4)
    constraints = made(units, diversity, dominance, together=together)
    if not constraints:
        return None
    p = coterie.partition(table["X"], k, method, random_state=0, constraints=constraints)
    assert p.sizes.sum() == n
    assert p.sizes.min() >= k
    assert naive.admissible(p.labels.tolist(), k, units, together, diversity, dominance)
    assert isinstance(p.repair, RepairRecord)
    if p.repair.plain_sse is not None:
        plain = coterie.partition(table["X"], k, method)
        assert p.repair.plain_sse == pytest.approx(plain.sse)
        assert p.repair.plain_groups == len(plain.sizes)
    return p


def test_repaired_partitions_are_admissible():
    repaired = [check_repair(seed) for seed in range(20)]
    starts = {p.repair.start for p in repaired if p is not None}
    assert starts >= {"given", "repaired", "grown"}


@pytest.mark.slow
@pytest.mark.parametrize("first", range(20, 5020, 250))
def test_thousands_of_repaired_partitions_are_admissible(first):
    for seed in range(first, first + 250):
        check_repair(seed)


def test_the_same_seed_gives_the_same_groups():
    rng = np.random.default_rng(0)
    X, units = rng.normal(size=(120, 3)), rng.integers(0, 30, 120)
    a, b = (
        coterie.partition(X, 3, random_state=4, constraints=Constraints(units)) for _ in range(2)
    )
    assert np.array_equal(a.labels, b.labels)


def test_a_search_wins_back_loss_and_stays_admissible():
    rng = np.random.default_rng(3)
    units = np.repeat(np.arange(40), 5)
    X = rng.normal(size=(40, 3))[units] + 0.1 * rng.normal(size=(200, 3))
    constraints = Constraints(units)
    short = coterie.partition(X, 3, "ls", iterations=1, random_state=0, constraints=constraints)
    longer = coterie.partition(X, 3, "ls", iterations=2000, random_state=0, constraints=constraints)
    assert longer.sse < short.sse
    assert longer.repair.accepted > 0
    assert disclosure.distinct_values(longer.labels, units).min() >= 3


def test_growing_beats_merging_where_a_unit_has_many_records():
    """Mending starts from groups of one unit each; its cost is at least not above plain merging."""
    units = np.repeat(np.arange(12), 6)
    rng = np.random.default_rng(5)
    X = rng.normal(size=(12, 2))[units] + 0.01 * rng.normal(size=(72, 2))
    p = coterie.partition(X, 3, constraints=Constraints(units))
    assert p.repair.violated == {"unit": 24}
    # All records of three units together, whatever the triples: what merging alone leads to.
    merged = coterie.partition(X, 3, constraints=Constraints(units, together=True))
    assert p.sse <= merged.sse * (1 + 1e-9)


@pytest.mark.nojit
def test_units_that_stay_together():
    rng = np.random.default_rng(1)
    units = rng.integers(0, 25, 80)
    X = rng.normal(size=(80, 2))
    p = coterie.partition(X, 3, constraints=Constraints(units, together=True))
    assert all(len(set(p.labels[units == u])) == 1 for u in np.unique(units))
    assert disclosure.distinct_values(p.labels, units).min() >= 3
    assert p.repair.plain_sse is None


def test_refusing_names_every_rule_that_is_missed():
    X = np.arange(12.0)[:, None]
    units = np.repeat(np.arange(4), 3)
    word = Diversity.of("word", ["a"] * 6 + ["b"] * 6, False, min_distinct=2)
    constraints = Constraints(units, diversity=(word,), on_violation="refuse")
    with pytest.raises(coterie.DataError, match=r"unit = 3.*min_distinct = 2 on 'word'"):
        coterie.partition(X, 3, constraints=constraints)
    fine = Constraints(np.tile(np.arange(4), 3), on_violation="refuse")
    assert coterie.partition(X, 3, constraints=fine).repair.start == "given"


def spanning():
    """Records whose MDAV groups hold three units each; one group spans the two clusters."""
    rng = np.random.default_rng(0)
    X = np.concatenate((rng.normal(0, 0.01, (13, 2)), rng.normal(9, 0.01, (14, 2))))
    return X, np.append(np.arange(26), 0)  # the first and the last record are of one unit


def test_groups_that_are_admissible_from_the_start_are_searched_too(monkeypatch):
    X, units = spanning()
    plain = coterie.partition(X, 3)
    assert disclosure.distinct_values(plain.labels, units).min() >= 3
    p = coterie.partition(X, 3, random_state=0, constraints=Constraints(units))
    assert (p.repair.start, p.repair.violated) == ("given", {})
    assert p.repair.plain_sse == pytest.approx(plain.sse)
    assert p.repair.iterations > 0
    assert disclosure.distinct_values(p.labels, units).min() >= 3
    assert p.sse < 0.01 * plain.sse
    monkeypatch.setattr(admissible, "SPARE", 0.0)  # where that is dear the method's groups stay
    dear = coterie.partition(X, 3, random_state=0, constraints=Constraints(units))
    assert np.array_equal(dear.labels, plain.labels)
    assert dear.repair.iterations == 0
    limited = coterie.partition(X, 3, "ls", iterations=50, constraints=Constraints(units))
    assert limited.repair.iterations > 0


def test_a_methods_own_groups_stay_where_nothing_more_is_asked_or_nothing_can_be_won():
    X, units = spanning()
    plain = coterie.partition(X, 3)
    for constraints in (Constraints(units, on_violation="refuse"), Constraints(np.arange(27))):
        p = coterie.partition(X, 3, constraints=constraints)
        assert np.array_equal(p.labels, plain.labels)
        assert p.repair.iterations == 0
    line = X[:, :1]
    best = coterie.partition(line, 3, "exact")
    assert disclosure.distinct_values(best.labels, units).min() >= 3
    p = coterie.partition(line, 3, "exact", constraints=Constraints(units))
    assert np.array_equal(p.labels, best.labels)
    assert (p.gap, p.repair.iterations) == (0.0, 0)


def test_annealing_never_ends_above_what_it_began_with(monkeypatch):
    fallen = 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X, constraints = rng.normal(size=(90, 2)), Constraints(rng.integers(0, 30, 90))
        warm = coterie.partition(X, 3, random_state=seed, constraints=constraints)
        with monkeypatch.context() as patch:
            patch.setattr(admissible, "WARM", 0.0)
            cold = coterie.partition(X, 3, random_state=seed, constraints=constraints)
        assert warm.repair.iterations > cold.repair.iterations
        assert warm.sse <= cold.sse * (1 + 1e-9)
        fallen += warm.sse < cold.sse * (1 - 1e-9)
    assert fallen


def test_walks_lower_what_pools_alone_lead_to(monkeypatch):
    """The same draws come before those of rings, regions, other groups: nothing can end higher."""
    fallen = [0, 0, 0]
    for method, k, n, d, people, seed in (
        ("mdav", 6, 90, 2, 60, 0),
        ("mst", 5, 120, 2, 80, 4),
        ("mst", 6, 100, 3, 80, 6),
        ("mst", 6, 100, 3, 80, 7),
    ):
        rng = np.random.default_rng(seed)
        X, units = rng.integers(-50, 50, (n, d)) * 1.0, rng.integers(0, people, n)
        found = []
        for stage in range(4):
            with monkeypatch.context() as patched:
                patched.setattr(walks, "HOT", walks.HOT if stage > 0 else ())
                patched.setattr(walks, "REGIONS", walks.REGIONS if stage > 1 else ())
                patched.setattr(admissible, "LAST", admissible.LAST if stage > 2 else 0.0)
                asked = Constraints(units)
                p = coterie.partition(X, k, method, random_state=seed, constraints=asked)
            assert disclosure.distinct_values(p.labels, units).min() >= k
            found.append(p.sse)
        for turn in range(3):
            assert found[turn + 1] <= found[turn] * (1 + 1e-9)
            fallen[turn] += found[turn + 1] < found[turn] * (1 - 1e-9)
    assert min(fallen) > 0


def test_the_impossible_is_told_before_any_work():
    X = np.arange(12.0)[:, None]
    word = Diversity.of("word", ["a"] * 9 + ["b"] * 3, False, min_distinct=3, max_share=0.5)
    with pytest.raises(coterie.DataError, match=r"min_distinct = 3.*worst 2.*max_share = 0.5"):
        coterie.partition(X, 3, constraints=Constraints(diversity=(word,)))
    with pytest.raises(coterie.DataError, match="unit = 3: worst 2"):
        coterie.partition(X, 3, constraints=Constraints(np.arange(12) // 6))
    with pytest.raises(coterie.ParameterError, match="12 records"):
        coterie.partition(X, 3, constraints=Constraints(np.arange(11)))


def test_a_time_limit_and_ctrl_c_leave_an_admissible_partition(clock):
    clock.tick = 0.01
    rng = np.random.default_rng(2)
    X, units = rng.normal(size=(400, 3)), rng.integers(0, 80, 400)
    constraints = Constraints(units)
    p = coterie.partition(X, 3, "ilsmc", time_limit=0.2, random_state=0, constraints=constraints)
    assert disclosure.distinct_values(p.labels, units).min() >= 3
    seen = []

    def interrupt(progress):
        seen.append(progress.phase)
        if progress.phase == "admissible regrouping":
            raise KeyboardInterrupt

    p = coterie.partition(X, 3, random_state=0, constraints=constraints, callback=interrupt)
    assert p.interrupted
    assert disclosure.distinct_values(p.labels, units).min() >= 3
    assert "admissible descent" in seen


def test_ctrl_c_among_rings_leaves_what_was_found_before_them():
    rng = np.random.default_rng(2)
    X, units = rng.normal(size=(60, 2)), rng.integers(0, 20, 60)

    def interrupt(progress):
        if progress.phase == "admissible rings":
            raise KeyboardInterrupt

    options = {"random_state": 0, "constraints": Constraints(units)}
    p = coterie.partition(X, 3, callback=interrupt, **options)
    assert p.interrupted
    assert disclosure.distinct_values(p.labels, units).min() >= 3
    assert p.sse >= coterie.partition(X, 3, **options).sse * (1 - 1e-9)


def test_ctrl_c_between_two_phases_leaves_what_was_found(monkeypatch):
    from coterie.partitioning.constrained import walks

    rng = np.random.default_rng(2)
    X, units = rng.normal(size=(60, 2)), rng.integers(0, 20, 60)

    def interrupted(*_):
        raise KeyboardInterrupt

    options = {"random_state": 0, "constraints": Constraints(units)}
    whole = coterie.partition(X, 3, **options)
    for name in ("nearest_neighbors", "crossed"):  # before the walks, and after the first
        with monkeypatch.context() as patched:
            patched.setattr(walks, name, interrupted)
            p = coterie.partition(X, 3, **options)
        assert p.interrupted
        assert disclosure.distinct_values(p.labels, units).min() >= 3
        assert p.sse >= whole.sse * (1 - 1e-9)


@pytest.mark.parametrize("method", ["mdav", "md", "mdav-mhm"])
def test_no_group_spans_two_clusters_that_hold_units_enough(method):
    """Its near groups lie in one of them: neither swaps nor pools take such a group apart."""
    rng = np.random.default_rng(11)
    for _ in range(4):
        town = rng.integers(0, 3, 200)
        X = (np.array([0.0, 3.0, 13.0])[town] + rng.integers(-5, 6, 200) * 1e-6)[:, None]
        asked = Constraints(units=rng.integers(0, 60, 200))
        p = coterie.partition(X, 5, method, random_state=0, constraints=asked)
        assert p.repair.start in ("repaired", "grown")
        assert disclosure.distinct_values(p.labels, town).max() == 1


def test_cheap_tables_are_searched_longer_by_work_that_is_counted(monkeypatch):
    rng = np.random.default_rng(5)
    X, units = rng.normal(size=(200, 2)), rng.integers(0, 40, 200)
    asked = Constraints(units=units)
    monkeypatch.setattr(admissible, "WARM", 0.0)
    longer = coterie.partition(X, 4, "mdav", random_state=0, constraints=asked)
    monkeypatch.setattr(admissible, "SPARE", 0.0)
    shorter = coterie.partition(X, 4, "mdav", random_state=0, constraints=asked)
    assert shorter.repair.iterations == 1000
    assert longer.repair.iterations > 2000
    assert longer.sse < shorter.sse


def test_strata_share_the_effort_of_a_table():
    constraints = Constraints(np.arange(40) // 2)
    assert constraints.effort == 1.0
    half = constraints.part(np.arange(20))
    assert (half.effort, half.part(np.arange(5)).effort) == (0.5, 0.125)
    rng = np.random.default_rng(4)
    X, units = rng.normal(size=(90, 2)), rng.integers(0, 30, 90)
    tried = [
        coterie.partition(X, 3, constraints=Constraints(units, effort=effort)).repair.iterations
        for effort in (1.0, 1e-6)  # one of a million strata is not annealed
    ]
    assert tried[0] > 3 * tried[1] > 0
