"""Analyses before and after: estimates against plain versions, overlap, and what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import coterie
from coterie.errors import CoterieError
from coterie.evaluation.declared import compared_sums, declared_sums
from coterie.evaluation.utility.analyses import overlap
from coterie.plan.analysis import read_analysis
from coterie.report import html, summary
from tests import naive_measures as naive

Z = 1.959963984540054


def table(rng, n=150):
    frame = pd.DataFrame({"age": rng.integers(20, 70, n).astype(float), "w": rng.uniform(1, 5, n)})
    frame["region"] = rng.choice(["east", "north", "west"], n)
    frame["sex"] = rng.choice(["f", "m"], n)
    frame["income"] = 10 * frame["age"] + 50 * (frame["sex"] == "m") + rng.normal(0, 40, n)
    return frame


def released(frame, k=5):
    groups = coterie.partition(frame[["age", "income"]].to_numpy(), k)
    means = groups.centroids[groups.labels]
    return frame.assign(age=means[:, 0], income=means[:, 1])


def judged(frame, release, *analyses, **more):
    found = coterie.evaluate(
        frame,
        release,
        ["age", "income"],
        aligned=True,
        measures=["analyses"],
        analyses=analyses,
        **more,
    )
    return found["analyses"]


@pytest.mark.parametrize("weighted", [False, True])
def test_means_totals_and_counts(rng, weighted):
    frame = table(rng)
    release = released(frame)
    weights = frame["w"].tolist() if weighted else [1.0] * len(frame)
    more = {"sample_weight": "w"} if weighted else {}
    score = judged(
        frame, release, "mean income by region", "total income", "count by region, sex", **more
    )
    by = {(one.analysis, one.term): one for one in score.estimates}
    for side, part in (("before", frame), ("after", release)):
        income = part["income"].tolist()
        for region in ("east", "north", "west"):
            inside = [i for i, r in enumerate(part["region"]) if r == region]
            mean, error = naive.domain_mean(
                [income[i] for i in inside], [weights[i] for i in inside]
            )
            got = getattr(by["mean income by region", region], side)
            assert got == pytest.approx((mean, mean - Z * error, mean + Z * error))
            parts = [
                w * (r == region and s == "f")
                for r, s, w in zip(part["region"], part["sex"], weights, strict=True)
            ]
            count, error = naive.domain_total(parts)
            got = getattr(by["count by region, sex", f"{region}, f"], side)
            assert got == pytest.approx((count, count - Z * error, count + Z * error))
        total, error = naive.domain_total([w * v for v, w in zip(income, weights, strict=True)])
        assert getattr(by["total income", "all"], side) == pytest.approx(
            (total, total - Z * error, total + Z * error)
        )
    for one in score.estimates:
        expected = naive.covered(one.before[1:], one.after[1:])
        assert one.overlap == pytest.approx(100 * expected)
    assert score.value == pytest.approx(np.mean(list(score.parts.values())))
    assert score.parts["count by region, sex"] == 100.0  # neither column is changed


def test_regressions(rng):
    frame = table(rng)
    release = released(frame)
    score = judged(frame, release, "income ~ age + sex")
    by = {one.term: one for one in score.estimates}
    other = next(name for name in by if name.startswith("sex = "))
    for side, part in (("before", frame), ("after", release)):
        dummy = (part["sex"] == other.removeprefix("sex = ")).astype(float)
        X = np.column_stack([np.ones(len(part)), part["age"], dummy])
        beta, rest, *_ = np.linalg.lstsq(X, part["income"].to_numpy(), rcond=None)
        errors = np.sqrt(np.diag(np.linalg.inv(X.T @ X)) * rest[0] / (len(part) - 3))
        for term, b, e in zip(("intercept", "age", other), beta, errors, strict=True):
            assert getattr(by[term], side) == pytest.approx((b, b - Z * e, b + Z * e), rel=1e-6)
    constant = judged(frame.assign(age=1.0), release.assign(age=1.0), "income ~ age")
    assert constant.value == 0.0  # no coefficient of its own: nothing to overlap


@pytest.mark.parametrize(
    ("first", "second", "share"),
    [
        ((2.0, 1.0, 3.0), (2.5, 2.0, 6.0), (1 / 2 + 1 / 4) / 2),
        ((2.5, 2.0, 6.0), (2.0, 1.0, 3.0), (1 / 2 + 1 / 4) / 2),
        ((2.0, 1.0, 3.0), (2.1, 1.9, 2.3), (0.4 / 2 + 1) / 2),  # one within the other
        ((2.0, 1.0, 3.0), (2.95, 2.9, 3.4), (0.1 / 2 + 0.1 / 0.5) / 2),
        ((2.0, 1.0, 3.0), (4.0, 3.0, 5.0), 0.0),  # they touch
        ((2.0, 1.0, 3.0), (5.0, 4.0, 6.0), 0.0),
        ((2.0, 1.0, 3.0), (3.0, 3.0, 3.0), 1 / 2),  # a point is covered, and covers nothing
        ((2.0, 1.0, 3.0), (2.5, 2.5, 2.5), 1 / 2),
        ((2.0, 2.0, 2.0), (2.0, 2.0, 2.0), 1.0),
        ((2.0, 2.0, 2.0), (2.05, 2.05, 2.05), 0.0),
        ((2.0, 1.0, 3.0), (np.nan, np.nan, np.nan), 0.0),
        ((np.nan, np.nan, np.nan), (2.0, 1.0, 3.0), 0.0),
        ((np.nan, np.nan, np.nan), (np.nan, np.nan, np.nan), 0.0),
    ],
)
def test_overlap_by_hand(first, second, share):
    assert overlap(first, second) == pytest.approx(share)


def test_parts_of_a_table_add_up(rng):
    frame = table(rng, 300)
    frame.loc[::7, "income"] *= 1e6
    frame["rank"] = np.arange(300) // 60  # a number; "sex" has one value in some of the parts
    frame = frame.sort_values(["sex", "region"], ignore_index=True)
    schema = coterie.table.infer(coterie.table.read(frame), quasi_identifiers=["age", "income"])
    asked = ["mean income by region, rank", "total income", "count by sex", "income ~ age + region"]
    release = released(frame)

    def compared(cuts):
        parts = [rows for rows in np.split(np.arange(300), cuts) if len(rows)]
        sums = [
            declared_sums(frame.iloc[rows], release.iloc[rows], schema, asked) for rows in parts
        ]
        return compared_sums(sums, asked)

    whole = judged(frame, release, *asked)
    for cuts in ([], [1], [37, 150, 151], np.sort(rng.integers(0, 300, 12))):
        found = compared(cuts)
        assert found.value == pytest.approx(whole.value)
        assert len(found.estimates) == len(whole.estimates)
        for one, other in zip(found.estimates, whole.estimates, strict=True):
            assert (one.analysis, one.term) == (other.analysis, other.term)
            assert one.before == pytest.approx(other.before)
            assert one.after == pytest.approx(other.after)
            if "~" not in one.analysis:
                assert one == other  # to the last digit


def test_numbers_near_the_ends_of_what_a_float_holds():
    frame = pd.DataFrame({"x": [1e300, 3e300, 5e300, 6e300, 2e300], "y": [1.0, 2.0, 3.0, 4.0, 2.0]})
    frame["w"] = 1e200
    score = judged(frame.assign(age=1.0, income=1.0), frame.assign(age=1.0, income=1.0), "y ~ x")
    slope = np.polyfit(frame.x / 1e300, frame.y, 1)[0]
    assert score.estimates[1].before[0] == pytest.approx(slope / 1e300)
    more = frame.assign(age=1.0, income=1.0)
    score = judged(more, more, "mean x", "total x", sample_weight="w")
    by = {one.analysis: one.before for one in score.estimates}
    assert by["mean x"][0] == pytest.approx(3.4e300)
    error = 1.96 * np.sqrt(np.square(frame.x / 1e300 - 3.4).sum()) / 5
    assert by["mean x"][2] == pytest.approx((3.4 + error) * 1e300, rel=1e-3)
    assert "total x" not in by  # beyond every float


def test_a_column_that_is_called_intercept(rng):
    frame = table(rng)
    frame["intercept"] = frame["age"]
    score = judged(frame, frame, "income ~ intercept")
    assert score.value == 100.0
    slope, constant = np.polyfit(frame["intercept"], frame["income"], 1)
    found = {one.term: one.before[0] for one in score.estimates}
    assert found == pytest.approx({"intercept": constant, "'intercept'": slope})


def test_domains_that_read_alike_are_told_apart(rng):
    values = [0.3, 0.1 + 0.2, 1.0]
    frame = table(rng, 90).assign(u=np.repeat(values, 30))
    frame["p"], frame["q"] = ["a, b"] * 45 + ["a"] * 45, ["c"] * 45 + ["b, c"] * 45
    numbers, words = (
        {one.term: one.before[0] for one in judged(frame, frame, text).estimates}
        for text in ("count by u", "count by p, q")
    )
    assert numbers == {"0.3": 30, "0.30000000000000004": 30, "1.0": 30}
    assert words == {"'a', 'b, c'": 45, "'a, b', 'c'": 45}
    # Neither is one compared with the other where each table has only one of them.
    score = judged(frame[:30], frame[:30].assign(u=values[1]), "count by u")
    assert [one.overlap for one in score.estimates] == [0.0, 0.0]


def test_the_first_category_is_one_that_both_tables_have(rng):
    """Where it is missing, the others add up to the intercept, and nothing is estimated."""
    frame = table(rng, 90)
    frame["c"] = ["a", "a", *rng.choice(["b", "c", "d"], 88)]
    release = frame.assign(c=frame["c"].replace("a", "b"))
    by = {one.term: one for one in judged(frame, release, "income ~ c").estimates}
    assert list(by) == ["intercept", "c = a", "c = c", "c = d"]
    for side, part in (("before", frame), ("after", release)):
        mean = part.groupby("c")["income"].mean()
        assert getattr(by["intercept"], side)[0] == pytest.approx(mean["b"])
        assert getattr(by["c = c"], side)[0] == pytest.approx(mean["c"] - mean["b"])
    assert by["c = c"].overlap > 50.0
    assert by["c = a"].overlap == 0.0
    assert np.isnan(by["c = a"].after[0])


@pytest.mark.parametrize("small", ["x", "y"])
def test_a_part_of_zeros_leaves_small_numbers_as_they_are(rng, small):
    """A column that is all zeros in one part has no size: 1e-200 of another keeps its own."""
    frame = pd.DataFrame({"x": rng.normal(size=60), "y": rng.normal(size=60)})
    frame.loc[:29, small] = 0.0
    slope, constant = np.polyfit(frame["x"], frame["y"], 1)
    scale = 1e-200 if small == "y" else 1e200
    frame[small] *= 1e-200
    schema = coterie.table.infer(coterie.table.read(frame), quasi_identifiers=["x", "y"])
    parts = [frame[:30], frame[30:]]
    sums = [declared_sums(part, part, schema, ["y ~ x"]) for part in parts]
    found = {one.term: one.before[0] for one in compared_sums(sums, ["y ~ x"]).estimates}
    constant *= scale if small == "y" else 1.0
    assert found == pytest.approx({"intercept": constant, "x": slope * scale}, rel=1e-9, abs=0.0)


def test_equal_tables_overlap_wholly_and_gaps_are_left_out(rng):
    frame = table(rng)
    frame.loc[::10, "income"] = np.nan
    score = judged(frame, frame, "income ~ age", "mean income by sex", "total income")
    assert score.value == 100.0
    shifted = frame.assign(income=frame["income"] + 1e6)
    assert judged(frame, shifted, "mean income").value == 0.0


@pytest.mark.parametrize(
    "text",
    ["income", "~ age", "income ~", "income ~ income", "mean", "count", "median x", "a ~ b+"],
)
def test_what_cannot_be_read_is_refused(text):
    with pytest.raises(ValueError, match="An analysis must read"):
        read_analysis(text)
    with pytest.raises(CoterieError, match="An analysis must read"):
        coterie.Plan(k=3, quasi_identifiers=["a"], analyses=[text])


def test_a_plan_declares_them_and_the_internal_report_shows_them(rng):
    frame = table(rng)
    plan = coterie.Plan(
        k=5,
        quasi_identifiers=["age", "income"],
        analyses=["mean income by region", "income ~ age"],
        method="mdav",
        random_state=0,
        declared=["w"],
    )
    release = coterie.anonymize(frame, plan)
    told = summary(release)
    assert {one["analysis"] for one in told["analyses"]} == set(plan.analyses)
    assert "Analyses before and after" in html(told)
    public = summary(release, "public")
    assert "analyses" not in public
    assert "mean income by region" not in html(public)
    for wrong, text in (
        ("mean wage by region", "column in analysis"),
        ("mean region by sex", "needs numbers of 'region'"),
    ):
        with pytest.raises(CoterieError, match=text):
            coterie.anonymize(frame, plan.replace(analyses=[wrong]))
    with pytest.raises(CoterieError, match="needs numbers of 'region'"):
        judged(frame, frame, "mean region by sex")
    with pytest.raises(CoterieError, match="wage"):
        judged(frame, frame, "mean wage")
