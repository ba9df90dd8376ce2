"""Figures that were wrong on the reassuring side, each beside the true one in plain pandas."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import coterie
from coterie.cli import main
from coterie.report import comparison_summary, summary
from coterie.report.dossier import board
from coterie.tuning import compare
from tests import naive_measures as naive

KEYS = ["a", "b", "c", "d"]
LEVELS = ["never", "rarely", "sometimes", "often", "daily", "always"]


def survey(seed=0):
    """600 records, four keys, 5 gaps in each of three of them."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(rng.normal(size=(600, 4)), columns=KEYS)
    for place, name in enumerate(KEYS[1:]):
        table.loc[np.arange(5) + 5 * place, name] = np.nan
    return table


def numeric_linkage(before, after):
    """Expected share of right links on standardized numbers, with pandas and NumPy alone."""
    x = ((before - before.mean()) / before.std(ddof=0)).to_numpy()
    y = ((after - before.mean()) / before.std(ddof=0)).to_numpy()
    right = 0.0
    for i in range(len(x)):
        distance = np.square(y - x[i]).sum(axis=1)
        near = distance <= distance.min() * (1 + 1e-12)
        right += near[i] / near.sum()
    return 100 * right / len(x)


def households(seed=1):
    """500 records, six keys, gaps in two of them."""
    rng = np.random.default_rng(seed)
    size = rng.integers(1, 7, 500)
    table = pd.DataFrame({"size": size, "rooms": size + rng.integers(0, 4, 500)}, dtype=float)
    for name in ("rent", "income", "age", "distance"):
        table[name] = rng.lognormal(3, 0.6, 500).round(1)
    table.loc[:19, "rent"] = np.nan
    table.loc[10:39, "income"] = np.nan
    return table


@pytest.mark.parametrize("make", [survey, households])
def test_gaps_do_not_hide_the_risk(make):
    """An intruder links on every key that is there, not on those without gaps alone."""
    table = make()
    keys = list(table.columns)
    release = coterie.anonymize(
        table,
        5,
        keys,
        declared=keys,
        method="mdav",
        missing="pattern",
        row_order="keep",
        random_state=0,
    )
    told = release.evidence.internal["measures"]["dld_expected"]
    original = table.iloc[release.crosswalk]
    right = 0.0
    for rows in original.groupby(original.isna().apply(tuple, axis=1)).groups.values():
        known = original.columns[original.loc[rows].notna().all()]
        x = (original.loc[rows, known] - original[known].mean()) / original[known].std(ddof=0)
        y = (release.data.loc[rows, known] - original[known].mean()) / original[known].std(ddof=0)
        for i in rows:
            distance = np.square(y - x.loc[i]).sum(axis=1)
            near = distance <= distance.min() * (1 + 1e-12)
            right += near[i] / near.sum()
    assert told == pytest.approx(100 * right / len(original), abs=1e-9)
    whole = original.notna().all(axis=1)
    complete = numeric_linkage(original[whole], release.data[whole.to_numpy()])
    assert told == pytest.approx(complete, abs=2.0)
    without = original.columns[original.notna().all()]
    fewer = coterie.evaluate(
        original[without], release.data[without], aligned=True, measures=["dld_expected"]
    )
    assert told > 1.5 * fewer["dld_expected"].value  # what used to be told
    found = board(release, {"dld_expected": 0.9 * told}, k=[5])
    assert found["standing"] == "missed"
    assert {row["measure"]: row["met"] for row in found["scenarios"]}["dld_expected"] is False
    asked = {"missing": "pattern", "random_state": 0, "declared": keys}
    rows = compare(table, [5], ["mdav"], keys, **asked)
    assert rows["linked"].tolist() == [told]


def test_what_is_not_measured_is_not_met():
    from coterie.report.dossier.scenarios import bars

    assert bars({"dld_expected": 100}, 5)["dld_expected"].met(None) is False
    release = coterie.anonymize(survey(), 5, KEYS, method="mdav", missing="pattern")
    found = board(release, {"distinct_l": 1}, k=[5])  # no confidential column
    assert found["standing"] == "missed"
    assert "homogeneity, values is not measured" in found["decision"]


