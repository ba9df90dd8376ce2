"""What is written about a release: evidence, report, dossier, metadata.

Flags are checked before any work; the files are written after the release, which is whole by then,
on standard output too: a report that fails cannot lose it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from coterie.cli.asked import number_or_text, pairs
from coterie.cli.progress import bar
from coterie.cli.streams import check_text, write_text
from coterie.errors import CoterieError, DataError, ParameterError

if TYPE_CHECKING:
    from coterie.pipeline.release import ReleaseFacts

__all__ = ["Accounts", "Report", "check_report", "write_report"]

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


@dataclass(frozen=True, kw_only=True)
class Accounts:
    """The files about a release that `anonymize` is asked for, and how they are told."""

    evidence: str | None
    public_evidence: str | None
    crosswalk: str | None
    report: str | None
    report_kind: str | None
    dossier: str | None
    threshold: list[str] | None
    sweep_k: Sequence[str] | None
    metadata: str | None
    quiet: bool

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Accounts:
        """Those that the flags of a command ask for."""
        return cls(**{one.name: given[one.name] for one in fields(cls)})

    @cached_property
    def bars(self) -> dict[str, Any]:
        """The thresholds of the dossier, by measure."""
        given = pairs(self.threshold, "--threshold")
        return {name: number_or_text(text) for name, text in given.items()}

    @property
    def files(self) -> dict[str, str | None]:
        """Each file by its flag; the dossier is a folder."""
        return {
            "--evidence": self.evidence,
            "--public-evidence": self.public_evidence,
            "--crosswalk": self.crosswalk,
            "--report": self.report,
            "--metadata": self.metadata,
        }

    def check(self) -> None:
        """One line for what cannot be meant."""
        from coterie.table import atomic

        check_report(self.report, self.report_kind)
        for option, given in (("--threshold", self.bars), ("--sweep-k", self.sweep_k)):
            if given and self.dossier is None:
                raise ParameterError(f"{option} needs --dossier DIR. Got none.")
        described = self.metadata
        if described is not None and Path(described).suffix.lower() not in (".xml", ".json"):
            raise ParameterError(f"--metadata must end in .xml or .json. Got {described!r}.")
        if self.dossier is not None:
            from coterie.report.dossier.scenarios import bars

            atomic.try_folder(Path(os.path.realpath(self.dossier)), self.dossier)
            bars(self.bars, 2)  # measures and numbers, before any work

    def check_alone(self, files: Mapping[str, str | None]) -> None:
        """Refuse other files in the dossier's folder: it would no longer be new or empty."""
        check_text("--evidence", self.evidence, "JSON")
        check_text("--public-evidence", self.public_evidence, "JSON")
        if self.dossier is None:
            return
        folder = Path(os.path.realpath(self.dossier))
        for option, file in files.items():
            if file not in (None, "-"):
                real = Path(os.path.realpath(str(file)))
                if folder in (real, *real.parents):
                    raise ParameterError(
                        f"--dossier must name a folder of its own. Got {self.dossier!r}, where "
                        f"{option} {file!r} lies; choose another folder."
                    )

    def write_evidence(self, release: ReleaseFacts) -> None:
        """Write both kinds of evidence, where they are asked for."""
        for kind, file in (("internal", self.evidence), ("public", self.public_evidence)):
            if file:
                write_text(file, release.evidence.json(kind))

    def write(self, release: ReleaseFacts, output: str, done: Callable[[str], object]) -> Any:
        """Write the rest; gives what the report tells. `done` hears of each."""
        kept = f"The release was written to {output if output != '-' else 'standard output'}."
        summary = None
        if self.report:
            audience = check_report(self.report, self.report_kind)
            with bar(self.quiet) as callback:
                make = partial(release.summary, audience, callback)
                summary = write_report(make, self.report, kept)
            done("report")
        if self.metadata:
            from coterie.report.dossier import write_metadata

            write_metadata(release, self.metadata, file=output)
            done("metadata")
        if self.dossier:
            with bar(self.quiet) as callback:
                self._write_dossier(release, self.dossier, output, callback, kept)
            done("dossier")
        return summary

    def _write_dossier(
        self,
        release: ReleaseFacts,
        folder: str,
        output: str,
        callback: Callable[[Any], object] | None,
        kept: str,
    ) -> None:
        """Write the dossier; the release stays if that fails, and the message says so."""
        from coterie.report.dossier import write_dossier

        wanted = [number_or_text(text) for text in self.sweep_k] if self.sweep_k else None
        try:
            write_dossier(release, folder, self.bars, wanted, output=output, callback=callback)
        except CoterieError as error:
            raise DataError(f"{error} {kept}") from error
