"""``--report``, ``--dossier``, ``--metadata``: checked before any work, written after the rest."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from coterie.cli.asked import number_or_text
from coterie.errors import CoterieError, DataError, ParameterError

if TYPE_CHECKING:
    from coterie.pipeline.release import ReleaseFacts

__all__ = [
    "Report",
    "check_dossier",
    "check_dossier_alone",
    "check_report",
    "write_folder",
    "write_report",
]

Report = Annotated[
    str | None,
    typer.Option("--report", metavar="FILE", help="Report: .html, one page with pictures; .json."),
]


def check_report(report: str | None, kind: str | None = None) -> str:
    """The kind of the report; one line for an ending, kind or option that cannot be meant."""
    from coterie.public import KINDS
    from coterie.report.files import ENDINGS

    if kind is not None and kind not in KINDS:
        raise ParameterError(f"--report-kind must be {' or '.join(KINDS)}. Got {kind!r}.")
    if kind is not None and report is None:
        raise ParameterError(f"--report-kind {kind} needs --report FILE. Got none.")
    if report is not None and Path(report).suffix.lower() not in ENDINGS:
        raise ParameterError(f"--report must end in {', '.join(ENDINGS)}. Got {report!r}.")
    return kind or KINDS[0]


def write_report(make: Callable[[], Any], report: str, kept: str = "") -> Any:
    """Make a summary and write it; what was written before stays, and the message says so."""
    from coterie.report import write

    try:
        summary = make()
        write(summary, report)
    except CoterieError as error:
        raise DataError(f"{error} {kept}".strip()) from error
    except Exception as error:  # a bug in the report must not pass for one in the release
        what = f"{type(error).__name__}: {error}".rstrip(".")
        raise DataError(
            f"{report} was not written, because of an unexpected {what}. {kept}".strip()
        ) from error
    return summary


def check_dossier(
    dossier: str | None,
    thresholds: Mapping[str, Any],
    sizes: Sequence[str] | None,
    metadata: str | None,
) -> None:
    """One line for what cannot be meant."""
    from coterie.table import atomic

    for option, given in (("--threshold", thresholds), ("--sweep-k", sizes)):
        if given and dossier is None:
            raise ParameterError(f"{option} needs --dossier DIR. Got none.")
    if metadata is not None and Path(metadata).suffix.lower() not in (".xml", ".json"):
        raise ParameterError(f"--metadata must end in .xml or .json. Got {metadata!r}.")
    if dossier is not None:
        from coterie.report.dossier.scenarios import bars

        atomic.try_folder(Path(os.path.realpath(dossier)), dossier)
        bars(thresholds, 2)  # measures and numbers, before any work


def check_dossier_alone(dossier: str | None, files: Mapping[str, str | None]) -> None:
    """Refuse other files in the dossier's folder: it would no longer be new or empty."""
    if dossier is None:
        return
    folder = Path(os.path.realpath(dossier))
    for option, file in files.items():
        if file not in (None, "-"):
            real = Path(os.path.realpath(str(file)))
            if folder in (real, *real.parents):
                raise ParameterError(
                    f"--dossier must name a folder of its own. Got {dossier!r}, where {option} "
                    f"{file!r} lies; choose another folder."
                )


def write_folder(
    release: ReleaseFacts,
    dossier: str,
    thresholds: Mapping[str, Any],
    sizes: Sequence[str] | None,
    output: str,
    callback: Callable[[Any], object] | None,
    kept: str,
) -> None:
    """Write the dossier; the release stays if that fails, and the message says so."""
    from coterie.report.dossier import write_dossier

    wanted = [number_or_text(text) for text in sizes] if sizes else None
    try:
        write_dossier(release, dossier, thresholds, wanted, output=output, callback=callback)
    except CoterieError as error:
        raise DataError(f"{error} {kept}") from error