def opinions(n=400, seed=3):
    """An ordinal key beside a number."""
    rng = np.random.default_rng(seed)
    position = np.clip(np.round(rng.normal(2.5, 1.2, n)), 0, 5).astype(int)
    return pd.DataFrame(
        {"use": [LEVELS[p] for p in position], "age": position * 8 + rng.normal(30, 6, n)}
    )


def test_ordinal_keys_are_judged_by_their_order():
    table = opinions()
    release = coterie.anonymize(
        table, 5, ["use", "age"], orders={"use": LEVELS}, method="mdav", row_order="keep"
    )
    place = {level: position for position, level in enumerate(LEVELS)}
    x, y = table["use"].map(place), release.data["use"].map(place)
    best = min(((x - level) ** 2).sum() for level in range(6))
    truth = 100 * ((x - y) ** 2).sum() / best
    assert truth < 30
    by_key = release.evidence.internal["information_loss_percent_by_key"]
    assert by_key["use"] == pytest.approx(truth, abs=1e-9)
    report = {c["name"]: c["measures"]["il"]["value"] for c in summary(release)["columns"]}
    assert report["use"] == by_key["use"]
    found = coterie.evaluate(table, release.data, aligned=True, orders={"use": LEVELS})
    assert found["il"].by_column["use"] == by_key["use"]
    unordered = coterie.evaluate(table, release.data, aligned=True)["il"].by_column["use"]
    assert unordered > 1.2 * truth  # what used to be told


def answers(n=500, seed=5):
    """Hours with 97 refused, 98 don't know and 99 no answer, beside blanks; and an age."""
    rng = np.random.default_rng(seed)
    hours = rng.integers(0, 60, n).astype(object)
    for code, start in ((97, 0), (98, 50), (99, 110)):
        hours[start : start + 40] = code
    hours[160:190] = None
    return pd.DataFrame({"hours": pd.array(hours, dtype="Int64"), "age": rng.integers(18, 90, n)})


@pytest.mark.parametrize("blanks", [False, True])
def test_missing_codes_stay_apart_and_enter_no_number(blanks):
    table = answers()
    if not blanks:
        table = table[table["hours"].notna()].reset_index(drop=True)
    codes = [97, 98, 99]
    release = coterie.anonymize(
        table,
        5,
        ["hours", "age"],
        missing_codes={"hours": codes},
        missing="pattern",
        method="mdav",
        row_order="keep",
    )
    gaps = table["hours"].isin(codes) | table["hours"].isna()
    assert gaps.sum() == (150 if blanks else 120)
    before, after = table["hours"], release.data["hours"]
    stays = (before[gaps] == after[gaps]) | (before[gaps].isna() & after[gaps].isna())
    assert stays.all()
    assert not after[~gaps].isin(codes).any()
    x, y = before[~gaps].astype(float), after[~gaps].astype(float)
    truth = 100 * ((x - y) ** 2).sum() / ((x - x.mean()) ** 2).sum()
    by_key = release.evidence.internal["information_loss_percent_by_key"]
    assert by_key["hours"] == pytest.approx(truth, abs=1e-9)
    told = summary(release)["columns"][0]
    assert [(c["label"], c["before"], c["after"]) for c in told["codes"]] == [
        ("97", 40, 40),
        ("98", 40, 40),
        ("99", 40, 40),
    ]
    assert told["measures"]["il"]["value"] == by_key["hours"]
    assert told["mean"][0] == pytest.approx(x.mean())
    found = coterie.evaluate(table, release.data, aligned=True, schema=release.schema)
    assert found["il"].by_column["hours"] == by_key["hours"]
    assert found["means"].by_column["hours"] == pytest.approx(
        abs(y.mean() - x.mean()) / x.std(ddof=0)
    )


