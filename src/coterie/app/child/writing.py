"""The command *write*: the release and what goes with it, each proven before it takes its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.app.child.desk import Desk

if TYPE_CHECKING:
    from coterie.pipeline.release import Release
    from coterie.table.source import Source

__all__ = ["write"]


def write(desk: Desk, command: Mapping[str, Any]) -> dict[str, Any]:
    """Write each of the items; a step is told when it is done, with what it found."""
    release = desk.release(command["number"])
    writers: dict[str, Callable[..., None]] = {
        "release": _release,
        "report": partial(_report, kind="internal"),
        "public_report": partial(_report, kind="public"),
        "evidence": partial(_evidence, kind="internal"),
        "public_evidence": partial(_evidence, kind="public"),
        "crosswalk": _crosswalk,
        "dossier": partial(_dossier, thresholds=command["bars"], output=command["output"]),
    }
    for item, path in command["items"].items():
        desk.controls.check()
        writers[item](desk, release, path, item=item)
        desk.wire.send("step", item=item, step="named")
    return {"items": list(command["items"])}


def _release(desk: Desk, release: Release, path: str, item: str) -> None:
    from coterie.table.write import write as write_table

    def proof(found: Source) -> None:
        desk.wire.send("step", item=item, step="read_back", records=len(found.frame))
        counted = release.prove(found)
        smallest = min(one.achieved for one in counted)
        classes = sum(one.classes for one in counted)
        desk.wire.send(
            "step", item=item, step="proven", smallest=smallest, classes=classes, k=release.k
        )

    desk.wire.send("step", item=item, step="begun")
    # As `Release.write` does it, with a proof that tells of itself.
    write_table(
        release.source,
        release.frame,
        path,
        proof=proof,
        called=Path(path).name,
        as_asked=release.plan.put_down,
    )


def _report(desk: Desk, release: Release, path: str, item: str, kind: str) -> None:
    desk.wire.send("step", item=item, step="begun")
    release.report(path, kind, callback=desk.controls)


def _evidence(desk: Desk, release: Release, path: str, item: str, kind: str) -> None:
    from coterie.table import atomic

    atomic.write_text(Path(path), release.evidence.json(kind) + "\n")


def _crosswalk(desk: Desk, release: Release, path: str, item: str) -> None:
    from coterie.guarantees.panel.crosswalk import Crosswalk
    from coterie.table import atomic

    atomic.write_text(Path(path), Crosswalk.of(release, None).text())


def _dossier(
    desk: Desk,
    release: Release,
    path: str,
    item: str,
    thresholds: Mapping[str, float],
    output: str,
) -> None:
    from coterie.report.dossier import write_dossier

    desk.wire.send("step", item=item, step="begun")
    write_dossier(release, path, thresholds, output=output, callback=desk.controls)
