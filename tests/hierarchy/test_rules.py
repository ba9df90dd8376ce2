"""Hierarchies from rules, files and mappings, and the one checker."""

from __future__ import annotations

import datetime
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import coterie
from coterie.errors import DataError
from coterie.hierarchy import build, check_rule, found_in, of_paths, read_levels, write_levels
from coterie.hierarchy.intervals import IntervalSteps
from tests import naive_hierarchy as naive


def test_prefixes_count_letters_and_digits_not_separators():
    tree = build({"prefix": [2, 3, 4]}).closed(["26.20", "26.30", "01.11"])
    assert tree.path("26.20") == ("26.20", "26.2", "26", "*")
    assert tree.levels == (1 / 3,) * 3  # four signs are the whole code: no level of its own
    assert build({"prefix": [1, 2]}).path(2611) == ("2611", "26", "2", "*")


def test_a_code_shorter_than_the_others_stands_for_itself():
    tree = build({"prefix": [1, 3]}).closed(["C50.1", "C50"])
    assert tree.path("C50") == ("C50", "C50", "C", "*")
    assert tree.given_up("C50", "C50") == 0
    assert tree.given_up("C50.1", "C50") == pytest.approx(1 / 3)
    assert not found_in("icd", tree, ["C50.1", "C50"])


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (-3, ("-3", "[-5, 0)", "[-10, 0)", "*")),
        (23.5, ("23.5", "[20, 25)", "[20, 30)", "*")),
        (25, ("25", "[25, 30)", "[20, 30)", "*")),
    ],
)
def test_bands(value, path):
    assert build({"bands": [5, 10]}).path(value) == path


def test_bands_of_tenths_are_exact():
    tree = build({"bands": [0.1, 0.3]})
    assert tree.path(0.3) == ("0.3", "[0.3, 0.4)", "[0.3, 0.6)", "*")


@pytest.mark.parametrize("value", [1e300, -1e300, 2.0**63, 1e16, 5e-324, -1.7976931348623157e308])
@pytest.mark.parametrize("width", [5, 0.25, 1e-9, 1e299])
def test_bands_hold_any_float(value, width):
    """Beyond 28 digits decimals round unless they are told not to: bands that hold nothing."""
    label = build({"bands": [width]}).path(value)[1]
    low, high = map(Fraction, label[1:-1].split(", "))
    assert low <= Fraction(repr(value)) < high
    assert high - low == Fraction(repr(width))
    assert IntervalSteps(width).text(value, value) == label


def test_the_last_dates_there_are_have_an_end():
    for step in ("month", "year", "decade"):
        last = float((datetime.date.max - datetime.date(1970, 1, 1)).days)
        first, end = IntervalSteps(step).bounds(IntervalSteps(step).text(last, last))
        assert first <= last < end


def test_dates():
    tree = build({"dates": ["year", "month", "quarter", "decade"]})
    path = ("1989-12-31", "1989-12", "1989-Q4", "1989", "1980s", "*")
    assert tree.path(datetime.date(1989, 12, 31)) == path
    assert tree.path(datetime.datetime(1989, 12, 31)) == path
    assert tree.path("1989-12-31") == path


def test_a_nested_mapping_may_have_branches_of_any_length():
    tree = build({"Services": {"IT": ["6201", "6202"]}, "Farms": ["0111", "0112"]})
    assert tree.path("6202") == ("6202", "IT", "Services", "*")
    assert tree.path("0112") == ("0112", "0112", "Farms", "*")


@pytest.mark.parametrize(
    "rule",
    [
        {},
        {"prefix": []},
        {"prefix": [0]},
        {"prefix": [1], "bands": [5]},
        {"bands": [5, 12]},
        {"bands": [5, 5]},
        {"dates": ["week"]},
        {"prefix": [1], "weights": [-1, 2]},
        {"tree": {}},
        7,
    ],
)
def test_what_is_no_rule(rule):
    with pytest.raises((TypeError, ValueError)):
        check_rule(rule)


def test_files_are_read_and_written_in_the_same_layout(tmp_path):
    path = tmp_path / "nace.csv"
    path.write_text('﻿0111;01;A;*\n0112;01;A;*\n"6201;x";62;J;*\n', encoding="utf-8")
    tree = build(str(path))
    assert tree.path("6201;x") == ("6201;x", "62", "J", "*")
    text = write_levels(tree.path(value) for value in tree.rungs.listed())
    path.write_text(text, encoding="utf-8")
    assert [row[0] for row in read_levels(path)] == ["0111", "0112", "6201;x"]


