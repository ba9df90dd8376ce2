"""The verdict in plain words: protection, loss, and the risk that remains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coterie.public import NOT_REPORTED
from coterie.report.words import listing, percent

__all__ = [
    "intruder",
    "judged_verdict",
    "loss_rows",
    "lost",
    "pooled_text",
    "release_verdict",
    "share",
]

MOST_NAMED = 3  # keys that a sentence names


def share(score: dict[str, Any] | None) -> str:
    """A share as a sentence has it."""
    if score is None:
        return "not measured"
    if score["value"] is None:
        for word, sign in (("below", "fewer"), ("above", "more")):
            if word in score:
                return f"{sign} than {percent(score[word])}"
        return NOT_REPORTED if score.get("reported") is False else "not measured"
    return percent(score["value"])


def protected(figures: dict[str, Any]) -> str:
    """Who shares what with how many others."""
    d = len(figures["keys"])
    keys = "key attribute" if d == 1 else f"{d} key attributes"
    if figures["strata"]:
        keys += " and its stratum" if len(figures["strata"]) == 1 else " and its strata"
    others = figures["achieved"] - 1
    whom = f"{others} other" + ("" if others == 1 else "s")
    if figures["unit"]:
        whom = f"records of {others} other unit" + ("" if others == 1 else "s")
    if figures["sets"] > 1:
        return (
            f"The {d} key attributes were masked in {figures['sets']} sets apart: within each set, "
            f"every record shares its values with at least {whom}, but not on all keys together"
        )
    return f"Every record shares its {keys} with at least {whom}"


def lost(figures: dict[str, Any]) -> str:
    """How much was lost of what is released, and what of the original is not in it at all."""
    if figures["loss"] is None and not figures["loss_words"]:
        return "how much information was lost was not measured"
    if figures["loss_words"] == NOT_REPORTED:
        text = "how much information was lost is not told, since it is the work of few"
    else:
        text = f"{figures['loss_words'] or percent(figures['loss'])} of the information was lost"
    remarks = []
    changed = [one for one in figures["changed"] if one["share"] != percent(0.0)]
    if changed:
        named = [f"{one['name']} in {one['share']}" for one in changed[:MOST_NAMED]]
        more = len(changed) - MOST_NAMED
        rest = [f"{more} more key{'s' if more > 1 else ''} in fewer"] if more > 0 else []
        remarks.append(f"another category: {listing([*named, *rest])} of the records")
    remarks += [
        f"{one['name']} given up in {one['share']}, pooled with others" for one in figures["pooled"]
    ]
    if figures["dropped"]:
        count = (
            figures["dropped"] if isinstance(figures["dropped"], str) else f"{figures['dropped']:,}"
        )
        of = "" if figures["read"] is None else f" of {figures['read']:,}"
        remarks.append(f"without {count}{of} records that were dropped")
    return f"{text} ({'; '.join(remarks)})" if remarks else text


def loss_rows(evidence: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What a terminal tells of the loss, from internal evidence: each row a name and a text."""
    text = f"{evidence['information_loss_percent']:.2f} %"
    if evidence["records_dropped"]:
        text += f", without {evidence['records_dropped']:,} records that were dropped"
    rows = [("information lost", text)]
    changed = {n: s for n, s in evidence["changed_percent_by_key"].items() if s}
    if changed:
        listed = ", ".join(f"{name} {share:.2g} %" for name, share in changed.items())
        rows.append(("categories changed", f"{listed} of the records"))
    for name, done in evidence.get("recoded", {}).items():
        values = f"{done['values_before']:,} values became {done['values_after']:,}"
        rows.append((f"recoded, {name}", f"{values}, in {done['records_changed']:,} records read"))
    if "suppressed" in evidence:
        done = evidence["suppressed"]
        gain = (
            f"{done['objective_percent_with_all']:.2f} % {_lost_of(done)} became "
            f"{done['objective_percent_of_the_rest']:.2f} %"
        )
        rows.append(
            ("left out", f"{done['records']:,} records, at most {done['at_most']:g}: {gain}")
        )
    if evidence.get("truthful"):
        rows.append(("truthful", "every released key value is true of its record"))
    return rows


def _lost_of(suppressed: Mapping[str, Any]) -> str:
    """What the percent that suppression lowered are of."""
    released = suppressed.get("objective") == "what is released"
    return "lost of labels and intervals" if released else "of SST within groups"


def pooled_text(evidence: Mapping[str, Any]) -> str:
    """What is told beside the strata where some were pooled."""
    for name in evidence.get("pooled_strata", ()):
        lost = evidence["information_loss_percent_by_key"][name]
        return f": {lost:.2f} % of the records gave up theirs, too small, and were pooled"
    return ""


def intruder(figures: dict[str, Any], linked: dict[str, Any] | None) -> str:
    """What an intruder finds."""
    if linked is None:
        why = (
            "the table is large"
            if figures["too_large"]
            else figures["not_measured"] or "not asked for"
        )
        return f"how many records an intruder links was not measured ({why})"
    knows = "them all" if len(figures["keys"]) > 1 else "it"
    return f"an intruder who knows {knows} links {share(linked)} of the records"


def partly(figures: dict[str, Any], known: Mapping[str, Any] | None) -> str:
    """What who knows one key or two finds at most: nothing new where there are no more keys."""
    if known is None or len(figures["keys"]) < 3:
        return ""
    return f", one who knows only {listing(known['worst'])} {percent(known['worst_linked'])}"


def release_verdict(
    figures: dict[str, Any], linked: dict[str, Any] | None, known: Mapping[str, Any] | None = None
) -> str:
    """The verdict of a release that coterie made and proved."""
    true = "; every released key value is true of its record" if figures.get("truthful") else ""
    found = f"{intruder(figures, linked)}{partly(figures, known)}"
    return f"{protected(figures)}; {lost(figures)}{true}; {found}."


def judged_verdict(
    figures: dict[str, Any], linked: dict[str, Any] | None, known: Mapping[str, Any] | None = None
) -> str:
    """The verdict of a release by any tool."""
    if figures["achieved"] > 1:
        first = protected(figures)
    else:
        alone = figures["unique"]
        are = "1 record is" if alone == 1 else f"{alone:,} records are"
        first = f"Not protected by its keys: {are} alone with the values of all keys"
    if figures["aligned"]:
        return f"{first}; {lost(figures)}; {intruder(figures, linked)}{partly(figures, known)}."
    return (
        f"{first}; what was lost and how many records an intruder links cannot be told, since it "
        "is not known which released row belongs to which original one."
    )
