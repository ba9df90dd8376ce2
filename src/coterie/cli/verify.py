"""``coterie verify``: whether a file, made by any tool, is k-anonymous on its keys."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any

import typer

from coterie.cli.asked import arguments, refuse, takes
from coterie.cli.options import Config, Format, Json, LineBreaks
from coterie.cli.streams import read_input
from coterie.errors import ParameterError, one_line
from coterie.partitioning.thresholds import THRESHOLDS
from coterie.plain import to_json

__all__ = ["command"]


JUDGED = (
    *("k", "quasi_identifiers", "strata", "unit", "confidential", *THRESHOLDS),
    "rules",
)


@takes(*JUDGED)
def command(
    released: Annotated[str, typer.Argument(metavar="RELEASED", help="File to judge, or -.")],
    asked: Any,
    config: Config = None,
    file_format: Format = None,
    line_breaks: LineBreaks = False,
    json: Json = False,
) -> None:
    """Count the classes of a file; exit code 1 if one is smaller than k or misses a promise."""
    from coterie.edits import RuleBroken
    from coterie.verification import NotAdmissible, NotKAnonymous, verify

    found_in, problems = arguments(config, asked)
    refuse(problems)
    wanted = {name: value for name, value in found_in.items() if name in JUDGED}
    if wanted.get("k") is None or not wanted.get("quasi_identifiers"):
        raise ParameterError("verify must be given -k and at least one -q COLUMN, or --config.")
    unreleased = None
    try:
        source = read_input(released, file_format, line_breaks=line_breaks, spelled=True)
        if "unit" not in asked and wanted.get("unit") not in source.frame.columns:
            # The settings name a unit that was rightly not released.
            unreleased = wanted.pop("unit", None)
        found = verify(source, **wanted)
    except NotKAnonymous as failure:
        if json:
            typer.echo(to_json({"k_anonymous": False, **failure.counts}))
        raise
    except NotAdmissible as failure:
        if json:
            missed = [dataclasses.asdict(one) for one in failure.findings]
            typer.echo(to_json({"k_anonymous": True, "as_promised": False, "missed": missed}))
        raise
    except RuleBroken as failure:
        if json:
            checks = [dataclasses.asdict(one) for one in failure.checks]
            typer.echo(to_json({"k_anonymous": True, "rules": checks}))
        raise
    if unreleased:
        note = f"records are counted, not units: the file does not hold {unreleased!r}"
        typer.echo(f"coterie: {note}", err=True)
    typer.echo(
        to_json({"k_anonymous": True, **dataclasses.asdict(found)})
        if json
        else one_line(str(found))
    )
