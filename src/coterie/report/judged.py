"""The summary of a release by any tool, from the two tables that `coterie evaluate` compares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.public import DocumentRule
from coterie.report import limits, measured, verdict
from coterie.report.plain import plain
from coterie.report.questions import analyses, knowledge, questions
from coterie.report.released import attributes, heading, sizes_of
from coterie.report.riskiest import riskiest
from coterie.report.words import percent
from coterie.table.classes import class_sizes
from coterie.table.infer import infer
from coterie.table.source import Source

if TYPE_CHECKING:
    from coterie.evaluation import Evaluation
    from coterie.table.schema import Schema

__all__ = ["judged_summary"]


def judged_summary(
    original: Source,
    released: Source,
    keys: Sequence[str],
    confidential: Sequence[str],
    found: Evaluation,
    aligned: bool,
    schema: Schema | None = None,
) -> dict[str, Any]:
    """What a report tells about two tables. Always internal: how they were made is not known.

    Parameters
    ----------
    original, released : Source
        Row by row if `aligned`.
    keys, confidential : sequences of str
        Columns of both.
    found : Evaluation
        What `coterie.evaluate` gave for them.
    aligned : bool
        Whether row i is the same record in both.
    schema : Schema, optional
        What the columns are; inferred from the original by default.
    """
    rule = DocumentRule("internal", 1)
    counts = found.classes
    if counts is None:
        counts = class_sizes(released, keys)
    n = len(released.frame)
    scores = {one["name"]: one for one in measured.scores(found, rule, n)}
    figures: dict[str, Any] = {
        "k": int(counts.min()),
        "achieved": int(counts.min()),
        "records": n,
        "classes": len(counts),
        "unique": int((counts == 1).sum()),
        "keys": list(keys),
        "strata": [] if schema is None else list(schema.strata),
        "unit": None if schema is None else schema.unit,
        "confidential": [name for name in confidential if name not in keys],
        "others": [n for n in released.frame.columns if n not in {*keys, *confidential}],
        "sets": 1,
        "loss": found["il"].value if "il" in found else None,
        "loss_words": "",
        "loss_step": None,
        "changed": [
            {"name": name, "share": percent(value)}
            for name, value in (found["changed"].by_column or {}).items()
        ]
        if "changed" in found
        else [],
        "dropped": 0,
        "read": None,
        "pooled": [
            {"name": ", ".join(strata), "share": percent((found["il"].by_column or {})[name])}
            for name, strata in found.pooled.items()
        ]
        if "il" in found
        else [],
        "drawn": None,
        "too_large": [],
        "not_measured": "" if aligned else "rows are not aligned",
        "aligned": aligned,
        "method": None,
        "aggregation": None,
    }
    if schema is None:
        schema = infer(original, quasi_identifiers=keys, confidential=confidential)
    known = knowledge(found)
    influence = dict.fromkeys(schema.keys, 0.0)
    drawn = attributes(original.frame, released.frame, schema, rule, found, influence)
    return plain(
        {
            **heading("evaluation", rule.kind),
            "standing": "judged" if figures["achieved"] > 1 else "exposed",
            "verdict": verdict.judged_verdict(figures, scores.get("dld_expected"), known),
            "figures": figures,
            "questions": questions(found, scores, rule),
            "knowledge": known,
            "analyses": analyses(found.get("analyses")),
            "records": riskiest(original.frame, released.frame, schema, found),
            "claim": limits.claim(figures, proven=False),
            "limits": limits.limits(figures),
            "remaining": limits.remaining(figures, scores, found, rule),
            "sizes": sizes_of(np.asarray(counts), figures["k"]),
            "measures": list(scores.values()),
            **drawn,
            "search": None,
            "bound": "",
            "evidence": {"refused": found.refused},
            "source": f"{original.origin}, {released.origin}",
        }
    )
