from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import coterie
from tests.mixed import FLAGS, KEYS, ORDERS, mixed

# A method without chance: what is compared here is the release, not the search.
PLAIN = {"quasi_identifiers": ["x", "y"], "k": 3, "method": "mdav-mhm"}


def numbers(n=30, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {"x": rng.normal(size=n), "y": rng.integers(0, 50, n), "z": rng.choice(list("ab"), n)}
    )


def smallest(table, keys):
    return table.groupby(keys, dropna=False, observed=True).size().min()


def test_a_table_of_all_types_is_refused_with_every_problem_then_protected():
    table = mixed(2000)
    with pytest.raises(coterie.DataError) as caught:
        coterie.anonymize(table, 5, KEYS, confidential=["diagnosis"], orders=ORDERS)
    message = str(caught.value)
    for part in ("'income'", "'height'", "'name'", "'email'", "--missing", "--small-strata drop"):
        assert part in message
    r = coterie.anonymize(
        table, 5, KEYS, confidential=["diagnosis"], orders=ORDERS, method="mdav", **FLAGS
    )
    assert smallest(r.data, KEYS) >= 5
    assert list(r.data.columns) == [c for c in table.columns if c not in ("name", "email")]
    assert {c: str(t) for c, t in r.data.dtypes.items()} == {
        c: str(t) for c, t in table.drop(columns=["name", "email"]).dtypes.items()
    }
    dropped = r.evidence.internal["records_dropped"]
    assert 0 < dropped == len(table) - len(r.data) < 5  # a pattern of gaps that few share
    assert r.data["income"].isna().sum() == table["income"].isna().sum() - dropped
    assert coterie.verify(r.data, 5, KEYS).achieved == r.verification.achieved


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_kinds_of_frame_give_equal_releases(kind):
    frame = numbers()
    given = {
        "pandas": frame,
        "polars": pl.from_pandas(frame),
        "pyarrow": pa.Table.from_pandas(frame),
    }[kind]
    r = coterie.anonymize(given, random_state=0, **PLAIN)
    assert type(r.data) is type(given)
    back = r.data if kind == "pandas" else r.data.to_pandas()
    expected = coterie.anonymize(frame, random_state=0, **PLAIN).data
    pd.testing.assert_frame_equal(back.reset_index(drop=True), expected, check_dtype=False)


def test_a_centroid_is_the_mean_in_the_columns_own_units():
    frame = numbers()
    r = coterie.anonymize(frame, row_order="keep", **PLAIN)
    for group in range(len(r.partition.sizes)):
        members = r.partition.labels == group
        assert r.data["x"][members].nunique() == 1
        assert r.data["x"][members].iloc[0] == pytest.approx(frame["x"][members].mean())
        assert r.data["y"][members].iloc[0] == np.rint(frame["y"][members].mean())
    assert r.data["z"].tolist() == frame["z"].tolist()


def test_the_order_of_rows_tells_nothing():
    frame = numbers(100)
    shuffled = frame.sample(frac=1, random_state=1)
    a = coterie.anonymize(frame, **PLAIN).data
    b = coterie.anonymize(shuffled, **PLAIN).data
    pd.testing.assert_frame_equal(a, b)
    assert a.equals(a.sort_values(["x", "y", "z"], ignore_index=True))


def test_the_crosswalk_leads_back():
    frame = numbers(60)
    frame["row"] = np.arange(60) * 1.5
    r = coterie.anonymize(frame, declared=["row"], **PLAIN)
    assert r.data["row"].tolist() == frame["row"].iloc[r.crosswalk].tolist()


def test_strata_are_never_crossed():
    frame = numbers(60)
    r = coterie.anonymize(frame, strata=["z"], **PLAIN)
    assert smallest(r.data, ["x", "y", "z"]) >= 3
    assert r.data["z"].value_counts().to_dict() == frame["z"].value_counts().to_dict()


