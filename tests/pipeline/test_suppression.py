"""Bounded suppression: the groups that cost most, never more than asked."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

import coterie
from coterie.pipeline.suppression import SuppressionCosts, to_suppress


def part(costs, sizes, first, units=None):
    """Groups of a part."""
    costs, sizes, first = (np.asarray(values) for values in (costs, sizes, first))
    return SuppressionCosts(costs, sizes, first, units, "squared distances")


def test_no_choice_of_as_many_whole_groups_gains_more():
    rng = np.random.default_rng(2)
    for _ in range(60):
        costs = rng.gamma(1.0, 10.0, 6)
        share = float(rng.uniform(0, 0.5))
        # However the groups lie in parts, the same ones go.
        cuts = np.sort(rng.integers(0, 7, 2))
        parts = [
            part(costs[rows], np.full(len(rows), 3), rows)
            for rows in np.split(np.arange(6), cuts)
            if len(rows)
        ]
        suppressed = np.flatnonzero(np.concatenate(to_suppress(parts, share)))
        assert 3 * len(suppressed) <= share * 18 + 1e-9 < 3 * len(suppressed) + 3
        best = max(sum(some) for some in itertools.combinations(costs, len(suppressed)))
        assert costs[suppressed].sum() == pytest.approx(best)


def test_of_equal_groups_the_one_that_comes_first_goes():
    one, other = part([2.0, 4.0], [2, 4], [5, 1]), part([1.0], [2], [0])
    assert [suppressed.tolist() for suppressed in to_suppress([one, other], 0.5)] == [
        [False, True],
        [False],
    ]
    one = part([4.0, 2.0], [4, 4], [5, 9])
    assert [
        suppressed.tolist() for suppressed in to_suppress([one, part([4.0], [4], [3])], 0.4)
    ] == [
        [False, False],
        [True],
    ]


def test_units_are_counted_where_there_are_some():
    def suppressed(*units):
        parts = [part([40.5], [2], [0], [units[0]]), part([0.0], [2], [2], [units[1]])]
        return [one.tolist() for one in to_suppress(parts, 0.5)]

    assert suppressed({0, 1}, {2}) == [[False], [False]]  # two of three units
    assert suppressed({0}, {1, 2}) == [[True], [False]]


def test_the_release_leaves_out_the_outliers_and_says_so():
    rng = np.random.default_rng(3)
    table = pd.DataFrame({"x": [*rng.normal(0, 1, 57), 900.0, 700.0, 500.0], "y": np.arange(60)})
    out = coterie.anonymize(
        table, 3, ["x"], method="mdav", suppress_at_most=0.05, declared=["y"], row_order="keep"
    )
    assert sorted(set(table.y) - set(out.data.y)) == [57, 58, 59]
    told = out.evidence.internal["suppressed"]
    assert told["records"] == 3
    assert told["objective_percent_of_the_rest"] < told["objective_percent_with_all"]
    assert told["objective"] == "squared distances"
    assert out.evidence.internal["records_dropped"] == 3
    assert out.verification.achieved >= 3
    none = coterie.anonymize(table, 3, ["x"], method="mdav", suppress_at_most=0.04, declared=["y"])
    assert none.evidence.internal["suppressed"]["records"] == 0


def test_what_is_released_decides_where_keys_have_labels():
    rng = np.random.default_rng(4)
    codes = rng.choice([f"{a}{b}{c}" for a in "ABC" for b in "12" for c in "34"], 90)
    table = pd.DataFrame({"code": codes, "age": rng.integers(20, 80, 90), "row": range(90)})
    asked = {
        "hierarchies": {"code": {"prefix": [1, 2]}},
        "releases": {"age": "interval"},
        "steps": {"age": 5},
        "declared": ["row"],
        "random_state": 1,
        "row_order": "keep",
        "method": "mdav",
    }
    whole = coterie.anonymize(table, 3, ["code", "age"], **asked)
    some = coterie.anonymize(table, 3, ["code", "age"], suppress_at_most=0.1, **asked)

    def lost(row):
        """Share of the levels, and width over that of the table's interval, of a released row."""
        levels = {"*": 1.0}.get(row["code"], (3 - len(row["code"])) / 3)
        low, high = map(int, row["age"][1:-1].split(", "))
        wide = 5 * (table.age.max() // 5 - table.age.min() // 5 + 1)
        return (levels + (high - low) / wide) / 2

    costs = whole.data.apply(lost, axis=1)
    told = some.evidence.internal["suppressed"]
    suppressed = ~table.row.isin(some.data.row)
    assert told["records"] == suppressed.sum() > 0
    assert told["objective"] == "what is released"
    assert told["objective_percent_with_all"] == pytest.approx(100 * costs.mean())
    assert told["objective_percent_of_the_rest"] == pytest.approx(
        100 * costs[~suppressed].sum() / 90
    )
    by_group = costs.groupby(whole.partition.labels).mean()
    suppressed = np.unique(whole.partition.labels[suppressed])
    assert by_group[suppressed].min() >= by_group.drop(suppressed).nlargest(2).min() - 1e-9


def pooled(far):
    """Two strata of fewer than k records, far from all others or among them."""
    rng = np.random.default_rng(1)
    table = pd.DataFrame(
        {
            "age": rng.integers(20, 80, 300),
            "inc": rng.lognormal(3, 0.3, 300).round(2),
            "reg": rng.choice(list("abcd"), 300),
        }
    )
    few = {"age": [50, 50, 50, 51, 51], "inc": [20.0, 20, 20, 20.1, 20.1], "reg": list("yyzzz")}
    if far:
        few["inc"] = [1e5, 2e5, 3e5, 4e5, 5e5]
    return pd.concat([table, pd.DataFrame(few)], ignore_index=True)


@pytest.mark.parametrize(
    "recoded", [{}, {"reg": {"merge": {"A": ["a", "b"]}}}], ids=["", "recoded"]
)
@pytest.mark.parametrize("far", [True, False])
def test_strata_count_as_pooled_if_records_of_the_pool_are_released(far, recoded, tmp_path):
    table = pooled(far)
    table.to_parquet(tmp_path / "in.parquet")
    asked = {
        "quasi_identifiers": ["age", "inc"],
        "strata": ["reg"],
        "small_strata": "merge",
        "suppress_at_most": 0.1,
        "method": "mdav",
        "random_state": 1,
        "recodings": recoded,
    }
    memory = coterie.anonymize(tmp_path / "in.parquet", 4, **asked)
    memory.write(tmp_path / "memory.parquet")
    parts = coterie.distributed.anonymize(
        tmp_path / "in.parquet", tmp_path / "tiles.parquet", 4, engine="tiles", **asked
    )
    out = [pd.read_parquet(tmp_path / f"{name}.parquet") for name in ("memory", "tiles")]
    pd.testing.assert_frame_equal(*out)
    released = int((out[0]["reg"] == "other").sum())
    assert released == (0 if far else 5)
    for one in (memory, parts):
        assert one.evidence.internal["records_in_merged_strata"] == released
        lost = one.evidence.internal["information_loss_percent_by_key"]
        assert ("pooled reg" in lost) == bool(recoded or not far)
        assert one.evidence.internal["suppressed"]["records"] > 0
    assert memory.information_loss == parts.information_loss
    same = ["records_in_merged_strata", "information_loss_percent"]
    same.append("information_loss_percent_by_key")
    for name in same:
        assert memory.evidence.public[name] == parts.evidence.public[name]


def test_a_settings_file_holds_it():
    plan = coterie.Plan(k=3, quasi_identifiers=["x"], suppress_at_most=0.02)
    assert coterie.Plan.from_toml(plan.to_toml()).suppress_at_most == 0.02


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"suppress_at_most": 0.6}, "'suppress_at_most' parameter"),
        ({"suppress_at_most": 0.1, "attribute_groups": [["x"], ["y"]]}, "with attribute_groups"),
        ({"suppress_at_most": 0.1, "t_closeness": 0.5}, "with t_closeness"),
        ({"suppress_at_most": 0.1, "beta_likeness": 2.0}, "with beta_likeness"),
        ({"suppress_at_most": 0.1, "delta_disclosure": 2.0}, "with delta_disclosure"),
    ],
)
def test_refusals(asked, words):
    table = pd.DataFrame({"x": range(9), "y": range(9)})
    with pytest.raises(coterie.ParameterError, match=words):
        coterie.anonymize(table, 3, ["x", "y"], **asked)
