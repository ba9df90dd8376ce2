"""The summary of a release: a plain dict that every renderer takes, of one of two kinds.

The internal kind holds everything. The public kind holds what at least k units share, by the rules
of `coterie.public`: no bin of fewer, no extremes, no original value, no seed, no crosswalk; axes
come from released data alone.
"""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie import __version__
from coterie.evaluation.declared import declared_shares
from coterie.partitioning.driver import Progress
from coterie.public import REPORT, DocumentRule, Influence, listed
from coterie.public.documents import FORMAT
from coterie.report import limits, measured, verdict
from coterie.report.columns import describe
from coterie.report.correlations import correlations
from coterie.report.plain import plain
from coterie.report.questions import analyses, knowledge, questions
from coterie.report.riskiest import riskiest
from coterie.report.subject import Subject, subject_of
from coterie.report.words import percent
from coterie.table.encoding import absences

if TYPE_CHECKING:
    import narwhals as nw
    import pyarrow as pa

    from coterie.evaluation import Evaluation
    from coterie.pipeline.release import Release
    from coterie.table.schema import Schema

__all__ = ["attributes", "heading", "lost", "sizes_of", "summary", "summary_of"]

MOST_TRACED = 300  # points of a search's course
SINGLE_SIZES = 10  # sizes of classes that have a bar each


def summary(
    release: Release, kind: str = "internal", callback: Callable[[Progress], object] | None = None
) -> dict[str, Any]:
    """What a report tells about a release, as plain data.

    Parameters
    ----------
    release : Release
        Made by `coterie.anonymize`.
    kind : {"internal", "public"}
        For those who hold the original, or for everybody.
    callback : callable, optional
        Called with a `Progress` of the phase ``"report"``.

    Examples
    --------
    >>> import coterie
    >>> from coterie.report import summary
    >>> patients = coterie.datasets.diabetes()
    >>> r = coterie.anonymize(patients, 5, ["age", "bmi"], method="mdav")
    >>> summary(r)["verdict"]
    'Every record shares its 2 key attributes with at least 4 others; ... % of the information ...'
    """
    return summary_of(subject_of(release), kind, callback)


def summary_of(
    about: Subject, kind: str = "internal", callback: Callable[[Progress], object] | None = None
) -> dict[str, Any]:
    """The same of whatever a report looks at."""
    began = time.perf_counter()
    rule = DocumentRule.of(kind, about.k, about.units)
    schema, evidence = about.schema, getattr(about.evidence, kind)
    keys, strata = list(schema.keys), list(schema.strata)
    original, released = about.original, about.released
    wanted = about.analyses if rule.internal and about.estimated is None else ()
    measures, left = measured.measure(
        original, released, schema, callback, wanted, drawn=bool(about.drawn)
    )
    found = measures.found
    sides = original.to_native(), released.to_native()
    shares = {} if rule.internal else declared_shares(*sides, schema)
    influence = Influence.of(shares, schema, rule)
    scores = {
        one["name"]: one for one in measured.scores(found, rule, len(released), influence.loss)
    }
    if about.drawn:
        scores = {**measured.linked(about.evidence.internal, rule, schema), **scores}
    if about.estimated is not None and rule.internal:
        figure = measured.described("analyses", about.estimated.value, rule, about.records)
        scores |= {} if figure is None else {"analyses": figure}
    figures: dict[str, Any] = {
        "k": about.k,
        "achieved": min(about.sizes),
        "records": about.records,
        "classes": about.sizes.total(),
        "keys": keys,
        "strata": strata,
        "unit": schema.unit,
        "confidential": [name for name in schema.confidential if name not in keys],
        "others": about.others,
        "sets": about.sets,
        "fates": fates(schema, rule),
        **lost(evidence),
        "drawn": about.drawn,
        "too_large": [name for name in left if name not in scores],
        "not_measured": measures.why_not,
        "method": about.method,
        "aggregation": about.evidence.public["aggregation"],
        "together": about.evidence.public.get("previous", {}).get("k_together"),
        "truthful": bool(about.evidence.public.get("truthful")),
    }
    search = _search(about.searched[0]) if rule.internal and len(about.searched) == 1 else None
    known = knowledge(found) if rule.internal else None
    whole = {
        **heading("release", rule.kind),
        "standing": "proven" if about.sets == 1 else "masked",
        "verdict": verdict.release_verdict(figures, scores.get("dld_expected"), known),
        "figures": figures,
        "questions": questions(found, scores, rule, _why(figures)),
        "claim": limits.claim(figures, proven=True),
        "limits": limits.limits(figures),
        "remaining": limits.remaining(figures, scores, found, rule),
        "sizes": sizes_of(np.array(list(about.sizes.elements())), about.k),
        "measures": list(scores.values()),
        **attributes(original, released, schema, rule, found, influence.losses),
        "search": search,
        "bound": limits.bounded(search),
        "evidence": evidence,
    }
    if rule.internal:
        whole["source"] = about.origin
        whole["knowledge"] = known
        own = None if found is None else found.get("analyses")
        whole["analyses"] = analyses(about.estimated or own)
        whole["records"] = None  # records drawn from parts have no place in the original
        if about.crosswalk is not None:
            whole["records"] = riskiest(original, released, schema, found, about.crosswalk)
    if callback is not None:
        callback(Progress("report", time.perf_counter() - began, 0.7))
    return plain(whole if rule.internal else listed(whole, REPORT))


