"""One plan, one release or one refusal, in memory and in tiles; clusters have their own files."""

from __future__ import annotations

import pandas as pd
import pytest

import coterie
from tests.pipeline.outcomes import words
from tests.pipeline.plans import PLANS, REFUSED, covering, table

WHOLE, MANY = 100_000, 150  # records of a tile
LIMITS = (
    *("min_distinct", "max_share", "entropy_l", "t_closeness"),
    *("alpha_k", "recursive_cl", "beta_likeness", "delta_disclosure"),
)
COVER = covering()

pytestmark = pytest.mark.usefixtures("short_search")


def in_memory(parts, plan):
    """The release, or the words of the refusal."""
    try:
        return coterie.anonymize(pd.read_parquet(parts), **plan)
    except coterie.CoterieError as error:
        return words(error)


def most_of(wanted):
    """All plans; but for those wanted they belong to the long run."""
    return [
        name if name in wanted else pytest.param(name, marks=pytest.mark.long) for name in PLANS
    ]


def test_every_option_is_in_the_default_run():
    asked = set().union(*(PLANS[name] for name in COVER))
    assert asked == set().union(*PLANS.values())
    assert len(COVER) < len(PLANS) / 2


@pytest.mark.parametrize("name", most_of({*COVER, *REFUSED}))
def test_one_tile_is_the_release_in_memory(parts, in_tiles, name):
    plan = PLANS[name]
    found = in_tiles(name, WHOLE)
    expected = in_memory(parts, plan)
    assert isinstance(expected, str) == (name in REFUSED), expected
    if isinstance(expected, str) or isinstance(found, str):
        assert found == expected
        return
    released, loss, told, verification, measures, more = found
    pd.testing.assert_frame_equal(released.to_pandas(), expected.data, check_dtype=False)
    assert loss == expected.information_loss
    assert verification == expected.verification
    for figure in ("groups", "group_sizes", "keys", "records_released", "claim", "method"):
        assert told[figure] == expected.evidence.public[figure]
    linked = expected.evidence.internal["measures"]
    assert measures["dld_expected"] == pytest.approx(linked["dld_expected"])
    assert measures["own_group"] == pytest.approx(linked["own_group"])
    for figure in ("constraints", "rules"):
        assert (figure in told) == (figure in expected.evidence.public)
    if "constraints" in told:
        assert told["constraints"] == expected.evidence.public["constraints"]
    if "rules" in told:
        assert told["rules"]["checked"] == expected.evidence.public["rules"]["checked"]
    assert told.get("recoded") == expected.evidence.public.get("recoded")
    internal = expected.evidence.internal
    assert more["recoded"] == internal.get("recoded")
    assert more["strata_formed"] == internal["strata_formed"]
    same_figures(more["suppressed"], internal.get("suppressed"))
    if "unit" not in plan:  # of how many units they are, no part of the table can say
        assert told["records_dropped"] == expected.evidence.public["records_dropped"]
    analyses = coterie.report.summary(expected)["analyses"] if "analyses" in plan else []
    assert len(more["analyses"]) == len(analyses)
    for one, other in zip(more["analyses"], analyses, strict=True):
        same_figures(one, other)


def same_figures(one, other):
    """Equal, but for how sums of floats were rounded."""
    if isinstance(one, dict) and isinstance(other, dict):
        assert one.keys() == other.keys()
        for name, value in one.items():
            assert value == other[name] or value == pytest.approx(other[name], nan_ok=True), name
    else:
        assert one == other


@pytest.mark.parametrize("name", most_of(COVER[:9]))
def test_many_tiles_keep_what_is_guaranteed(parts, in_tiles, name):
    """A refusal is that of memory; a release is judged by `verify`, which knows no tiles."""
    plan = PLANS[name]
    found = in_tiles(name, MANY)
    if isinstance(found, str):
        expected = in_memory(parts, plan)
        if plan.get("on_violation") == "refuse":  # which groups there are depends on the tiles
            found, expected = (text.partition("worst")[0] for text in (found, expected))
        assert found == expected
        return
    released, _, told, verification, measures, more = found
    assert released.num_rows == told["records_released"]
    if more["suppressed"]:
        units = 300 if "unit" in plan else 900
        gone = more["suppressed"]["units" if "unit" in plan else "records"]
        assert gone <= plan["suppress_at_most"] * units
    apart = {"unit", "attribute_groups"} & set(plan)
    assert measures["dld_expected"] <= 100.0 / plan["k"] or apart
    asked = {rule: plan[rule] for rule in LIMITS if rule in plan}
    confidential = plan.get("confidential", [])
    for keys in plan.get("attribute_groups", [plan["quasi_identifiers"]]):
        counted = coterie.verify(
            released,
            plan["k"],
            keys,
            strata=plan.get("strata", []),
            rules=plan.get("rules", []),
            confidential=confidential,
            **asked,
        )
    if "attribute_groups" not in plan and "unit" not in plan:
        assert counted.achieved == verification.achieved
        assert counted.classes == verification.classes
    if plan.get("row_order") == "keep" and not {"small_strata", "suppress_at_most"} & set(plan):
        assert released.column("income").to_pandas().equals(table()["income"])
        units = released.to_pandas().groupby(table()["household"].to_numpy())
        assert (units[list(plan.get("unit_columns", []))].nunique() == 1).all(axis=None)
