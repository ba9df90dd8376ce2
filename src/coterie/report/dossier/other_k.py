"""The same release at other group sizes: what a larger or smaller k would lose and risk."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from coterie.errors import ParameterError
from coterie.evaluation.declared import evaluate_declared
from coterie.partitioning.driver import Progress
from coterie.pipeline import anonymize
from coterie.pipeline.evidence import MOST_JUDGED
from coterie.pipeline.release import Release
from coterie.pipeline.written import Written
from coterie.report.dossier.scenarios import Bar
from coterie.tuning.sweep import met, sweep

if TYPE_CHECKING:
    from coterie.pipeline.release import ReleaseFacts
    from coterie.plan import Plan

__all__ = ["at_each_k", "measured", "sizes"]

USUAL = (3, 5, 10, 20)
SHOWN = ("dld_expected", "own_group", "distinct_l")


def sizes(wanted: Iterable[Any] | None, release: ReleaseFacts) -> list[int]:
    """The group sizes to look at, that of the release among them."""
    most = release.records
    usual = () if isinstance(release, Written) else USUAL
    chosen = [k for k in usual if 2 * k <= most] if wanted is None else list(wanted)
    found = []
    for k in chosen:
        try:
            size = operator.index(k)
        except TypeError:
            size = 0
        if isinstance(k, bool) or not 2 <= size <= most:
            raise ParameterError(
                f"The k of a sweep must be whole numbers from 2 to {most:,}. Got {k!r}."
            )
        found.append(size)
    return sorted({*found, release.k})


def at_each_k(
    release: ReleaseFacts,
    wanted: Sequence[int],
    against: Mapping[str, Bar],
    callback: Callable[[Progress], object] | None = None,
) -> list[dict[str, Any]]:
    """One row for each k: loss, risk, and whether every bar is met; what is not measured is not.

    Earlier releases are left out of it: beside them the old classes decide, not k.
    """
    alone = release.plan.replace(previous=(), match=None, departed="error")

    def make(k: int) -> ReleaseFacts:
        return release if k == release.k else _again(release, alone.replace(k=k))

    def judge(k: int, another: ReleaseFacts, seconds: float) -> dict[str, Any]:
        values = measured(another, against)
        bars = dict(against)
        if k != release.k:
            bars.pop("prosecutor", None)  # the bar of the k that was chosen
        return {
            **row(k),
            "groups": another.evidence.internal["groups"],
            "records": another.records,
            "information_loss": another.information_loss,
            "method": another.evidence.internal["method"],
            "measures": {name: values.get(name) for name in (*SHOWN, *against)},
            "met": met(values, bars),
        }

    def row(k: int, refused: object = "") -> dict[str, Any]:
        return {"k": k, "chosen": k == release.k, "refused": str(refused)}

    return sweep(wanted, make, judge, refused=row, callback=callback)


def _again(release: ReleaseFacts, plan: Plan) -> ReleaseFacts:
    """The same table by another plan, in memory or by the same engine."""
    if isinstance(release, Release):
        return anonymize(release.source, plan)
    assert isinstance(release, Written)
    assert release.again is not None
    return release.again(plan)


def measured(release: ReleaseFacts, against: Mapping[str, Bar]) -> dict[str, float | None]:
    """What the evidence holds, and what else the bars ask for."""
    held = release.evidence.internal["measures"]
    values: dict[str, float | None] = {
        name: value for name, value in held.items() if isinstance(value, (int, float))
    }
    if release.verification is not None:
        values["prosecutor"] = 100.0 / release.verification.achieved
    rest = [name for name in against if name not in values]
    if rest and release.records <= MOST_JUDGED:
        about = release.subject
        found = evaluate_declared(about.original, about.released, about.schema, rest).found
        values |= {name: score.value for name, score in (found or {}).items()}
    return values