def _why(figures: Mapping[str, Any]) -> str:
    """Why an attack was not tried, if it was not."""
    if "inference" in figures["too_large"]:
        return "The table is large: coterie evaluate tries it."
    return str(figures["not_measured"])


def fates(schema: Schema, rule: DocumentRule) -> dict[str, list[str]]:
    """What became of every column; the names of those that were dropped are internal."""
    shown = {fate: list(names) for fate, names in schema.fates().items() if names}
    if not rule.internal:
        shown.pop("dropped", None)
    return shown


def heading(about: str, kind: str) -> dict[str, Any]:
    """What every summary begins with."""
    return {
        "format": FORMAT,
        "about": about,
        "kind": kind,
        "created": dt.datetime.now(dt.UTC).date().isoformat(),
        "version": __version__,
    }


def sizes_of(counts: NDArray[np.int64], k: int) -> list[list[Any]]:
    """How many classes there are of each size: the first ten from k on, then ranges."""
    first = int(counts.min())
    last = max(first, k) + SINGLE_SIZES - 1
    found = [
        [str(size), int((counts == size).sum())]
        for size in range(first, min(last, int(counts.max())) + 1)
    ]
    low = last + 1
    while low <= counts.max():
        high = 2 * low - 1
        inside = int(((counts >= low) & (counts <= high)).sum())
        if inside:
            found.append([f"{low}–{high}", inside])
        low = high + 1
    return found


def attributes(
    original: nw.DataFrame[Any],
    released: nw.DataFrame[Any],
    schema: Schema,
    rule: DocumentRule,
    found: Evaluation | None,
    influence: Mapping[str, float],
) -> dict[str, Any]:
    """What is told of each key, and of the correlations of the numeric ones.

    `influence` is that of k - 1 units on the loss of each key.
    """
    codes = {a.name: a.missing_codes for a in schema.key_attributes}
    gaps = {name: absences(_plain(original[name]), codes[name]) for name in schema.keys}
    each = measured.by_column(found, {n: g == 0 for n, g in gaps.items()}, rule, influence)
    columns = []
    for name in schema.keys:
        pair = original[name].to_arrow(), released[name].to_arrow()
        columns.append({**describe(schema[name], *pair, rule), "measures": each[name]})
    return {"columns": columns, "correlations": correlations(original, released, schema, rule)}


def lost(evidence: Mapping[str, Any]) -> dict[str, Any]:
    """What was lost: of the released values, by changed categories, pooled strata and records.

    Public evidence may say it in words: as a limit, or that it is not told.
    """
    loss = evidence["information_loss_percent"]
    in_words = isinstance(loss, str)
    return {
        "loss": None if in_words else loss,
        "loss_words": loss if in_words else "",
        "loss_step": evidence.get("rounded_to", {}).get("information_loss_percent"),
        "changed": [
            {"name": name, "share": _share(share)}
            for name, share in sorted(
                evidence["changed_percent_by_key"].items(),
                key=lambda item: (-item[1] if isinstance(item[1], float) else 0.0, item[0]),
            )
        ],
        "dropped": evidence["records_dropped"],
        "read": evidence.get("records_read"),
        "pooled": [
            {
                "name": ", ".join(strata),
                "share": _share(evidence["information_loss_percent_by_key"][name]),
            }
            for name, strata in evidence.get("pooled_strata", {}).items()
        ],
    }


def _share(part: float | str) -> str:
    return part if isinstance(part, str) else percent(part)


def _plain(series: nw.Series[Any]) -> pa.Array:
    import pyarrow as pa

    array = series.to_arrow()
    array = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
    return array.cast(array.type.value_type) if pa.types.is_dictionary(array.type) else array


def _search(groups: Any) -> dict[str, Any]:
    """The course of a search in percent of the information lost."""
    scale = 100.0 / groups.sst if groups.sst > 0 else 0.0
    trace = [(point.seconds, point.sse * scale) for point in groups.trace]
    if len(trace) > MOST_TRACED:
        kept = np.unique(np.linspace(0, len(trace) - 1, MOST_TRACED).astype(int))
        trace = [trace[i] for i in kept]
    ended = groups.runtime or 0.0
    if ended > trace[-1][0]:
        trace.append((ended, trace[-1][1]))
    bound = None if groups.lower_bound is None else groups.lower_bound * scale
    return {
        "trace": trace,
        "bound": bound,
        "gap": groups.gap,
        "iterations": groups.trace[-1].iterations,
        "interrupted": groups.interrupted,
    }
