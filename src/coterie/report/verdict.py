"""The verdict in plain words: protection, loss, and the risk that remains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coterie.public import NOT_TOLD
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
        return "not told" if score.get("told") is False else "not measured"
    return percent(score["value"])


def protected(told: dict[str, Any]) -> str:
    """Who shares what with how many others."""
    d = len(told["keys"])
    keys = "key attribute" if d == 1 else f"{d} key attributes"
    if told["strata"]:
        keys += " and its stratum" if len(told["strata"]) == 1 else " and its strata"
    others = told["achieved"] - 1
    whom = f"{others} other" + ("" if others == 1 else "s")
    if told["unit"]:
        whom = f"records of {others} other unit" + ("" if others == 1 else "s")
    if told["sets"] > 1:
        return (
            f"The {d} key attributes were masked in {told['sets']} sets apart: within each set, "
            f"every record shares its values with at least {whom}, but not on all keys together"
        )
    return f"Every record shares its {keys} with at least {whom}"


def lost(told: dict[str, Any]) -> str:
    """How much was lost of what is released, and what of the original is not in it at all."""
    if told["loss"] is None and not told["loss_words"]:
        return "how much information was lost was not measured"
    if told["loss_words"] == NOT_TOLD:
        text = "how much information was lost is not told, since it is the work of few"
    else:
        text = f"{told['loss_words'] or percent(told['loss'])} of the information was lost"
    beside = []
    changed = [one for one in told["changed"] if one["share"] != percent(0.0)]
    if changed:
        named = [f"{one['name']} in {one['share']}" for one in changed[:MOST_NAMED]]
        more = len(changed) - MOST_NAMED
        rest = [f"{more} more key{'s' if more > 1 else ''} in fewer"] if more > 0 else []
        beside.append(f"another category: {listing([*named, *rest])} of the records")
    beside += [
        f"{one['name']} given up in {one['share']}, pooled with others" for one in told["pooled"]
    ]
    if told["dropped"]:
        count = told["dropped"] if isinstance(told["dropped"], str) else f"{told['dropped']:,}"
        of = "" if told["read"] is None else f" of {told['read']:,}"
        beside.append(f"without {count}{of} records that were dropped")
    return f"{text} ({'; '.join(beside)})" if beside else text


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
    return rows


def pooled_text(evidence: Mapping[str, Any]) -> str:
    """What is told beside the strata where some were pooled."""
    for name, lost in evidence["information_loss_percent_by_key"].items():
        if name.startswith("pooled "):
            return f": {lost:.2f} % of the records gave up theirs, too small, and were pooled"
    return ""


def intruder(told: dict[str, Any], linked: dict[str, Any] | None) -> str:
    """What an intruder finds."""
    if linked is None:
        why = "the table is large" if told["too_large"] else told["not_measured"] or "not asked for"
        return f"how many records an intruder links was not measured ({why})"
    knows = "them all" if len(told["keys"]) > 1 else "it"
    return f"an intruder who knows {knows} links {share(linked)} of the records"


def release_verdict(told: dict[str, Any], linked: dict[str, Any] | None) -> str:
    """The verdict of a release that coterie made and proved."""
    return f"{protected(told)}; {lost(told)}; {intruder(told, linked)}."


def judged_verdict(told: dict[str, Any], linked: dict[str, Any] | None) -> str:
    """The verdict of a release by any tool."""
    if told["achieved"] > 1:
        first = protected(told)
    else:
        alone = told["unique"]
        are = "1 record is" if alone == 1 else f"{alone:,} records are"
        first = f"Not protected by its keys: {are} alone with the values of all keys"
    if told["aligned"]:
        return f"{first}; {lost(told)}; {intruder(told, linked)}."
    return (
        f"{first}; what was lost and how many records an intruder links cannot be told, since it "
        "is not known which released row belongs to which original one."
    )
