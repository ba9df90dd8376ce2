"""Tables of any library in, alignment, types, and one-line errors for what does not fit."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import coterie

X = np.arange(24.0).reshape(12, 2) ** 1.5
Y = np.repeat(X.reshape(4, 3, 2).mean(axis=1), 3, axis=0)
FRAME = pd.DataFrame(X, columns=["a", "b"]).assign(c=list("uvw" * 4))
AFTER = pd.DataFrame(Y, columns=["a", "b"]).assign(c=list("uvw" * 4))


@pytest.mark.parametrize("make", [lambda f: f, pl.from_pandas, pa.Table.from_pandas])
def test_every_library_gives_the_same(make):
    plain = coterie.evaluate(FRAME, AFTER, ["a", "b"], ["c"], aligned=True).values_by_name()
    other = coterie.evaluate(make(FRAME), make(AFTER), ["a", "b"], ["c"], aligned=True)
    assert other.values_by_name() == plain
    arrays = coterie.evaluate(X, Y, aligned=True).values_by_name()
    assert arrays.pop("singling_out")  # the others have a column more to be singled out by
    assert arrays == {name: plain[name] for name in arrays}


def test_without_alignment_rowwise_measures_are_refused_by_name(rng):
    mixed = AFTER.iloc[rng.permutation(12)]
    found = coterie.evaluate(FRAME, mixed, ["a", "b"], ["c"])
    for name in ("dld", "sdid", "il", "il1s", "exact_share", "offset_adversary", "si"):
        assert name not in found
        assert "aligned=True" in found.refused[name]
        with pytest.raises(
            coterie.NotMeasured, match=f"measure '{name}' was refused.*aligned=True"
        ):
            found[name]
    for name in ("achieved_k", "pil", "ks", "t_closeness", "pmse"):
        assert name in found
    assert "refused    dld" in repr(found)
    with pytest.raises(KeyError, match="Did you mean 'pmse'"):
        found["pmsee"]


def test_a_key_aligns(rng):
    before, after = FRAME.assign(id=range(12)), AFTER.assign(id=range(12))
    mixed = after.iloc[rng.permutation(12)]
    found = coterie.evaluate(before, mixed, ["a", "b"], match="id")
    straight = coterie.evaluate(FRAME, AFTER, ["a", "b"], aligned=True)
    assert found.values_by_name() == straight.values_by_name()


def test_categories_and_levels_count_by_type():
    before = pd.DataFrame({"w": list("aabb"), "o": ["low", "mid", "mid", "high"]})
    after = pd.DataFrame({"w": list("abbb"), "o": ["mid", "mid", "mid", "mid"]})
    levels = {"o": ["low", "mid", "high"]}
    found = coterie.evaluate(before, after, aligned=True, orders=levels)
    # one change of four against two for all-a or all-b; positions 0 1 1 2 against all 1
    assert found["il"].by_column == pytest.approx({"w": 50.0, "o": 100.0})
    assert found["changed"].by_column == {"w": 25.0, "o": 50.0}
    nominal = coterie.evaluate(before[["w"]], after[["w"]], aligned=True)
    assert "numeric" in nominal.refused["sdid"]
    assert nominal["own_group"].value == 75.0  # the changed record is nearer to the other one
    assert nominal["dld_expected"].value == pytest.approx(100 * (1 + 0 + 1 / 3 + 1 / 3) / 4)
    assert nominal["achieved_k"].value == 1


def test_dates_and_booleans():
    days = pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-03", "2020-01-04"])
    table = pd.DataFrame({"day": days, "flag": [True, False, True, False]})
    found = coterie.evaluate(table, table, aligned=True)
    assert found["il"].value == 0.0
    assert found["sdid"].by_column == {"day": 100.0}


def test_progress_is_told():
    told = []
    coterie.evaluate(X, Y, aligned=True, callback=told.append)
    assert {"dld", "pil", "ks"} <= {progress.phase for progress in told}
    assert all(0.0 <= progress.fraction <= 1.0 for progress in told)


GAP = FRAME.assign(a=[np.nan, *X[1:, 0]])
BAD = {
    "rows": ((X, Y[:9]), {}, r"same number of rows. Got 12 and 9; .*suppressed"),
    "columns": ((FRAME, AFTER[["a"]]), {}, r"same columns. Got: original alone has 'b', 'c'"),
    "unknown key": ((FRAME, AFTER, ["aa"]), {}, r"column in 'quasi_identifiers': 'aa'"),
    "not in released": ((FRAME, AFTER[["a"]], ["b"]), {}, r"column of released: 'b'"),
    "unknown confidential": ((FRAME, AFTER, ["a"], ["z"]), {}, r"in 'confidential': 'z'"),
    "text for a list": ((FRAME, AFTER, "ab"), {}, r"'quasi_identifiers'.*list of column names"),
    "repeated": ((FRAME, AFTER, ["a", "a"]), {}, r"without repeated"),
    "no keys": ((FRAME, AFTER, []), {}, r"at least one column"),
    "unknown measure": (
        (X, Y),
        {"measures": ["dlt"]},
        r"Unknown measure 'dlt'. Did you mean 'dld'",
    ),
    "no table": ((3, Y), {}, r"original must be an array or a pandas.*Got int"),
    "1-D": ((X[:, 0], Y[:, 0]), {}, r"original must have two dimensions.*\(12,\)"),
    "empty": ((FRAME[:0], AFTER[:0]), {}, r"at least one row"),
    "infinite": (
        (FRAME.assign(a=[np.inf, *X[1:, 0]]), AFTER),
        {},
        r"'a' of original must be finite. Got inf in row 0",
    ),
    "weights below": ((X, Y), {"sample_weight": [0.0] * 12}, r"'sample_weight'.*above 0"),
    "unit": ((X, Y), {"unit": [1, 2]}, r"'unit'.*one unit for each of the 12 records"),
    "moments": ((X, Y), {"moments": "both"}, r"'moments'.*'original' or 'own'. Got 'both'"),
    "aligned": ((X, Y), {"aligned": 1}, r"'aligned'.*True or False. Got 1"),
    "callback": ((X, Y), {"callback": 3}, r"'callback'.*function"),
    "negative sd": ((X, Y), {"sd": -0.1}, r"'sd'.*at least 0. Got -0.1"),
    "window": ((X, Y), {"rank_window": 2}, r"'rank_window'.*at most 1. Got 2"),
    "threshold": ((X, Y), {"threshold": "x"}, r"'threshold'.*Got 'x'"),
    "noise": ((X, Y), {"noise": -1}, r"'noise'.*Got -1"),
    "known": ((X, Y), {"known": ["x9"]}, r"in 'known': 'x9'"),
    "known text": ((X, Y), {"known": "x1"}, r"'known'.*list of column names"),
    "known nothing": ((X, Y), {"known": {"none": []}}, r"at least one column in every list"),
    "negative delta": ((X, Y), {"delta": -0.1}, r"'delta'.*at least 0. Got -0.1"),
    "importance": ((X, Y), {"delta": 0.1, "importance": 1.5}, r"'importance'.*0 to 1. Got 1.5"),
    "shape": ((X, Y), {"delta": [0.1, 0.2, 0.3]}, r"each of the 2 attributes.*Got 'shape \(3,\)'"),
    "distance target column": (
        (FRAME, AFTER),
        {"delta": "distance targets"},
        r"column in 'delta': 'distance targets'",
    ),
    "distance target of array": ((X, Y), {"delta": "a"}, r"names a column, 'a'.*array"),
    "distance target attribute": ((X, Y), {"delta": {"x7": 1}}, r"attribute in 'delta': 'x7'"),
    "distance target text": ((X, Y), {"delta": ["a", "b"]}, r"'delta'.*numbers of at least 0"),
    "weights": ((X, Y), {"sample_weight": [1, 2]}, r"'sample_weight'.*12 records"),
    "key repeats": ((FRAME, AFTER, ["a"]), {"match": "c"}, r"match records by, 'c', must tell"),
    "key unknown": ((FRAME, AFTER, ["a"]), {"match": "id"}, r"column of original: 'id'"),
    "level": ((FRAME, AFTER), {"orders": {"c": ["u", "v"]}}, r"every level of 'c'. Got 'w'"),
    "ordinal": ((FRAME, AFTER), {"orders": {"z": ["u"]}}, r"column in 'orders': 'z'"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_one_line(name):
    arguments, options, expected = BAD[name]
    with pytest.raises(coterie.CoterieError, match=expected) as raised:
        coterie.evaluate(*arguments, **options)
    assert "\n" not in str(raised.value)


def test_keys_that_differ_are_refused():
    before, after = FRAME.assign(id=range(12)), AFTER.assign(id=range(1, 13))
    with pytest.raises(coterie.DataError, match=r"same values in both.*1 that only.*first 0"):
        coterie.evaluate(before, after, ["a"], match="id")


def test_targets_by_name():
    table = FRAME.assign(w=0.5)
    by_name = coterie.evaluate(table, AFTER, ["a", "b"], aligned=True, delta={"a": "w", "b": 0.1})
    by_array = coterie.evaluate(
        FRAME, AFTER, ["a", "b"], aligned=True, delta=np.tile([0.5, 0.1], (12, 1))
    )
    assert by_name["sl"].value == by_array["sl"].value
    everyone = coterie.evaluate(table, AFTER, ["a", "b"], aligned=True, delta="w")
    assert everyone["sl"].value == coterie.evaluate(X, Y, aligned=True, delta=0.5)["sl"].value


def test_columns_may_be_numbered():
    found = coterie.evaluate(pd.DataFrame(X), pd.DataFrame(Y), [1], aligned=True)
    assert found["il"].by_column.keys() == {"1"}
    assert found["il"].value == coterie.evaluate(X[:, 1:], Y[:, 1:], aligned=True)["il"].value


def test_whole_numbers_beyond_floats_stay_apart():
    """2^53 and 2^53 + 1 are one float: two classes, two confidential values."""
    large = 2**53
    numbers = np.array([large, large + 1] * 3, dtype=np.int64)
    frame = pd.DataFrame({"key": numbers, "a": np.arange(6.0) // 3})
    found = coterie.evaluate(frame, frame, ["a"], ["key"])
    assert found["distinct_l"].value == 2
    assert found["entropy_l"].value == pytest.approx(3 / 2 ** (2 / 3))
    assert 0 < found["t_closeness"].value < 1
    found = coterie.evaluate(frame, frame, ["key"], aligned=True)
    assert found["achieved_k"].value == 3
    moved = frame.assign(key=numbers[::-1].copy())
    assert coterie.evaluate(frame, moved, ["key"], aligned=True)["exact_share"].value == 0.0
    unsigned = frame.assign(key=numbers.astype(np.uint64) + np.uint64(2**63))
    assert coterie.evaluate(unsigned, unsigned, ["a"], ["key"])["distinct_l"].value == 2


def test_gaps_that_only_one_table_has():
    """A value that was taken away counts as the best single one; records cannot be linked."""
    before = pd.DataFrame({"a": [1.0, 2.0, 3.0, 6.0], "w": list("aabb")})
    after = before.assign(a=[1.0, np.nan, 3.0, 6.0], w=["a", "a", None, "b"])
    found = coterie.evaluate(before, after, aligned=True)
    x = before["a"]
    expected = 100 * (x[1] - x.mean()) ** 2 / ((x - x.mean()) ** 2).sum()
    assert found["il"].by_column["a"] == pytest.approx(expected)
    assert found["exact_share"].by_column == {"a": 75.0, "w": 75.0}
    assert found["changed"].by_column == {"w": 25.0}
    for name in ("dld", "own_group", "sdid", "rank_interval", "si"):
        assert "2 of 4 have other gaps in the release" in found.refused[name]
    assert found["achieved_k"].value == 1.0


def test_every_measure_with_gaps():
    """Each measure by column is that of the records that have the key."""
    rng = np.random.default_rng(5)
    before = pd.DataFrame(rng.normal(size=(80, 3)), columns=list("abc"))
    after = before + rng.normal(size=(80, 3)) / 4
    gone = rng.random(80) < 0.25
    before.loc[gone, "b"] = np.nan
    after.loc[gone, "b"] = np.nan
    found = coterie.evaluate(before, after, aligned=True, delta=0.2)
    of_others = {"analyses", "dissimilarity", "inference", "k_map"}
    of_others |= {"population_risk", "proximity_m"}
    of_classes = {"changed", "distinct_l", "entropy_l", "t_closeness"}
    assert set(found.refused) == of_classes | of_others
    alone = coterie.evaluate(before[~gone][["b"]], after[~gone][["b"]], aligned=True, delta=0.2)
    for name in (
        "il",
        "sdid_own",
        "exact_share",
        "offset_adversary",
        "il1s",
        "ks",
        "means",
        "variances",
        "pil",
        "sl",
    ):
        assert found[name].by_column["b"] == pytest.approx(alone[name].by_column["b"]), name
        assert "over the records that have it" in found[name].note, name
    held = {"a": 80, "b": int((~gone).sum()), "c": 80}
    for name in ("sdid_own", "exact_share"):  # shares of the cells that have a value
        flagged = sum(held[key] * share for key, share in found[name].by_column.items())
        assert found[name].value == pytest.approx(flagged / sum(held.values())), name
    whole = coterie.evaluate(before[~gone], after[~gone], aligned=True)
    assert found["eigenvalues"].note == (
        f"over the {(~gone).sum()} of 80 records that have every numeric key"
    )
    pair = coterie.evaluate(before[~gone][["a", "b"]], after[~gone][["a", "b"]], aligned=True)
    both = coterie.evaluate(before[["a", "c"]], after[["a", "c"]], aligned=True)
    other = coterie.evaluate(before[~gone][["b", "c"]], after[~gone][["b", "c"]], aligned=True)
    expected = np.mean([one["correlations"].value for one in (pair, both, other)])
    assert found["correlations"].value == pytest.approx(expected)
    assert 0 <= found["pmse"].value <= 0.25
    assert whole["eigenvalues"].value == pytest.approx(found["eigenvalues"].value, rel=0.2)
