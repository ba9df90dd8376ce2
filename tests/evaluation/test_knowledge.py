"""Partial knowledge, risk by record and for the population, proximity: against plain versions."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

import coterie
from coterie.errors import ParameterError
from coterie.evaluation import by_record
from coterie.evaluation.risk.population import individual_risk
from tests import naive_measures as naive
from tests.evaluation.grouped import KEYS, released


def table(rng, n=80):
    frame = pd.DataFrame(np.round(rng.normal(size=(n, 3)), 1), columns=KEYS)
    frame["amount"] = np.round(rng.normal(size=n), 2)
    frame["word"] = rng.choice(["u", "v", "w"], n)
    return frame


def test_partial_knowledge_follows_its_definition(rng):
    frame = table(rng)
    release = released(frame)
    score = coterie.evaluate(
        frame, release, KEYS, aligned=True, measures=["partial_knowledge", "achieved_k"]
    )["partial_knowledge"]
    x, y = naive.standardize(frame[KEYS].to_numpy(), release[KEYS].to_numpy())
    k = min(len(c) for c in naive.classes(y))
    expected = {}
    for names in [*((n,) for n in KEYS), *itertools.combinations(KEYS, 2)]:
        at = [KEYS.index(name) for name in names]
        known = [[row[t] for t in at] for row in frame[KEYS].to_numpy()]
        small = sum(known.count(row) < k for row in known)
        places = [naive.place_of([row[t] for t in at], y[:, at]) for row in x]
        linked = sum((i in p) / len(p) for i, p in enumerate(places))
        classes = naive.classes(release[KEYS].to_numpy()[:, at].tolist())
        expected[names] = (100 * small / 80, min(map(len, classes)), 100 * linked / 80)
    found = {one.names: (one.exposed, one.smallest, one.linked) for one in score.sets}
    assert list(found) == list(expected)
    for names, figures in expected.items():
        assert found[names] == pytest.approx(figures)
    worst = max(expected, key=lambda names: expected[names][2])
    assert score.value == pytest.approx(expected[worst][2])
    assert " and ".join(worst) in score.note
    assert set(score.by_column) == set(KEYS)


def test_many_keys_are_cut_and_told(rng):
    x = rng.normal(size=(30, 20))
    score = coterie.evaluate(x, x, aligned=True, measures=["partial_knowledge"])
    assert "the first 120 of 210 keys and pairs" in score["partial_knowledge"].note
    assert score["partial_knowledge"].value == 100.0


def test_individual_risk_is_the_mean_of_one_over_the_population():
    for f, p in itertools.product((1, 2, 3, 7), (0.02, 0.3, 0.9, 1.0)):
        got = individual_risk(np.array([f]), np.array([p]))[0]
        assert got == pytest.approx(naive.individual_risk(f, p), rel=1e-9), (f, p)
    # As the handbook prints it for unique records.
    assert individual_risk(np.array([1]), np.array([0.1]))[0] == pytest.approx(
        0.1 / 0.9 * np.log(10)
    )


def test_population_risk_by_hand(rng):
    frame = pd.DataFrame({"x": [1.0, 2.0, 5.0, 5.0], "w": [10.0, 1.0, 4.0, 6.0]})
    release = frame.assign(x=[1.5, 1.5, 5.0, 5.0])
    found = coterie.evaluate(
        frame, release, ["x"], aligned=True, sample_weight="w", measures=["population_risk"]
    )["population_risk"]
    risks = [naive.individual_risk(2, 2 / 11), naive.individual_risk(2, 2 / 10)]
    assert found.value == pytest.approx(100 * sum(risks) / 2)
    assert found.by_record == pytest.approx(100 * np.repeat(risks, 2))
    assert found.parts["highest"] == pytest.approx(100 * max(risks))
    assert found.parts["expected_links"] == pytest.approx(2 * sum(risks))
    assert found.parts["sample_risk"] == pytest.approx(50.0)
    assert found.parts["original_sample_uniques"] == 2.0
    assert found.parts["original_population_uniques"] == pytest.approx(1 / 10 + 1.0)
    units = coterie.evaluate(
        frame, release, ["x"], aligned=True, sample_weight="w", unit=[1, 1, 2, 2]
    )["population_risk"]
    assert units.parts["sample_risk"] == pytest.approx(100.0)
    assert units.parts["original_population_uniques"] == pytest.approx(1 / 10 + 1.0 + 1 / 5)
    # Weights below 1: nobody stands for less than herself.
    few = coterie.evaluate(
        frame, release, ["x"], aligned=True, sample_weight=[0.5] * 4, measures=["population_risk"]
    )["population_risk"]
    assert few.value == pytest.approx(50.0)
    assert few.parts["original_population_uniques"] == 2.0
    without = coterie.evaluate(frame, release, ["x"], measures=["population_risk"])
    assert "sampling weights, and none were given" in without.refused["population_risk"]


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 1.0])
def test_proximity_follows_its_definitions(rng, epsilon):
    frame = table(rng)
    frame.loc[::9, "amount"] = np.nan
    release = released(frame)
    found = coterie.evaluate(
        frame,
        release,
        KEYS,
        ["amount", "word"],
        measures=["proximity_m", "dissimilarity"],
        epsilon=epsilon,
    )
    groups = naive.classes(release[KEYS].to_numpy().tolist())
    spread = float(np.nanstd(frame["amount"]))
    amounts = [None if v != v else v for v in frame["amount"]]
    codes = pd.factorize(frame["word"])[0].tolist()
    for name, values, reach in (("amount", amounts, epsilon * spread), ("word", codes, 0)):
        inside = [[values[i] for i in group] for group in groups]
        assert found["proximity_m"].by_column[name] == pytest.approx(
            naive.proximity_m(inside, reach)
        )
        assert found["dissimilarity"].by_column[name] == pytest.approx(
            naive.dissimilarity(inside, reach)
        )
    assert found["dissimilarity"].parts["k"] == min(map(len, groups))


def test_pairs_of_words_that_are_all_different_by_hand():
    """Two of a class are wholly unlike, however many other words there are; one alone is nobody."""
    words = pd.DataFrame(
        {"key": np.repeat(np.arange(10.0), 2), "word": list("abcdefghijklmnopqrst")}
    )
    given = {"measures": ["proximity_m", "dissimilarity"], "epsilon": 0.1}
    found = coterie.evaluate(words, words, ["key"], ["word"], **given)
    assert (found["proximity_m"].value, found["dissimilarity"].value) == (2.0, 1.0)
    found = coterie.evaluate(words[:-1], words[:-1], ["key"], ["word"], **given)
    assert (found["proximity_m"].value, found["dissimilarity"].value) == (1.0, 0.0)


def test_by_record_follows_its_definitions(rng):
    frame = table(rng)
    release = released(frame)
    found = by_record(frame, release, KEYS, ["amount", "word"], aligned=True)
    x, y = naive.standardize(frame[KEYS].to_numpy(), release[KEYS].to_numpy())
    links = list(naive.tied(x, y))
    groups = naive.classes(release[KEYS].to_numpy().tolist())
    alone = naive.alone_on(frame[KEYS].to_numpy().tolist(), KEYS)
    spread = frame["amount"].std(ddof=0)
    by_row = found.set_index("original_row")
    for group in groups:
        for i in group:
            row, others = by_row.loc[i], [j for j in group if j != i]
            assert row["class_size"] == len(group)
            assert row["linked_percent"] == pytest.approx(100 * (i in links[i]) / len(links[i]))
            assert row["alone_on"] == " + ".join(alone[i])
            away = abs(frame["amount"][i] - np.mean(frame["amount"][others])) / spread
            assert row["amount_stands_out"] == pytest.approx(away)
            other = np.mean([frame["word"][j] != frame["word"][i] for j in others])
            assert row["word_stands_out"] == pytest.approx(other)
    assert found["linked_percent"].is_monotonic_decreasing
    with pytest.raises(ParameterError, match="by_record needs to know which released row"):
        by_record(frame, release, KEYS)


def test_k_map_counts_people_by_their_nearest_class(rng, tmp_path):
    frame = table(rng)
    release = released(frame)
    register = pd.concat([table(rng, 150)[KEYS], frame[KEYS]])
    found = coterie.evaluate(frame, release, KEYS, measures=["k_map"], population=register)
    _, y = naive.standardize(frame[KEYS].to_numpy(), release[KEYS].to_numpy())
    _, z = naive.standardize(frame[KEYS].to_numpy(), register[KEYS].to_numpy())
    held = np.zeros(len(frame))
    for row in z:
        held[naive.place_of(row, y)] += 1
    assert found["k_map"].value == held.min()
    assert found["k_map"].by_record.tolist() == held.tolist()
    assert "population" in coterie.evaluate(frame, release, KEYS).refused["k_map"]
    path = tmp_path / "register.csv"
    register.to_csv(path, index=False)
    plan = coterie.Plan(
        k=8,
        quasi_identifiers=KEYS,
        declared=[name for name in frame.columns if name not in KEYS],
        method="mdav",
        k_map=2,
        population=path,
        random_state=0,
    )
    assert coterie.anonymize(frame, plan).verification.achieved >= 8
    with pytest.raises(coterie.NotAdmissible, match="k_map = 200"):
        coterie.anonymize(frame, plan.replace(k_map=200))
    with pytest.raises(ParameterError, match="k_map must come with population"):
        plan.replace(population=None)