def test_all_problems_of_a_file_at_once(tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text("a;x;*\na;y;*\nb;z;*\nx;y;*\nc;;*\n", encoding="utf-8")
    with pytest.raises(DataError) as error:
        build(str(path))
    text = str(error.value)
    assert "'a' has two paths" in text
    assert "without a label" in text
    assert "'x'" in text
    path.write_text("a;x;*\nb;*\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"row 2 \(2\): 'b'"):
        build(str(path))
    with pytest.raises(DataError, match="cannot be read"):
        build(str(tmp_path / "none.csv"))


def test_levels_nest_and_labels_mean_one_thing():
    assert "two places" in of_paths([("a", "m", "X"), ("b", "m", "Y")])[1][0]
    assert "mean one thing" in of_paths([("a", "b", "X"), ("b", "c", "X"), ("d", "e", "Y")])[1][0]
    assert of_paths([("a", "a", "X"), ("b", "a", "X"), ("d", "e", "Y")])[1] == []


def test_unknown_values_come_with_the_nearest_one():
    tree, _ = of_paths([("C50.1", "C"), ("I21.0", "I")])
    (text,) = found_in("icd", tree, ["C50.1", "C5O.1", "Z99"])
    assert "'C5O.1' (near 'C50.1'), 'Z99'" in text


def test_random_trees_agree_with_the_oracle():
    rng = np.random.default_rng(7)
    for _ in range(1000):
        levels = int(rng.integers(1, 6))
        paths = naive.random_tree(rng, levels, int(rng.integers(2, 20)))
        tree, problems = of_paths(paths)
        assert problems == []
        kept = [j for j in range(levels) if j == 0 or any(p[j] != p[j - 1] for p in paths)]
        if levels > 1 and len({path[-1] for path in paths}) == 1:
            kept = [j for j in kept if j < levels - 1]
            paths = [(*path[:-1], "*") for path in paths]  # the last level is the root
            root = tree.root
        else:
            root = "*"
        short = [tuple(path[j] for j in kept) for path in paths]
        for path in short:
            assert tree.path(path[0])[:-1] == path
        some = [short[i] for i in rng.integers(0, len(short), 3)]
        shared = naive.ancestor(some)
        for path in some:
            told = tree.given_up(path[0], root if shared == "*" else shared)
            assert told == pytest.approx(float(naive.loss(path, shared)))
        one, other = some[:2]
        assert tree.given_up(one[0], other[0]) == pytest.approx(
            float(naive.distance(one, other))
            if one[0] not in other and other[0] not in one
            else float(min(naive.distance(one, other), naive.loss(one, other[0])))
            if other[0] in one
            else float(naive.distance(one, other))
        )


@pytest.mark.parametrize("step", ["month", "quarter", "year", "decade"])
def test_intervals_of_dates_hold_their_ends(step):
    rng = np.random.default_rng(3)
    steps = IntervalSteps(step)
    for _ in range(1000):
        low, high = np.sort(rng.integers(-30_000, 30_000, 2)).tolist()
        first, last = steps.bounds(steps.text(low, high))
        assert first <= low <= high < last
        assert steps.bounds(steps.text(first, last - 1)) == (first, last)


def test_intervals_of_numbers_agree_with_the_oracle():
    rng = np.random.default_rng(4)
    for _ in range(1000):
        step = int(rng.integers(2, 30))
        values = rng.integers(-500, 500, 4).tolist()
        assert IntervalSteps(step).bounds(
            IntervalSteps(step).text(min(values), max(values))
        ) == naive.interval(values, step)
    assert IntervalSteps(0.1).text(0.3, 0.3) == "[0.3, 0.4)"
    assert IntervalSteps(5).shows([5.0, 10.0])
    assert not IntervalSteps(5).shows([5.0, 11.0])


def test_names_of_levels_above_a_file_are_refused_and_separators_at_the_end_are_not(tmp_path):
    path = tmp_path / "h.csv"
    path.write_text("code;group;all\nC50;C;*\nC61;C;*\nJ10;J;*\n")
    with pytest.raises(coterie.DataError, match="must not begin with names of levels"):
        build(str(path))
    path.write_text("C50;C;*;\nC61;C;*;\nJ10;J;*;\n")
    assert build(str(path)).path("C61") == ("C61", "C", "*")
    path.write_text("C50;C\nC61;C\nJ10;J\n")  # without a root, and no header
    assert build(str(path)).path("J10") == ("J10", "J", "*")


def test_a_file_beside_the_settings_is_found_from_anywhere(tmp_path, monkeypatch):
    (tmp_path / "icd.csv").write_text("C50;C;*\nC61;C;*\nJ10;J;*\n")
    settings = tmp_path / "plan.toml"
    settings.write_text(
        'k = 3\nquasi_identifiers = ["icd"]\n[columns.icd]\nhierarchy = "icd.csv"\n'
    )
    monkeypatch.chdir(tmp_path.parent)
    plan = coterie.Plan.from_toml(settings)
    assert plan.hierarchies == {"icd": {"file": str(tmp_path / "icd.csv")}}
    table = pd.DataFrame({"icd": ["C50", "C61", "J10"] * 4})
    assert coterie.anonymize(table, plan).verification.achieved >= 3


def test_a_file_with_rows_of_several_lengths_tells_all_that_is_wrong(tmp_path):
    path = tmp_path / "isco.csv"
    path.write_text("2611;261;26;*\n2612;261;27;*\n3111;311;31;*\n3112;311\n3113;311;31;x;*\n")
    with pytest.raises(DataError) as caught:
        read_levels(path)
    words = str(caught.value)
    assert "4 in most, but not in row 4 (2): '3112', row 5 (5): '3113'" in words
    assert "'261' under '26' and '27'" in words
    with pytest.raises(DataError, match="Did you mean 'bands:5,10'"):
        read_levels("band:5,10")
