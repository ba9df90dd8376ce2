"""What the board reads, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from coterie.partitioning.driver import Progress
from coterie.report.dossier.other_k import at_each_k, measured, sizes
from coterie.report.dossier.replay import replay
from coterie.report.dossier.scenarios import bars, judge
from coterie.report.limits import limits
from coterie.report.plain import plain

if TYPE_CHECKING:
    from coterie.pipeline.release import ReleaseFacts

__all__ = ["board"]


def board(
    release: ReleaseFacts,
    thresholds: Mapping[str, float] | None = None,
    k: Iterable[int] | None = None,
    *,
    output: str = "",
    title: str = "",
    callback: Callable[[Progress], object] | None = None,
) -> dict[str, Any]:
    """Everything that a dossier holds.

    Parameters
    ----------
    release : Release or Written
        Made by `coterie.anonymize` or `coterie.distributed.anonymize`.
    thresholds : mapping of measure to number, optional
        What the board asks for, in the measures' own units: ``{"dld_expected": 10}``. A measure
        for which higher is safer must be at least that, any other at most.
    k : iterable of int, optional
        Group sizes to compare; 3, 5, 10, 20 and that of the release by default. Of a release in
        files that of the release alone: every other one is a job of its own over all records.
    output : str
        Name of the released file, for the commands.
    title : str
        What the data are called.
    callback : callable, optional
        Called with a `Progress`.

    Examples
    --------
    >>> import coterie
    >>> from coterie.report.dossier import board
    >>> patients = coterie.datasets.diabetes()
    >>> r = coterie.anonymize(patients, 5, ["age", "bmi"], method="mdav")
    >>> found = board(r, {"dld_expected": 25}, k=[5, 10])
    >>> found["standing"], [row["k"] for row in found["sweep"]]
    ('met', [5, 10])
    """
    against = bars(thresholds, release.k)
    wanted = sizes(k, release)
    report = release.summary("internal", callback)
    values = {one["name"]: one["value"] for one in report["measures"]}
    values = {**measured(release, against), **values}
    rows = judge(values, against)
    missed = [row for row in rows if row["met"] is False]
    standing = "missed" if missed else "met"
    evidence = release.evidence.internal
    return plain(
        {
            **report,
            "about": "dossier",
            "title": title,
            "standing": standing,
            "limits": limits(report["figures"], where="above"),
            "decision": _decision(rows, missed),
            "scenarios": rows,
            "sweep": at_each_k(release, wanted, against, callback),
            "conditions": _conditions(release),
            "left_out": _left_out(evidence),
            "rules": evidence.get("rules"),
            "previous": evidence.get("previous"),
            "replay": replay(release, output),
        }
    )


def _decision(rows: list[Any], missed: list[Any]) -> str:
    given = [row for row in rows if row["bar"]]
    if missed:
        are = "is" if len(missed) == 1 else "are"
        return f"{len(missed)} of {len(given)} thresholds {are} not met: " + "; ".join(
            f"{row['label']} is {row['found']}, asked for {row['bar']}" for row in missed
        )
    return f"All {len(given)} thresholds are met" if len(given) > 1 else "The threshold is met"


def _conditions(release: ReleaseFacts) -> list[dict[str, str]]:
    """What every group had to satisfy, in words."""
    what = (
        f"distinct values of {release.schema.unit}"
        if release.schema.unit is not None
        else "records"
    )
    conditions = [{"what": "size", "asked": f"at least {release.k} {what} in every class"}]
    if release.schema.strata:
        names = ", ".join(release.schema.strata)
        conditions.append({"what": "strata", "asked": f"no class mixes values of {names}"})
    if release.masked_only:
        conditions.append(
            {"what": "sets of keys", "asked": "grouped apart: masked, not k-anonymous"}
        )
    for reported in release.evidence.internal.get("constraints", ()):
        about = f" on {reported['column']}" if reported["column"] else ""
        asked = f"{reported['asked']}{about}; the worst class has {reported['worst']:.4g}"
        conditions.append({"what": reported["rule"].replace("_", " "), "asked": asked})
    if release.evidence.internal.get("unit_members") == "together":
        conditions.append({"what": "unit", "asked": "all records of a unit share a class"})
    for name, reasons in release.evidence.internal.get("declared_exceptions", {}).items():
        conditions += [{"what": "declared exception", "asked": f"{name} {why}"} for why in reasons]
    return conditions


def _left_out(evidence: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Records and columns that are not in the release, or not as they were."""
    left_out = [
        {"what": "records read", "count": evidence["records_read"]},
        {"what": "records released", "count": evidence["records_released"]},
        {"what": "records dropped", "count": evidence["records_dropped"]},
        {
            "what": "records in strata that were merged",
            "count": evidence["records_in_merged_strata"],
        },
    ]
    for repair in evidence.get("repair", ()):
        for name, value in repair.items():
            if isinstance(value, int) and not isinstance(value, bool):
                left_out.append(
                    {"what": f"repair of groups: {name.replace('_', ' ')}", "count": value}
                )
    if evidence["identifiers_dropped"]:
        names = ", ".join(evidence["identifiers_dropped"])
        left_out.append(
            {
                "what": f"identifiers left out: {names}",
                "count": len(evidence["identifiers_dropped"]),
            }
        )
    return left_out
