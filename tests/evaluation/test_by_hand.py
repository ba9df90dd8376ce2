"""Measures of classes on seven records, by hand: the figure, its parts, and each record's share."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import coterie
from coterie.evaluation.attacks.trial import Rate, Z, judged
from coterie.evaluation.utility.moments import correlation
from tests import naive_measures as naive

# Classes of 1, 2 and 4 records; with the weights they stand for 3, 4 and 16 people.
TABLE = pd.DataFrame({"a": [1.0, 2.0, 2.0, 5.0, 5.0, 5.0, 5.0]})
WEIGHTS = np.array([3.0, 1.0, 3.0, 4.0, 4.0, 4.0, 4.0])
SIZES = np.array([1, 2, 2, 4, 4, 4, 4])
PEOPLE = np.array([3, 4, 4, 16, 16, 16, 16])


@pytest.fixture(scope="module")
def found():
    names = ["achieved_k", "prosecutor", "journalist", "marketer"]
    given = {"aligned": True, "measures": names, "threshold": 0.25}
    return coterie.evaluate(TABLE, TABLE, ["a"], sample_weight=WEIGHTS, **given)


def test_the_smallest_class_by_hand(found):
    one = found["achieved_k"]
    assert one.value == 1.0
    parts = {"classes": 3.0, "mean_size": 7 / 3, "largest": 4.0, "unique_records": 1.0}
    assert one.parts == pytest.approx(parts)
    assert one.by_record.tolist() == SIZES.tolist()


@pytest.mark.parametrize(("name", "people"), [("prosecutor", SIZES), ("journalist", PEOPLE)])
def test_the_highest_chance_by_hand(found, name, people):
    """A chance as high as the threshold is not above it."""
    one, risk = found[name], 100.0 / people
    assert one.value == pytest.approx(risk.max())
    assert one.by_record == pytest.approx(risk)
    parts = {"threshold": 25.0, "records_at_risk": 100 * np.mean(risk > 25.0), "mean": risk.mean()}
    assert one.parts == pytest.approx(parts)


def test_linking_everybody_by_hand(found):
    assert found["marketer"].value == pytest.approx(np.mean(100.0 / PEOPLE))
    assert found["marketer"].by_record == pytest.approx(100.0 / PEOPLE)


def test_distance_targets_met_on_the_line_by_hand():
    """|x - y| = delta is kept, rounding allowed; a weight of a tenth counts; never above 100."""
    x = pd.DataFrame({"a": [-1.0, 1.0, -1.0, 1.0]})  # in standard deviations already
    y = pd.DataFrame({"a": [-0.5, 0.75, -1.0, 1.0]})
    given = {"aligned": True, "measures": ["sl"]}
    weight = np.array([[0.04], [0.02], [0.03], [0.01]])
    one = coterie.evaluate(x, y, ["a"], delta=0.5, importance=weight, **given)["sl"]
    assert one.value == pytest.approx(40.0)
    one = coterie.evaluate(x, y, ["a"], delta=0.0, importance=weight, **given)["sl"]
    assert one.value == 100.0
    assert coterie.evaluate(x, y, ["a"], delta=0.5, **given)["sl"].value == 25.0
    # A distance that rounding alone would give asks for nothing.
    assert coterie.evaluate(x, x, ["a"], delta=1e-9, **given)["sl"].value == 100.0
    # Who has no value has no target: 4 of the 4 + 3 + 1 that the others weigh.
    x, y = (side.assign(a=[side["a"][0], np.nan, *side["a"][2:]]) for side in (x, y))
    x["b"] = y["b"] = [1.0, 2.0, 3.0, 4.0]
    weight = np.column_stack([weight[:, 0], np.zeros(4)])
    one = coterie.evaluate(x, y, ["a", "b"], delta=[0.3, 9.0], importance=weight, **given)["sl"]
    assert one.value == pytest.approx(50.0)


def test_a_rate_and_wilsons_interval_by_hand():
    """The ends p of the interval solve n (p - rate)^2 = z^2 p (1 - p)."""
    assert Rate.of(np.array([1.0, 0.0, 0.5, 0.5, 0.25])) == Rate(0.45, 5)
    assert Rate.of(np.empty(0)) == Rate(0.0, 0.0)
    assert Rate(0.3).wilson == (0.3, 0.0)
    assert pytest.approx(1.959964) == Z
    for n, rate in ((4, 0.5), (50, 0.1), (9, 0.0), (7, 1.0)):
        middle, half = Rate(rate, n).wilson
        for p in (middle - half, middle + half):
            assert n * (p - rate) ** 2 == pytest.approx(Z * Z * p * (1 - p), abs=1e-12)
        assert 0 < half < 0.5
    assert len({Rate(0.3, 5), Rate(0.3, 5), Rate(0.3, 6)}) == 2
    assert Rate(1.4, 10).wilson == Rate(1.0, 10).wilson
    assert Rate(-0.3, 10).wilson == Rate(0.0, 10).wilson


@pytest.mark.parametrize(
    ("success", "reference"), [(0.6, 0.3), (0.3, 0.6), (1.0, 0.2), (0.9, 0.85), (0.0, 0.0)]
)
def test_a_risk_and_its_interval_follow_their_equations(success, reference):
    """(success - control) / (1 - control), and by first derivatives of Wilson's intervals."""
    known = judged("x", Rate(success, 50), Rate(reference), None)
    tried = judged("x", Rate(success, 50), Rate(0.01), Rate(reference, 40))
    for found, others in ((known, None), (tried, 40)):
        assert found.risk == pytest.approx(100 * naive.added(success, reference))
        low, high = naive.added_interval(success, 50, reference, others)
        assert (found.low, found.high) == pytest.approx((100 * low, 100 * high))
    assert (known.baseline, known.control) == (100 * reference, None)
    assert (tried.baseline, tried.control) == (1.0, 100 * reference)
    assert (tried.success, tried.trials) == (100 * success, 50)


