"""The claim, what it does not guarantee, and the risk that remains: in words for a review board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coterie.report.verdict import share
from coterie.report.words import count, figure, listing, percent

if TYPE_CHECKING:
    from coterie.evaluation import Evaluation, Score
    from coterie.public import DocumentRule

__all__ = ["claim", "limits", "remaining"]


def claim(figures: dict[str, Any], proven: bool) -> list[str]:
    """What is claimed, and how it was established."""
    k, keys = figures["k"], listing([*figures["keys"], *figures["strata"]])
    what = "units" if figures["unit"] else "records"
    if figures["sets"] > 1:
        return [
            f"The table is masked. Each of the {figures['sets']} sets of keys by itself is "
            f"released so that at least {k} {what} share every combination of its values. It is "
            "not k-anonymous on all keys together: combinations across the sets may be unique."
        ]
    if not proven:
        return [
            f"This report judges a table made elsewhere. As counted on it, the smallest class of "
            f"records that are equal on {keys} has {count(figures['achieved'])} {what}. Nothing "
            "is known about how the table was made."
        ]
    counted = [
        f"The released table is k-anonymous on the declared keys with k = {k}: every combination "
        f"of the values of {keys} that occurs in it is shared by at least {k} {what}.",
        f"This was counted on the released table: {count(figures['records'])} records form "
        f"{count(figures['classes'])} classes, the smallest of {count(figures['achieved'])} "
        f"{what}. Files are counted again as they were read back from the disk, before they take "
        "their name.",
    ]
    if figures["unit"]:
        counted.append(f"Units are told apart by the column {figures['unit']}.")
    return counted


def limits(figures: dict[str, Any], where: str = "below") -> list[dict[str, str]]:
    """What the claim does not guarantee; `where` on the page the measures stand."""
    as_is = [*figures["confidential"], *figures["others"]]
    texts = [
        {
            "title": "Only the declared keys are protected.",
            "text": (
                f"Released as they are: {listing(as_is)}. Whoever knows such a value from "
                "elsewhere can look for it; a column that outsiders may know belongs to the keys."
                if as_is
                else "The release holds no other columns."
            ),
        },
        {
            "title": "A class may share a confidential value.",
            "text": (
                "k-anonymity keeps records from being told apart, not from having the same "
                "diagnosis or income. If all members of a class share a value, knowing the class "
                f"is knowing the value; homogeneity is measured {where} where confidential columns "
                "were named."
            ),
        },
        {
            "title": "Released values stay near the original ones.",
            "text": (
                "A class holds similar records, so its centroid is close to each of them. How "
                f"close is measured {where} (interval disclosure)."
            ),
        },
        _other_releases(figures),
        {
            "title": "Being in the table is not hidden.",
            "text": (
                "k-anonymity is no differential privacy: it bounds neither what is learned from "
                "a person's being in the table, nor what an intruder with other knowledge infers."
            ),
        },
        {
            "title": "This is no legal finding.",
            "text": (
                "Whether the release counts as anonymous under the law that applies depends on "
                "who receives it, on what else they have, and on how the keys were chosen."
            ),
        },
    ]
    if figures["sets"] > 1:
        texts.insert(
            0,
            {
                "title": "Not k-anonymous on all keys together.",
                "text": "Sets of keys were masked apart; who knows keys of two sets may find one "
                "record alone.",
            },
        )
    return texts


def _other_releases(figures: dict[str, Any]) -> dict[str, str]:
    """What earlier and later releases of the same persons may tell."""
    if figures.get("together") is None:
        return {
            "title": "Each release is judged by itself.",
            "text": (
                "The same persons released twice, with another k, method or set of columns, or "
                "together with other tables, can be told apart by combining both. Publish one."
            ),
        }
    return {
        "title": "Only the earlier releases that were named are counted with it.",
        "text": (
            f"Together with those, every record is among at least {figures['together']}. Another "
            "release of the same persons, earlier or later, that was not made beside this one can "
            "be combined with it; and a key that an earlier one released as it is stays known."
        ),
    }


def remaining(
    figures: dict[str, Any],
    scores: dict[str, dict[str, Any]],
    found_all: Evaluation | None,
    rule: DocumentRule,
) -> list[dict[str, str]]:
    """Attacks, what was assumed, what was found, and how to read it."""
    population = None if found_all is None else found_all.get("population_risk")
    missing = "not measured: " + (
        "the table is large"
        if figures["too_large"]
        else figures["not_measured"] or "not applicable"
    )

    def found(name: str) -> str:
        return share(scores[name]) if name in scores else missing

    rows = [
        {
            "attack": "Record linkage (DLD)",
            "assumes": "knows all keys of a person exactly and links her to the nearest release",
            "found": found("dld_expected"),
            "reads": "of the records are linked rightly; ties are broken at random",
        },
        {
            "attack": "Finding the class",
            "assumes": "the same, and is content with the right class",
            "found": found("own_group"),
            "reads": "of the records lead to their own class: what the class tells is then known",
        },
        {
            "attack": "Known to be in the table",
            "assumes": "knows the class of a person (prosecutor)",
            "found": found("prosecutor"),
            "reads": "is the highest chance of picking her record in it: one of the class",
        },
        {
            "attack": "Somebody of the population",
            "assumes": "does not know whether a person is in the table (sampling weights)",
            "found": _of_population(scores, population) or missing,
            "reads": _population(population if rule.internal else None),
        },
        {
            "attack": "Interval disclosure (SDID)",
            "assumes": "takes the nearest released value for the original one",
            "found": found("sdid"),
            "reads": "of the numbers are right to within 0.05 standard deviations",
        },
        {
            "attack": "Offset adversary",
            "assumes": "is in the right class and adds one constant to each attribute",
            "found": found("offset_adversary"),
            "reads": "of the numbers are then right to within 0.05 standard deviations, at most",
        },
    ]
    if figures["confidential"] and "distinct_l" in scores:
        rows += [
            {
                "attack": "Homogeneity, values",
                "assumes": "is in the right class and reads its confidential values",
                "found": _number(scores["distinct_l"]),
                "reads": "different values of a confidential column in the poorest class; 1 means "
                "that a class shares a single value",
            },
            {
                "attack": "Homogeneity, distance",
                "assumes": "compares a class with the whole table (t-closeness)",
                "found": _number(scores.get("t_closeness")),
                "reads": "is the largest distance of a class's confidential values from all: 0 "
                "like the table, 1 as far as can be",
            },
        ]
    return rows


def _of_population(scores: dict[str, dict[str, Any]], score: Score | None) -> str:
    """What is told of it: of weights that were given the public kind may be silent."""
    if score is None:
        return "not measured: no sampling weights" if scores else ""
    return share(scores["population_risk"]) if "population_risk" in scores else "not told"


def _population(score: Score | None) -> str:
    """The public kind tells nothing of single records: how many are alone is internal."""
    if score is None:
        return "is the mean modeled chance of a right link; without weights the sample is all"
    parts = score.parts or {}
    return (
        f"is the mean modeled chance of a right link, {percent(parts['sample_risk'])} if the "
        f"sample were all; of {count(round(parts['original_sample_uniques']))} records alone in "
        f"the original {count(round(parts['original_population_uniques']))} are expected to be so "
        "in the population"
    )


def _number(score: dict[str, Any] | None) -> str:
    return "not measured" if score is None or score["value"] is None else figure(score["value"])


def bounded(search: dict[str, Any] | None) -> str:
    """What the bound says about the search."""
    if search is None or search.get("bound") is None:
        return ""
    return (
        f"No grouping of these records can go below {percent(search['bound'])} of it; the one "
        f"found is at most {percent(search['gap'])} above the best there is."
    )
