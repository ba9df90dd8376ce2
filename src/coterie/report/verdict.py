"""The verdict in plain words: protection, loss, and the risk that remains."""

from __future__ import annotations

from typing import Any

from coterie.report.words import listing, percent

__all__ = ["intruder", "judged_verdict", "lost", "release_verdict", "share"]

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
    """How much was lost."""
    if told["loss"] is not None:
        return f"{percent(told['loss'])} of the information was lost"
    if told.get("loss_below") is not None:
        return f"less than {percent(told['loss_below'])} of the information was lost"
    if not told.get("loss_told", True):
        return "how much information was lost is not told, since it is the work of few"
    return "how much information was lost was not measured"


def intruder(told: dict[str, Any], linked: dict[str, Any] | None) -> str:
    """What an intruder finds."""
    if linked is None:
        why = "the table is large" if told["too_large"] else told["not_measured"] or "not asked for"
        return f"how many records an intruder links was not measured ({why})"
    knows = "them all" if len(told["keys"]) > 1 else "it"
    if told["without"]:
        known = [name for name in told["keys"] if name not in told["without"]]
        named = listing(known) if len(known) <= MOST_NAMED else f"{len(known)} of them"
        knows = f"{named} (those without gaps)"
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