def test_a_reference_with_an_interval_of_its_own_by_hand():
    """What its ends would change: (s - 0.1) / 0.9 and (s - 0.5) / 0.5 beside (s - 0.3) / 0.7."""
    found = judged("x", Rate(0.6, 10**18), Rate(0.3, span=(0.1, 0.5)), None)
    assert found.risk == pytest.approx(100 * 0.3 / 0.7)
    assert found.high == pytest.approx(100 * 0.5 / 0.9)
    assert found.low == pytest.approx(100 * 0.1 / 0.5)
    for sure in (Rate(1.0), Rate(0.999, span=(0.5, 1.0))):
        assert judged("x", Rate(0.999, 9), sure, None).risk == 0.0


def test_values_at_the_very_end_of_an_interval_count_by_hand():
    """Released 0.25 standard deviations away from every original value."""
    x = pd.DataFrame({"a": [-1.0, 1.0, -1.0, 1.0]})
    y = pd.DataFrame({"a": [-0.75, 1.25, -0.75, 1.25]})
    for sd, share in ((0.25, 100.0), (0.2, 0.0)):
        found = coterie.evaluate(x, y, aligned=True, sd=sd, measures=["sdid", "sdid_own"])
        assert [found["sdid"].value, found["sdid_own"].value] == [share, share]


@pytest.mark.parametrize(("shift", "share"), [(0.0, 100.0), (2.0, 80.0), (-2.0, 80.0)])
def test_windows_of_ranks_by_hand(shift, share):
    """Two ranks either way of ten: the ends count, and the window ends with the table."""
    own = {f"b{j}": np.arange(10.0) for j in range(5)}  # so that every record is linked to itself
    x = pd.DataFrame({"a": np.arange(10.0), **own})
    y = x.assign(a=x["a"] + shift)
    given = {"aligned": True, "rank_window": 0.2, "measures": ["rank_interval"]}
    found = coterie.evaluate(x, y, **given)["rank_interval"]
    assert found.by_column["a"] == share
    assert found.by_column["b0"] == 100.0


def test_one_value_among_gaps_by_hand():
    """A key that one record has, and a record that has one key: their own share, not half of it."""
    x = pd.DataFrame({"a": [-1.0, 1.0, -1.0, 1.0], "b": [3.0, np.nan, np.nan, np.nan]})
    found = coterie.evaluate(x, x, aligned=True, measures=["sdid_own"])["sdid_own"]
    assert found.by_column == {"a": 100.0, "b": 100.0}
    assert found.by_record.tolist() == [100.0] * 4
    alone = pd.DataFrame({"a": [np.nan, np.nan], "b": [np.nan, 2.0]})
    assert (
        coterie.evaluate(alone, alone, aligned=True, measures=["sdid_own"])["sdid_own"].value
        == 100.0
    )