@pytest.mark.parametrize("size", [1, 2])
def test_small_strata_are_refused_merged_or_dropped(size):
    frame = numbers(40)
    frame["z"] = ["small"] * size + ["big"] * (40 - size)
    with pytest.raises(coterie.DataError, match=rf"z='small' \({size}\).*merge"):
        coterie.anonymize(frame, strata=["z"], **PLAIN)
    merged = coterie.anonymize(frame, strata=["z"], small_strata="merge", **PLAIN)
    assert set(merged.data["z"]) == {"other"}
    assert len(merged.data) == 40
    assert merged.evidence.internal["records_in_merged_strata"] == 40
    dropped = coterie.anonymize(frame, strata=["z"], small_strata="drop", **PLAIN)
    assert len(dropped.data) == 40 - size
    assert dropped.evidence.internal["records_dropped"] == size
    assert dropped.evidence.public["records_dropped"] == "fewer than 3"


def test_missing_values():
    frame = numbers(60)
    frame.loc[:7, "x"] = np.nan
    with pytest.raises(coterie.DataError, match=r"'x' \(8\)"):
        coterie.anonymize(frame, **PLAIN)
    assert len(coterie.anonymize(frame, missing="drop", **PLAIN).data) == 52
    r = coterie.anonymize(frame, missing="pattern", **PLAIN)
    assert r.data["x"].isna().sum() == 8
    assert smallest(r.data, ["x", "y"]) >= 3
    frame.loc[8:, "x"] = np.arange(52.0)
    frame.loc[2:7, "x"] = 1.0
    with pytest.raises(coterie.DataError, match=r"the same missing keys \(2\)"):
        coterie.anonymize(frame, missing="pattern", **PLAIN)


def test_a_real_minus_999_stays_itself_and_a_declared_one_is_missing():
    frame = numbers(60)
    frame.loc[:9, "y"] = -999
    kept = coterie.anonymize(frame, **PLAIN)
    assert kept.data["y"].min() < -400
    declared = coterie.anonymize(frame, missing_codes={"y": [-999]}, missing="pattern", **PLAIN)
    assert (declared.data["y"] == -999).sum() == 10
    assert declared.data.loc[declared.data["y"] != -999, "y"].min() >= 0
    assert declared.data["y"].dtype == frame["y"].dtype


def test_integers_shifted_by_1e9_have_the_same_groups():
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"x": rng.integers(0, 1000, 80), "y": rng.integers(0, 1000, 80)})
    a = coterie.anonymize(frame, **PLAIN)
    b = coterie.anonymize(frame + 10**9, **PLAIN)
    assert np.array_equal(a.partition.labels, b.partition.labels)
    assert (b.data - 10**9).equals(a.data)


def test_types_release_what_belongs_to_them():
    n = 6
    frame = pd.DataFrame(
        {
            "grade": pd.Categorical(["a", "a", "c"] * 2, categories=["c", "b", "a"], ordered=True),
            "colour": ["red", "red", "blue"] * 2,
            "flag": [True, True, False] * 2,
            "day": [dt.date(2020, 1, d) for d in (1, 2, 4)] * 2,
            "at": pd.to_datetime(["2020-01-01 00:00", "2020-01-01 12:00", "2020-01-02 00:00"] * 2),
            "count": [1, 2, 4] * 2,
        }
    )
    r = coterie.anonymize(
        frame,
        n,
        list(frame.columns),
        orders={"grade": ["c", "b", "a"]},
        declared=list(frame.columns),
    )
    row = r.data.iloc[0].to_dict()
    assert row["grade"] == "b"  # positions 2, 2, 0: the mean is 4/3
    assert row["colour"] == "red"
    assert row["flag"]
    assert row["day"] == dt.date(2020, 1, 2)
    assert row["at"] == pd.Timestamp("2020-01-01 12:00")
    assert row["count"] == 2
    # The list of categories is cut down to those that a record has.
    assert r.data["grade"].dtype == pd.CategoricalDtype(["b"], ordered=True)


def test_weights_count_as_records():
    frame = pd.DataFrame({"x": [0.0, 1.0, 10.0], "w": [1.0, 1.0, 2.0]})
    r = coterie.anonymize(frame, 3, ["x"], sample_weight="w", declared=["x"])
    assert r.data["x"].tolist() == [21 / 4] * 3


def test_units_are_counted():
    frame = numbers(60)
    frame["who"] = np.repeat(np.arange(20), 3)
    r = coterie.anonymize(frame, 15, ["x", "y"], unit="who", identifiers=["who"])
    assert r.verification.achieved >= 15
    with pytest.raises(coterie.DataError, match="unit"):
        coterie.anonymize(frame, 21, ["x", "y"], unit="who", identifiers=["who"])