def test_a_centroid_is_never_a_missing_code():
    table = pd.DataFrame({"x": [96, 98, 100, 94, 97, 97, 97, 10, 20, 30]})
    release = coterie.anonymize(
        table, 3, ["x"], missing_codes={"x": [97]}, missing="pattern", method="mdav"
    )
    assert (release.data["x"] == 97).sum() == 3
    one = coterie.anonymize(
        table, 3, ["x"], missing_codes={"x": [97]}, missing="drop", method="mdav"
    )
    assert 97 not in one.data["x"].tolist()


def trades(n=400, seed=7):
    """A number and a nominal key that has little to do with it."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {"income": rng.lognormal(3, 0.5, n), "trade": rng.choice(list("abcdefgh"), n)}
    )


def test_the_headline_is_the_loss_of_what_is_released():
    table = trades()
    release = coterie.anonymize(table, 5, ["income", "trade"], method="mdav", row_order="keep")
    x, y = table["income"], release.data["income"]
    income = 100 * ((x - y) ** 2).sum() / ((x - x.mean()) ** 2).sum()
    other = (table["trade"] != release.data["trade"]).sum()
    trade = 100 * other / (len(table) - table["trade"].value_counts().max())
    truth = (income + trade) / 2
    assert release.information_loss == pytest.approx(truth, abs=1e-9)
    evidence = release.evidence.internal
    assert evidence["search"]["objective_percent"] == release.partition.information_loss
    assert evidence["search"]["objective_percent"] != pytest.approx(truth, rel=0.05)
    changed = 100 * other / len(table)
    assert evidence["changed_percent_by_key"] == {"trade": pytest.approx(changed)}
    verdict = summary(release)["verdict"]
    assert f"{truth:.2g} % of the information was lost" in verdict
    assert f"trade in {changed:.2g} % of the records" in verdict


def test_numbers_and_means_lose_what_the_papers_say():
    rng = np.random.default_rng(1)
    table = pd.DataFrame(rng.lognormal(size=(300, 3)), columns=list("xyz"))
    release = coterie.anonymize(table, 4, list("xyz"), method="mdav")
    assert release.information_loss == pytest.approx(release.partition.information_loss, rel=1e-12)


def test_every_command_tells_the_same_loss():
    rng = np.random.default_rng(9)
    table = pd.DataFrame(rng.lognormal(size=(200, 3)), columns=list("xyz"))
    release = coterie.anonymize(table, 5, list("xyz"), method="mdav", row_order="keep")
    tuned = coterie.tune(table, k=5, methods=["mdav"], aggregations=["mean"], measures=["il"])
    assert tuned.table["il"].tolist() == [release.information_loss]
    compared = compare(table, [5], ["mdav"], list("xyz"))
    assert compared["information_loss"].tolist() == [release.information_loss]
    found = coterie.evaluate(table, release.data, aligned=True, measures=["il"])
    assert found["il"].value == release.information_loss
    assert summary(release)["figures"]["loss"] == release.information_loss
    assert board(release, k=[5])["sweep"][0]["information_loss"] == release.information_loss


def test_two_tools_agree_about_one_release(tmp_path, capsys):
    """Units, weights, gaps, codes and orders reach every measure, in files too."""
    rng = np.random.default_rng(11)
    n = 300
    table = pd.DataFrame(
        {
            "home": rng.integers(0, 120, n),
            "weight": rng.uniform(1, 30, n),
            "use": rng.choice(LEVELS, n),
            "code": rng.choice([11, 12, 21], n),
            "hours": rng.integers(0, 50, n).astype(float),
        }
    )
    table.loc[rng.random(n) < 0.3, "hours"] = np.nan
    arguments = {
        "orders": {"use": LEVELS},
        "types": {"code": "nominal"},
        "unit": "home",
        "sample_weight": "weight",
        "declared": ["weight"],  # one for each record
        "missing": "pattern",
        "method": "mdav",
        "row_order": "keep",
    }
    keys = ["use", "code", "hours"]
    release = coterie.anonymize(table, 4, keys, **arguments)
    found = coterie.evaluate(table, release.data, aligned=True, schema=release.schema)
    report = {one["name"]: one["value"] for one in summary(release)["measures"]}
    for name in ("il", "dld_expected", "prosecutor", "journalist", "marketer", "achieved_k"):
        assert report[name] == found[name].value, name
    classes = release.data.groupby(keys, dropna=False)
    units = [table["home"].iloc[rows].nunique() for rows in classes.indices.values()]
    assert found["achieved_k"].value == min(units)
    assert found["prosecutor"].value == pytest.approx(100 / min(units))
    population = [
        table.iloc[rows].groupby("home")["weight"].mean().sum() for rows in classes.indices.values()
    ]
    assert found["journalist"].value == pytest.approx(100 / min(population))
    # Through files: the same to the last digit.
    table.to_parquet(tmp_path / "in.parquet")
    release.write(tmp_path / "out.parquet")
    again = coterie.evaluate(
        pd.read_parquet(tmp_path / "in.parquet"),
        pd.read_parquet(tmp_path / "out.parquet"),
        aligned=True,
        schema=release.schema,
    )
    assert again.values_by_name() == found.values_by_name()
    # The command judges coterie's own release, gaps included.
    files = [str(tmp_path / name) for name in ("in.parquet", "out.parquet")]
    assert main(["evaluate", *files, "-q", "hours", "--aligned", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["measures"]
    there = table["hours"].notna()
    x, y = table["hours"][there], release.data["hours"][there]
    truth = 100 * ((x - y) ** 2).sum() / ((x - x.mean()) ** 2).sum()
    assert told["il"]["value"] == pytest.approx(truth, abs=1e-9)


def regions(n=400, seed=2):
    """Big strata beside many small ones that share a prefix, or nothing."""
    rng = np.random.default_rng(seed)
    code = rng.choice([1100, 1200], n).astype(object)
    code[:30] = [2600 + i % 15 for i in range(30)]
    return pd.DataFrame({"area": code.astype(int), "x": rng.normal(size=n)})


def test_pooled_strata_are_told_and_never_false():
    table = regions()
    arguments = {"strata": ["area"], "small_strata": "merge", "method": "mdav"}
    release = coterie.anonymize(table, 5, ["x"], row_order="keep", **arguments)
    before, after = table["area"].astype(str), release.data["area"]
    small = before.str.startswith("26")
    assert (after[~small] == before[~small]).all()
    assert (after[small] == "26*").all()
    given_up = 100 * small.mean()
    x, y = table["x"], release.data["x"]
    alone = 100 * ((x - y) ** 2).sum() / ((x - x.mean()) ** 2).sum()
    assert release.information_loss == pytest.approx((alone + given_up) / 2, abs=1e-9)
    told = summary(release)
    assert f"area given up in {given_up:.2g} %" in told["verdict"]
    assert told["figures"]["loss"] == release.information_loss
    # Without a prefix to share: other; and never a value that is there already.
    table.loc[:14, "area"] = range(7000, 7015)
    assert set(coterie.anonymize(table, 5, ["x"], **arguments).data["area"]) == {
        "1100",
        "1200",
        "other",
    }
    named = table.assign(area=table["area"].astype(str).replace("1100", "other"))
    released = coterie.anonymize(named, 5, ["x"], **arguments).data["area"]
    assert set(released) == {"other", "1200", "other (pooled)"}
    assert (released == "other").sum() == (named["area"] == "other").sum()


def test_the_terminal_tells_of_pools_and_dropped_records(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    table = regions()
    table.loc[395:, "x"] = np.nan
    table.to_csv(tmp_path / "in.csv", index=False)
    given = ["-k", "5", "-q", "x", "--strata", "area", "--small-strata", "merge"]
    target = str(tmp_path / "out.csv")
    command = ["anonymize", str(tmp_path / "in.csv"), *given, "--missing", "drop"]
    assert main([*command, "--method", "mdav", "-o", target]) == 0
    told = capsys.readouterr().err
    share = 100 * (pd.read_csv(target, dtype=str)["area"] == "26*").mean()
    assert f"area: {share:.2f} % of the records gave up theirs" in " ".join(told.split())
    assert (
        next(line for line in told.splitlines() if "information lost" in line)
        .strip()
        .endswith("without 5 records that were dropped")
    )


def test_compare_says_how_many_records_it_dropped(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    table = survey()
    gone = int(table.isna().any(axis=1).sum())
    rows = compare(table, [5, 7], ["mdav"], KEYS, missing="drop")
    assert rows["dropped"].tolist() == [gone, gone] == [15, 15]
    whole = table.dropna()
    kept = compare(whole, [5, 7], ["mdav"], KEYS)
    assert kept["dropped"].tolist() == [0, 0]
    assert kept["information_loss"].tolist() == rows["information_loss"].tolist()
    told = comparison_summary(rows, KEYS)["verdict"]
    assert told.startswith("Of 2 releases compared (without 15 records that were dropped), mdav")
    assert "dropped" not in comparison_summary(kept, KEYS)["verdict"]
    table.to_csv(tmp_path / "in.csv", index=False)
    command = ["compare", str(tmp_path / "in.csv"), "-k", "5", "--methods", "mdav"]
    command += [word for key in KEYS for word in ("-q", key)]
    assert main([*command, "--missing", "drop"]) == 0
    assert "(without 15 records that were dropped)" in capsys.readouterr().out
    assert main([*command, "--missing", "drop", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["dropped"] == 15


def test_gaps_hide_no_other_problem():
    """What is wrong with other columns, units and strata is told in the same message."""
    table = survey()
    table.loc[100, "a"] = np.inf
    table["area"] = ["n"] * 598 + ["s"] * 2
    with pytest.raises(coterie.ParameterError) as caught:
        coterie.anonymize(table, 5, [*KEYS, "e"], strata=["area"], unit="home")
    told = str(caught.value)
    for part in ("'b' (5)", "'c' (5)", "'d' (5)", "'e'", "'home'", "inf", "area"):
        assert part in told, part
    assert "\n" not in told


def test_a_value_for_pools_that_is_taken_is_refused():
    from coterie.guarantees.pooling import pooled_values

    texts = ["a", "b", "rest"]
    with pytest.raises(coterie.DataError, match=r"not be one of 'z' already\. Got 'rest'"):
        pooled_values(texts, [[0, 1]], "z", "rest")
    assert pooled_values(texts, [[0, 1]], "z", "others") == ["others", "others", "rest"]
    assert pooled_values(texts, [[2]], "z") is None


@pytest.mark.parametrize("kind", ["pandas", "categorical", "polars", "pyarrow"])
def test_pooled_strata_in_every_kind_of_table(kind):
    table = regions()
    if kind == "categorical":
        table["area"] = table["area"].astype("category")
    given = {
        "pandas": lambda t: t,
        "categorical": lambda t: t,
        "polars": lambda t: pytest.importorskip("polars").from_pandas(t),
        "pyarrow": lambda t: pytest.importorskip("pyarrow").Table.from_pandas(t),
    }[kind](table)
    r = coterie.anonymize(given, 5, ["x"], strata=["area"], small_strata="merge", method="mdav")
    values = r.data["area"].to_pylist() if kind == "pyarrow" else list(r.data["area"])
    assert set(values) == {"1100", "1200", "26*"}


@pytest.mark.parametrize("extension", [".sav", ".dta"])
def test_pooled_strata_in_labeled_files(extension, tmp_path):
    """Labels and missing ranges of numbers do not fit the text that a pooled column holds."""
    pyreadstat = pytest.importorskip("pyreadstat")
    labels = {"variable_value_labels": {"area": {1100: "north", 1200: "south"}}}
    if extension == ".sav":
        pyreadstat.write_sav(
            regions(), tmp_path / "in.sav", missing_ranges={"area": [9999]}, **labels
        )
    else:
        pyreadstat.write_dta(regions(), tmp_path / "in.dta", **labels)
    release = coterie.anonymize(
        tmp_path / f"in{extension}", 5, ["x"], strata=["area"], small_strata="merge", method="mdav"
    )
    release.write(tmp_path / f"out{extension}")
    reader = pyreadstat.read_sav if extension == ".sav" else pyreadstat.read_dta
    assert set(reader(tmp_path / f"out{extension}")[0]["area"]) == {"1100", "1200", "26*"}


def test_dropped_records_are_in_the_sentence_of_the_loss():
    table = survey()
    release = coterie.anonymize(table, 5, KEYS, missing="drop", method="mdav")
    verdict = summary(release)["verdict"]
    assert "% of the information was lost (without 15 of 600 records that were dropped)" in verdict
    public = summary(release, "public")["verdict"]
    assert "(without 15 to 19 records that were dropped)" in public


def test_a_public_report_with_units_and_a_category_with_gaps(tmp_path):
    rng = np.random.default_rng(4)
    n = 200
    table = pd.DataFrame(
        {
            "home": rng.integers(0, 90, n),
            "trade": rng.choice(list("abc"), n).astype(object),
            "age": rng.integers(18, 90, n),
        }
    )
    table.loc[rng.random(n) < 0.3, "trade"] = None
    release = coterie.anonymize(
        table, 4, ["trade", "age"], unit="home", missing="pattern", method="mdav"
    )
    told = {c["name"]: c for c in summary(release, "public")["columns"]}["trade"]
    here = table["trade"].notna()
    assert sum(told["before"]) == here.sum()
    takes = int(np.argmax(told["after"]))  # what is left of the total
    for place, (label, count) in enumerate(zip(told["labels"], told["before"], strict=True)):
        truth = (table["trade"] == label).sum()
        assert place == takes or count // told["cell"] == truth // told["cell"]
        assert table["home"][table["trade"] == label].nunique() >= 4
    release.report(tmp_path / "public.html", kind="public")


@pytest.mark.parametrize("seed", range(25))
def test_both_readings_of_normalized_have_names(seed):
    """seeds of figures: by the original's moments, or each table by its own."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(40, 3)) * [1, 5, 0.2]
    y = coterie.anonymize(
        pd.DataFrame(x, columns=list("abc")), 3, list("abc"), method="mdav", row_order="keep"
    ).data.to_numpy()

    def normal(values, of):
        return (values - of.mean(axis=0)) / of.std(axis=0)

    for moments, after in (("original", normal(y, x)), ("own", normal(y, y))):
        found = coterie.evaluate(x, y, aligned=True, moments=moments)
        before = normal(x, x)
        assert found["dld"].value == pytest.approx(naive.dld(before, after))
        near = naive.nearest(before, after)
        inside = np.abs(before - normal(y, x)[near]) <= 0.05
        assert found["sdid"].value == pytest.approx(100 * inside.mean())
        assert found["pil"].parts == pytest.approx(naive.pil_parts(before, after), abs=1e-6)
        name = {"original": "the original's moments", "own": "each table in its own moments"}
        assert name[moments] in found["dld"].note
        assert name[moments] in repr(found)


