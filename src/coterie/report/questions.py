"""The three questions that regulators ask of a release, each with a figure and a plain sentence.

Article 29 Working Party, Opinion 05/2014 on anonymisation techniques (WP 216): is it still possible
to single out an individual, to link records relating to an individual, to infer information
concerning an individual? The public kind tells figures by the rules of `coterie.public`, and no
interval: a limit of it would be a second figure of the same secret.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from coterie.evaluation import Evaluation, Score
from coterie.evaluation.attacks.trial import NOBODY, RAREST, worst_of
from coterie.evaluation.case import Finding
from coterie.public import DocumentRule
from coterie.report.verdict import share
from coterie.report.words import listing, percent

__all__ = ["NAMES", "analyses", "attacked_records", "knowledge", "questions"]

NAMES = ("singling_out", "linkability", "inference")
ASKED = {
    "singling_out": ("Singling out", "Can one person be told apart from all others?"),
    "linkability": ("Linkability", "Can two sets of facts about one person be brought together?"),
    "inference": ("Inference", "Can a confidential value of a person be guessed?"),
}
GENERAL = {
    "singling_out": "Share of predicates on keys and confidential columns, read off the release, "
    "that hold for exactly one person of the original, beyond what guesses give.",
    "linkability": "Two intruders each know half of the keys of a person: how often they meet in "
    "one released record, beyond chance.",
    "inference": "How often who knows all keys of a person guesses a confidential value of hers, "
    "beyond what a guess without keys gives.",
}


def attacked_records(score: Score, n: int) -> float:
    """Of how many records a figure is a share: an attack's of those that could still be won."""
    if not score.attacks or score.parts is None:
        return n
    reference = score.parts.get("control", score.parts["baseline"])
    return max(min(score.parts["trials"], n) * (1.0 - reference / 100.0), 1.0)


def questions(
    found: Evaluation | None,
    scores: Mapping[str, Mapping[str, Any]],
    rule: DocumentRule,
    why_not: str = "",
) -> list[dict[str, Any]]:
    """Each question with what was found; `scores` are the measures as they may be told."""
    answered = []
    for name in NAMES:
        title, asks = ASKED[name]
        one: dict[str, Any] = {"name": name, "title": title, "asks": asks, "interval": ""}
        score = found.get(name) if found is not None else None
        if score is None:
            why = (found.refused.get(name) if found is not None else None) or why_not
            one |= {"found": "not measured", "sentence": why or "It was not asked for."}
        elif not rule.internal:
            reported = dict(scores[name]) if name in scores else {"value": None, "reported": False}
            one |= {"found": share(reported), "sentence": GENERAL[name]}
        else:
            parts = score.parts or {}
            one |= {
                "found": percent(score.value),
                "interval": f"{percent(parts['low'])} to {percent(parts['high'])}",
                "sentence": _sentence(name, score),
            }
        answered.append(one)
    return answered


def _sentence(name: str, score: Score) -> str:
    parts = score.parts or {}
    success, baseline = percent(parts["success"]), percent(parts["baseline"])
    tried = worst_of(score.attacks)
    how = tried.name if tried.knows == NOBODY else tried.described
    text = {
        "singling_out": f"Of {parts['trials']:,.0f} predicates on keys and confidential "
        f"columns, read off the release ({how}), {success} hold for exactly one person; of random "
        f"ones {baseline}",
        "linkability": f"Two intruders who each know half of the keys of a person meet in one "
        f"released record in {success} of {parts['trials']:,.0f} cases; by chance in {baseline}",
        "inference": f"Who knows the keys guesses {how} and is right for {success} of "
        f"{parts['trials']:,.0f} persons; without keys the same intruder is right for {baseline}",
    }[name]
    if name == "singling_out" and score.by_column:
        worst = max(score.by_column.values())
        named = [c for c, value in score.by_column.items() if value == worst and worst >= 50.0]
        text += f" ({listing(named)} alone can do it)" if named else ""
    if "control" in parts:
        text += f"; of persons who are not in the release {percent(parts['control'])}"
        text += ". The risk is what the release adds to that"
    else:
        text += ". The risk is what lies beyond that: no records were held out to compare with"
    if parts.get(RAREST) is not None:
        text += f"; for the rarest tenth of the records it is {percent(parts[RAREST])}"
    return text + "."


def analyses(found: Finding | None) -> list[dict[str, Any]]:
    """The declared analyses before and after; internal."""
    return [] if found is None else [asdict(one) for one in found.estimates]


def knowledge(found: Evaluation | None) -> dict[str, Any] | None:
    """Who knows one key or two, as a matrix; internal."""
    score = found.get("partial_knowledge") if found is not None else None
    if score is None:
        return None
    keys = [one.names[0] for one in score.sets if len(one.names) == 1]
    place = {name: i for i, name in enumerate(keys)}
    empty: list[list[float | None]] = [[None] * len(keys) for _ in keys]
    linked, exposed = [list(row) for row in empty], [list(row) for row in empty]
    for one in score.sets:
        i, j = place[one.names[-1]], place[one.names[0]]
        linked[i][j], exposed[i][j] = one.linked, one.exposed
    worst = max(score.sets, key=lambda one: (one.linked, -len(one.names)))
    return {
        "keys": keys,
        "linked": linked,
        "exposed": exposed,
        "worst": list(worst.names),
        "worst_linked": worst.linked,
        "smallest": min(one.smallest for one in score.sets),
    }
