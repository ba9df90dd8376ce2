"""Guards: what would give respondents away is refused, with every way out, or excepted by name."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import coterie
from coterie.advice.guards import objections
from coterie.table import infer, read
from coterie.table.naming import direct_word


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def against(table, **roles):
    """What speaks against a table, by columns."""
    source = read(table)
    return {one.columns: one for one in objections(source, infer(source, **roles))}


def births(rng, n=500):
    born = pd.to_datetime("1940-01-01") + pd.to_timedelta(rng.integers(0, 15000, n), unit="D")
    return pd.DataFrame({"age": rng.integers(18, 80, n), "date_of_birth": born.date})


def test_dates_that_hardly_repeat_are_refused_and_may_be_declared(rng):
    table = births(rng)
    with pytest.raises(coterie.DataError) as refused:
        coterie.anonymize(table, 5, ["age"], method="mdav")
    text = str(refused.value)
    for way in ("confidential=['date_of_birth']", "-q", "--drop", "--declare"):
        assert way in text
    release = coterie.anonymize(table, 5, ["age"], method="mdav", declared=["date_of_birth"])
    excepted = release.evidence.internal["declared_exceptions"]["date_of_birth"]
    assert "different values in 500 records" in excepted[0]
    assert "declared_exceptions" not in release.evidence.public
    for roles in ({"identifiers": ["date_of_birth"]}, {"confidential": ["date_of_birth"]}):
        assert against(table, quasi_identifiers=["age"], **roles) == {}


def test_moments_and_numbers_of_their_own_are_refused(rng):
    n = 5000
    stamp = pd.to_datetime("2020-01-01") + pd.to_timedelta(rng.permutation(n) * 61, unit="s")
    table = pd.DataFrame({"age": rng.integers(18, 80, n), "seen": stamp, "x": rng.normal(0, 1, n)})
    found = against(table, quasi_identifiers=["age"])
    assert set(found) == {("seen",), ("x",)}


def test_values_that_repeat_pass(rng):
    table = pd.DataFrame({"age": rng.integers(18, 80, 500), "x": rng.integers(0, 50, 500)})
    assert against(table, quasi_identifiers=["age"]) == {}


def panel(rng, persons=150, years=8):
    return pd.DataFrame(
        {
            "nr": np.repeat(rng.choice(10_000, persons, replace=False), years),
            "year": np.tile(np.arange(years) + 1980, persons),
            "school": np.repeat(rng.integers(8, 18, persons), years),
            "union": rng.integers(0, 2, persons * years),
        }
    )


@pytest.mark.parametrize("roles", [{}, {"identifiers": ["nr"]}])
def test_a_number_of_persons_that_repeats_asks_for_the_unit(rng, roles):
    found = against(panel(rng), quasi_identifiers=["school", "year"], **roles)
    assert list(found) == [("nr",)]
    assert "150 values, 8 records each" in found["nr",].reason
    assert "unit='nr' (--unit)" in found["nr",].remedy
    assert against(panel(rng), quasi_identifiers=["school", "year"], unit="nr") == {}


def test_a_year_is_no_unit(rng):
    table = panel(rng, persons=100, years=20).drop(columns="nr")
    table["cpi"] = table["year"] * 1.5
    found = against(table, quasi_identifiers=["school"], identifiers=["year"])
    assert found == {}


def households(rng, count=300):
    size = rng.integers(1, 6, count)
    of = np.repeat(np.arange(count), size)
    table = pd.DataFrame({"HHID": of + 1000, "age": rng.integers(0, 90, len(of))})
    table["wgt"] = rng.gamma(5, 100, count).round(3)[of]
    return table


def test_a_weight_that_rebuilds_households_is_refused(rng):
    table = households(rng)
    roles = {"quasi_identifiers": ["age"], "unit": "HHID", "sample_weight": "wgt"}
    found = against(table, **roles)
    assert "rebuilds" in found["wgt",].reason
    assert "round it" in found["wgt",].remedy
    with pytest.raises(coterie.DataError, match="rebuilds 100 % of the units"):
        coterie.anonymize(table, 5, ["age"], unit="HHID", sample_weight="wgt", method="mdav")
    table["wgt"] = table["wgt"].round(-2) + 50
    assert against(table, **roles) == {}


def survey(rng, n=400):
    table = pd.DataFrame({"age": rng.integers(18, 80, n), "bmi": rng.normal(25, 4, n).round(1)})
    table["wgt"] = rng.gamma(5, 100, n).round(4)
    return table


def test_a_weight_that_is_nearly_unique_is_refused_with_the_ways_out(rng):
    table = survey(rng)
    asked = {"quasi_identifiers": ["age", "bmi"], "sample_weight": "wgt", "method": "mdav"}
    with pytest.raises(coterie.DataError) as refused:
        coterie.anonymize(table, 5, **asked)
    text = str(refused.value)
    assert "'wgt' has 400 different values in 400 records" in text
    for way in ("round it", "identifiers=['wgt'] (--drop)", "declared=['wgt'] (--declare)"):
        assert way in text
    assert "-q" not in text  # a weight is no key
    assert "confidential" not in text
    # Each way that is told works, and where it is used it counts alike.
    used = coterie.anonymize(table, 5, **asked, identifiers=["wgt"], row_order="keep")
    kept = coterie.anonymize(table, 5, **asked, declared=["wgt"], row_order="keep")
    plain = coterie.anonymize(table.drop(columns="wgt"), 5, ["age", "bmi"], method="mdav")
    assert list(used.data.columns) == ["age", "bmi"]
    pd.testing.assert_frame_equal(used.data, kept.data[["age", "bmi"]])
    assert set(map(tuple, used.data.to_numpy())) != set(map(tuple, plain.data.to_numpy()))
    assert "different values" in kept.evidence.internal["declared_exceptions"]["wgt"][0]
    table["wgt"] = table["wgt"].round(-2) + 50
    assert "wgt" in coterie.anonymize(table, 5, **asked).data.columns


def test_a_weight_of_units_alone_is_refused(rng):
    """In one record of each person it is another one: nothing is rebuilt, all are told apart."""
    table = pd.DataFrame({"person": np.repeat(np.arange(200), 2), "age": np.repeat(30, 400)})
    shared = rng.gamma(5, 100, 200).round(4)
    table["wgt"] = np.column_stack([shared, np.full(200, 7.0)]).ravel()
    table.loc[::4, "wgt"] = 7.0  # of half of them
    roles = {"quasi_identifiers": ["age"], "unit": "person", "sample_weight": "wgt"}
    found = against(table, **roles)
    assert "nobody else has for 100 of 200 values of 'person'" in found["wgt",].reason
    table.loc[::8, "wgt"] = 7.0
    table.loc[2::8, "wgt"] = 7.0
    assert against(table, **roles) == {}


def test_a_weight_that_is_dropped_is_used_and_stays_in_the_plan(rng, tmp_path):
    table = survey(rng)
    table.to_csv(tmp_path / "in.csv", index=False)
    plan = coterie.Plan(
        k=5,
        quasi_identifiers=["age", "bmi"],
        sample_weight="wgt",
        identifiers=["wgt"],
        method="mdav",
    )
    again = coterie.Plan.from_toml(plan.to_toml())
    assert (again.sample_weight, again.identifiers) == ("wgt", plan.identifiers)
    release = coterie.anonymize(tmp_path / "in.csv", plan)
    release.write(tmp_path / "out.csv")
    out = pd.read_csv(tmp_path / "out.csv")
    assert list(out.columns) == ["age", "bmi"]
    found = coterie.verify(tmp_path / "out.csv", plan)
    assert found is not None
    risk = coterie.evaluate(
        table,
        coterie.anonymize(table, plan.replace(row_order="keep")).data,
        plan,
        aligned=True,
        measures=["population_risk"],
    )
    assert not risk.refused


def firms(rng, n=400):
    table = pd.DataFrame(
        {
            "staff": rng.integers(1, 60, n),
            "goods": rng.gamma(1, 1e5, n).round(2),
            "services": rng.gamma(1, 1e5, n).round(2),
            "popul": np.exp(rng.normal(9, 1, n)).round(0),
        }
    )
    table["turnover"] = table["goods"] + table["services"]
    table["logpopul"] = np.log(table["popul"]).round(3)
    return table


def test_columns_that_give_a_key_back_are_refused(rng):
    table = firms(rng)
    given = {"quasi_identifiers": ["staff", "turnover", "popul"]}
    kept = ["goods", "services", "logpopul"]
    found = against(table, **given, confidential=kept)
    assert set(found) == {("goods", "services"), ("logpopul",)}
    assert "turnover = goods + services" in found["goods", "services"].reason
    with pytest.raises(coterie.DataError) as refused:  # all of them in the first message
        coterie.anonymize(table, 5, **given, confidential=kept, method="mdav")
    assert "'turnover'" in str(refused.value)
    assert "'popul'" in str(refused.value)
    release = coterie.anonymize(
        table, 5, **given, confidential=kept, declared=["goods", "logpopul"], method="mdav"
    )
    assert set(release.evidence.internal["declared_exceptions"]) == {"goods", "logpopul"}
    assert against(table, quasi_identifiers=["staff", *kept, "turnover", "popul"]) == {}


def test_every_problem_is_in_the_first_message_beside_gaps(rng):
    table = births(rng)
    table["income"] = np.where(rng.random(500) < 0.1, np.nan, 1000.0)
    with pytest.raises(coterie.CoterieError) as refused:
        coterie.anonymize(table, 5, ["age", "income", "agee"], method="mdav")
    for word in ("'agee'", "'income' (", "'date_of_birth'"):
        assert word in str(refused.value)


def test_tiles_refuse_what_memory_refuses(rng, tmp_path):
    births(rng).to_parquet(tmp_path / "in.parquet")
    with pytest.raises(coterie.DataError, match="date_of_birth"):
        coterie.distributed.anonymize(
            tmp_path / "in.parquet", tmp_path / "out.parquet", 5, ["age"], engine="tiles"
        )


@pytest.mark.parametrize(
    "odd",
    [
        [None] * 30,
        [[1], [2]] * 15,
        [b"a", b"b"] * 15,
        [pd.Timedelta(1, "s"), None] * 15,
        [float("inf"), 1.0] * 15,
        [float("inf"), None] * 15,
        [1e12, float("inf")] * 15,
        [-float("inf"), float("inf")] * 15,
        [10**15 + 1, 2] * 15,
    ],
)
def test_odd_columns_do_no_harm(odd):
    table = pd.DataFrame({"age": list(range(30)), "odd": odd})
    assert set(against(table, quasi_identifiers=["age"])) <= {("odd",)}
    coterie.look(table)


def test_a_panel_of_places_is_told_by_its_times(rng):
    states = np.repeat(np.arange(1, 25), 6)
    table = pd.DataFrame(
        {
            "state": states,
            "year": np.tile(np.arange(1990, 1996), 24),
            "unemployed": rng.normal(5, 1, len(states)).round(1),
        }
    )
    assert coterie.look(table).roles("unit") == ("state",)
    assert coterie.look(table.drop(index=[3, 40])).roles("unit") == ("state",)
    people = pd.concat([table, table])  # several people of a state and year: the state is no unit
    assert coterie.look(people).roles("unit") == ()


@pytest.mark.parametrize(
    ("name", "direct"),
    [
        ("distid", True),
        ("persnum", True),
        ("hhno", True),
        ("schidkn", True),
        ("medicaid", False),
        ("paid", False),
        ("covid", False),
        ("number", False),
    ],
)
def test_numbers_with_their_owner_in_front(name, direct):
    assert (direct_word(name) is not None) == direct