def test_some_tables_tell_the_two_readings_apart():
    differ = 0
    for seed in range(25):
        rng = np.random.default_rng(seed)
        table = pd.DataFrame(rng.normal(size=(40, 3)), columns=list("abc"))
        released = coterie.anonymize(table, 3, list("abc"), method="mdav", row_order="keep").data
        values = [
            coterie.evaluate(table, released, aligned=True, measures=["dld"], moments=m)[
                "dld"
            ].value
            for m in ("original", "own")
        ]
        differ += values[0] != values[1]
    assert differ >= 3


@pytest.mark.parametrize("engine", ["memory", "tiles"])
def test_small_strata_are_counted_in_units_by_every_engine(engine, tmp_path):
    rng = np.random.default_rng(6)
    n = 900
    table = pd.DataFrame(
        {
            "home": np.arange(n) // 3,
            "area": np.repeat([1, 2, 3], 300),
            "x": rng.normal(size=n),
            "y": rng.normal(size=n),
        }
    )
    # Twelve records of the fourth area, but two units: fewer than k.
    table.loc[:11, "area"] = 4
    table.loc[:11, "home"] = [5000, 5001] * 6
    arguments = {
        "unit": "home",
        "strata": ["area"],
        "small_strata": "drop",
        "method": "mdav",
        "random_state": 1,
    }
    table.to_parquet(tmp_path / "in.parquet")

    def protect(**more):
        given = {**arguments, **more}
        if engine == "memory":
            made = coterie.anonymize(table, 4, ["x", "y"], **given)
            return made.data, made.evidence
        files = tmp_path / "in.parquet", tmp_path / "out.parquet"
        done = coterie.distributed.anonymize(
            *files, 4, ["x", "y"], engine="tiles", tile=100, **given
        )
        return pd.read_parquet(files[1]), done.evidence

    released, evidence = protect()
    assert evidence.internal["records_dropped"] == 12
    assert len(released) == n - 12
    assert set(released["area"]) == {1, 2, 3}
    with pytest.raises(coterie.DataError, match=r"at least k = 4 units.*area=.*4.* \(2\)"):
        protect(small_strata="error")


