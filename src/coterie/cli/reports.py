"""``--report FILE``: checked before any work, written after everything else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from coterie.errors import CoterieError, DataError, ParameterError

__all__ = ["Report", "check_report", "write_report"]

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