def test_who_knows_one_key_by_hand():
    x = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0], "b": [0.0, 0.0, 0.0, 0.0]})
    given = {"aligned": True, "measures": ["dld_expected"], "known": {"one": ["a"], "other": ["b"]}}
    assert coterie.evaluate(x, x, **given)["dld_expected"].parts == {"one": 100.0, "other": 25.0}


def test_gaps_of_numbers_alone_are_mentioned():
    """Words that are missing are values of their own; numbers are compared where there are some."""
    table = pd.DataFrame(
        {"k": [1.0, 1.0, 2.0, 2.0], "word": ["x", None, "y", "x"], "n": [1.0, 2, 3, 4]}
    )
    for number, note in ((False, ""), (True, "numbers over the records that have one")):
        one = table.assign(n=[1.0, np.nan, 3.0, 4.0]) if number else table
        found = coterie.evaluate(one, one, ["k"], ["word", "n"], measures=["t_closeness"])
        assert found["t_closeness"].note == note


def test_a_column_without_any_number_tells_nothing():
    table = pd.DataFrame({"k": [1.0, 1.0, 2.0, 2.0], "n": [np.nan] * 4})
    found = coterie.evaluate(table, table, ["k"], ["n"], measures=["t_closeness"])
    assert found["t_closeness"].value == 0.0


def test_correlations_stay_correlations_however_they_are_rounded(rng):
    """Multiples of a column correlate with it by 1 or -1, itself by 1, and a constant by 0."""
    for a in rng.normal(size=(40, 7)):
        found = correlation(np.column_stack([a, 3.3 * a, -0.7 * a, np.full(7, 0.1)]))
        expected = [[1, 1, -1, 0], [1, 1, -1, 0], [-1, -1, 1, 0], [0, 0, 0, 1]]
        assert found == pytest.approx(np.array(expected))
        assert np.diag(found).tolist() == [1.0] * 4
        assert np.abs(found).max() == 1.0


def test_correlations_over_the_records_that_have_both(rng):
    x = rng.normal(size=(40, 3)) + rng.normal(size=(40, 1))
    y = x + 0.5 * rng.normal(size=x.shape)
    gone = rng.random(x.shape) < 0.25
    x, y = (np.where(gone, np.nan, side) for side in (x, y))
    found = coterie.evaluate(x, y, aligned=True, measures=["correlations"])["correlations"]
    apart = {}
    for two in ((0, 1), (0, 2), (1, 2)):
        both = ~gone[:, two].any(axis=1)
        before, after = (np.corrcoef(side[both][:, two].T)[0, 1] for side in (x, y))
        apart[two] = abs(after - before)
    assert found.value == pytest.approx(np.mean(list(apart.values())))
    by_column = [np.mean([v for two, v in apart.items() if t in two]) for t in range(3)]
    assert list(found.by_column.values()) == pytest.approx(by_column)


def test_keys_that_are_gone_from_some_records_by_hand():
    """|x - y| / (sqrt(2) sigma): a record over the keys it has, a key over the records."""
    x = pd.DataFrame({"a": [-1.0, 1.0, -1.0, 1.0], "b": [np.nan, -2.0, 2.0, np.nan]})
    y = pd.DataFrame({"a": [-1.0, 1.0, 0.0, 3.0], "b": [np.nan, 0.0, 2.0, np.nan]})
    one = coterie.evaluate(x, y, aligned=True, measures=["il1s"])["il1s"]
    root = np.sqrt(2.0)
    assert one.by_column == pytest.approx({"a": 3 / 4 / root, "b": 1 / 2 / root})
    assert one.by_record == pytest.approx(np.array([0.0, 1 / 2, 1 / 2, 2.0]) / root)
    assert one.value == pytest.approx(4 / 6 / root)
    # Of a key that no record has in both tables nothing is known.
    y["b"] = [1.0, np.nan, np.nan, 1.0]
    one = coterie.evaluate(x, y, aligned=True, measures=["il1s"])["il1s"]
    assert one.by_column == pytest.approx({"a": 3 / 4 / root, "b": 0.0})