def test_the_unit_is_not_released_unless_declared():
    frame = numbers(60)
    frame["who"] = np.arange(60)
    r = coterie.anonymize(frame, unit="who", **PLAIN)
    assert "who" not in r.data
    assert r.verification.unit == "who"
    assert "who" in coterie.anonymize(frame, unit="who", declared=["who"], **PLAIN).data


def test_public_evidence_names_no_value_of_the_original():
    frame = numbers(60)
    frame.loc[:9, "x"] = np.nan
    r = coterie.anonymize(frame, missing="pattern", **PLAIN)
    told = r.evidence.public["measures"]
    assert "dld_expected" in told
    huge = numbers(60)
    huge["x"] *= 1e150
    wide = coterie.anonymize(huge, **PLAIN)
    assert "e+1" not in wide.evidence.json("public")
    plain = coterie.anonymize(numbers(60), **PLAIN)
    assert wide.information_loss == pytest.approx(plain.information_loss)


def test_zoned_dates_stay_on_their_day():
    days = pd.to_datetime(["2000-01-10", "2000-07-10"]).tz_localize("Europe/Berlin")
    frame = pd.DataFrame({"at": days.repeat(5)})
    r = coterie.anonymize(frame, 5, ["at"], declared=["at"], method="mdav")
    assert sorted(set(r.data["at"])) == list(days)


def test_hard_targets_and_whole_numbers_do_not_go_together():
    frame = numbers(60)
    with pytest.raises(coterie.ParameterError, match=r"hard distance target.*'y', an integer"):
        coterie.anonymize(frame, aggregation="p3m", delta=0.1, importance=1, **PLAIN)
    r = coterie.anonymize(frame, 3, ["x"], aggregation="p3m", delta=0.1, method="mdav")
    assert r.evidence.public["measures"]["distance_targets"]["x"]["feasible"]


def test_attribute_weights_change_the_groups():
    frame = numbers(60)
    a = coterie.anonymize(frame, **PLAIN)
    b = coterie.anonymize(frame, attribute_weights={"x": 100.0}, **PLAIN)
    assert b.data["x"].var() > a.data["x"].var()


def test_p3m_moves_centroids_and_keeps_moments():
    frame = numbers(200)
    plain = coterie.anonymize(frame, row_order="keep", **PLAIN).data
    r = coterie.anonymize(
        frame, row_order="keep", aggregation="p3m", delta=0.2, importance=0.5, **PLAIN
    )
    assert r.verification.achieved >= 3
    assert r.data["x"].std() == pytest.approx(frame["x"].std(), rel=1e-8)
    far = 0.2 * frame["x"].std(ddof=0)
    kept = ((r.data["x"] - frame["x"]).abs() >= far).mean()
    assert kept > ((plain["x"] - frame["x"]).abs() >= far).mean()
    assert r.data["y"].dtype == frame["y"].dtype


def test_targets_may_be_a_column_and_are_never_ignored():
    frame = numbers(60)
    frame["distance target"] = 0.3
    r = coterie.anonymize(
        frame, aggregation="p3m", delta="distance target", identifiers=["z"], **PLAIN
    )
    assert r.verification.achieved >= 3
    with pytest.raises(coterie.ParameterError, match="'delta' parameter is for aggregation='p3m'"):
        coterie.anonymize(frame, delta=0.1, **PLAIN)
    with pytest.raises(coterie.ParameterError, match=r"'delta'.*at least 0. Got -1.0"):
        coterie.anonymize(frame, aggregation="p3m", delta=-1.0, **PLAIN)
    frame.loc[:9, "x"] = np.nan
    with pytest.raises(coterie.ParameterError, match="without missing values"):
        coterie.anonymize(frame, aggregation="p3m", missing="pattern", **PLAIN)


def test_sets_of_attributes_masked_apart_are_not_called_k_anonymous():
    frame = numbers(60)
    whole = coterie.anonymize(frame, **PLAIN)
    apart = coterie.anonymize(frame, attribute_groups=[["x"], ["y"]], **PLAIN)
    assert apart.information_loss < whole.information_loss
    assert apart.verification is None
    assert "not k-anonymous" in apart.evidence.public["claim"]
    assert "not k-anonymous" in str(apart)
    assert [v.keys for v in apart.prove()] == [("x",), ("y",)]
    assert apart.data.groupby("x").size().min() >= 3
    with pytest.raises(coterie.ParameterError, match=r"'attribute_groups'.*every key once"):
        coterie.anonymize(frame, attribute_groups=[["x"]], **PLAIN)