def test_tiles_with_few_units_are_joined(tmp_path):
    """A unit with many records alike fills a tile by itself: it is joined with its neighbor."""
    rng = np.random.default_rng(8)
    home = np.repeat(np.arange(8), 60)
    table = pd.DataFrame({"home": home, "x": home + rng.normal(size=480) / 50})
    table.to_parquet(tmp_path / "in.parquet")
    done = coterie.distributed.anonymize(
        tmp_path / "in.parquet",
        tmp_path / "out.parquet",
        3,
        ["x"],
        unit="home",
        declared=["home"],
        method="mdav",
        engine="tiles",
        tile=100,
        random_state=0,
    )
    released = pd.read_parquet(tmp_path / "out.parquet")
    assert released.groupby("x")["home"].nunique().min() >= 3
    assert done.verification.achieved >= 3


def test_a_key_that_no_released_record_has_is_told_of_as_nothing():
    """Three of four records have a code for missing, the fourth is dropped."""
    table = pd.DataFrame({"b": ["y", "x", "y", "y"]})
    release = coterie.anonymize(
        table,
        k=3,
        quasi_identifiers=["b"],
        declared=["b"],
        missing_codes={"b": ["y"]},
        missing="pattern",
        small_strata="drop",
        method="mdav",
    )
    assert release.data["b"].tolist() == ["y"] * 3
    assert release.evidence.public["changed_percent_by_key"]["b"] == "not reported"


def test_no_centroid_is_negative_zero():
    """A reader can tell it from zero, so the two would be classes of their own."""
    table = pd.DataFrame({"a": [-0.0] * 4 + [0.0] * 4 + [-0.2, 0.2] * 2, "n": range(12)})
    for aggregation in ("mean", "median"):
        made = coterie.anonymize(
            table, 4, ["a"], declared=["n"], method="mdav", aggregation=aggregation
        ).data
        assert not np.signbit(made["a"][made["a"] == 0]).any()


def test_a_loss_beyond_all_numbers_is_told_as_infinite():
    """Repair moves what lies within 1e-300 of zero to the value of another column."""
    table = pd.DataFrame({"c": [48, 41, 45, 86], "a": [-7.7e-301, 6.8e-301, 5e-301, 8.3e-301]})
    release = coterie.anonymize(
        table,
        4,
        ["a", "c"],
        method="mdav",
        declared=["a", "c"],
        rules=["c <= a"],
        broken_rules="repair",
    )
    assert release.evidence.internal["information_loss_percent_by_key"]["a"] == np.inf
    assert '"information_loss_percent"' in release.evidence.json("internal")