def test_the_file_is_proven_before_it_takes_its_name(tmp_path, monkeypatch):
    frame = numbers(60)
    r = coterie.anonymize(frame, **PLAIN)
    target = tmp_path / "out.csv"
    target.write_text("old")

    def refuse(self, table=None):
        raise coterie.NotKAnonymous(3, 1, ["x"], [{"units": 1}])

    monkeypatch.setattr(type(r), "prove", refuse)
    with pytest.raises(coterie.NotKAnonymous):
        r.write(target)
    assert target.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["out.csv"]
    monkeypatch.undo()
    r.write(target)
    assert smallest(pd.read_csv(target), ["x", "y"]) >= 3


def test_public_evidence_holds_no_secret():
    frame = numbers(60)
    r = coterie.anonymize(frame, random_state=12345, **PLAIN)
    public = r.evidence.json("public")
    assert "12345" not in public
    assert "hash" not in public
    assert r.evidence.internal["asked"]["random_state"] == 12345
    unseeded = coterie.anonymize(frame, **PLAIN)
    assert isinstance(unseeded.evidence.internal["asked"]["random_state"], int)  # to replay it
    assert r.evidence.internal["input_hash"]["hmac_sha256"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"missing": "ignore"}, "'missing' parameter of anonymize must be one of"),
        ({"small_strata": "x"}, "'small_strata' parameter"),
        ({"row_order": "random"}, "'row_order' parameter"),
        ({"aggregation": "maximum"}, "'aggregation' parameter"),
        ({"method": "mdaw"}, "Did you mean 'mdav'"),
        ({"quasi_identifiers": []}, "at least one column"),
        ({"quasi_identifiers": None}, "at least one column"),
        ({"quasi_identifiers": ["xx"]}, "xx"),
        ({"k": 1}, "at least 2"),
        ({"k": 31}, "number of records, 30"),
        ({"method": "mdav", "time_limit": 3}, "'time_limit' parameter is for methods that search"),
        ({"missing_codes": {"z": ["a"]}}, "would have no effect"),
        ({"method_options": {"k": 2}}, "method_options must hold options of the method only"),
        ({"method": "ilsmc", "time_limit": "soon"}, "'time_limit'"),
        ({"method_options": {"tuor": True}}, "Did you mean 'tour'"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(coterie.CoterieError, match=message):
        coterie.anonymize(numbers(), **{**PLAIN, **arguments})


values = {
    "number": st.one_of(st.floats(), st.integers(-5, 5).map(float), st.none()),
    "text": st.one_of(st.sampled_from(["a", "b", ""]), st.none(), st.text(max_size=3)),
    "flag": st.booleans(),
    "date": st.one_of(st.dates(dt.date(1900, 1, 1), dt.date(2100, 1, 1)), st.none()),
}


@given(data=st.data())
def test_tables_nobody_would_think_of_are_proven_or_refused(data):
    proven_or_refused(data)


@pytest.mark.slow
@settings(max_examples=500)
@given(data=st.data())
def test_five_hundred_tables_are_proven_or_refused(data):
    proven_or_refused(data)


def proven_or_refused(data):
    n = data.draw(st.integers(1, 25))
    names = data.draw(
        st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=4, unique=True)
    )
    columns = {}
    for name in names:
        kind = data.draw(st.sampled_from(sorted(values)))
        columns[name] = data.draw(st.lists(values[kind], min_size=n, max_size=n))
    frame = pl.DataFrame(columns, strict=False)
    k = data.draw(st.integers(2, 6))
    missing = data.draw(st.sampled_from(["error", "drop", "pattern"]))
    small = data.draw(st.sampled_from(["error", "merge", "drop"]))
    strata = names[1:2] if data.draw(st.booleans()) else []
    keys = [name for name in names if name not in strata]
    try:
        r = coterie.anonymize(
            frame, k, keys, strata=strata, missing=missing, small_strata=small, declared=names
        )
    except coterie.CoterieError as error:
        if "\n" in str(error):
            raise
        return
    assert r.data.group_by(keys + strata).len()["len"].min() >= k
