"""``coterie verify``: whether a file, made by any tool, is k-anonymous on its keys."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any

import typer

from coterie.cli.asked import arguments, refuse, takes
from coterie.cli.options import AS_USUAL, Config, Json, Reading
from coterie.cli.streams import read_input
from coterie.errors import ParameterError, one_line, unknown_name
from coterie.guarantees.thresholds import THRESHOLDS
from coterie.plan import Plan
from coterie.report.plain import to_json

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
    reading: Reading = AS_USUAL,
    json: Json = False,
) -> None:
    """Count the classes of a file; exit code 1 if one is smaller than k or misses a guarantee."""
    from coterie.centroids.edits import RuleBroken
    from coterie.evaluation.verified import verify
    from coterie.guarantees.proof import NotAdmissible, NotKAnonymous

    found_in, problems = arguments(config, asked)
    refuse(problems)
    if found_in.get("k") is None or not found_in.get("quasi_identifiers"):
        raise ParameterError("verify must be given -k and at least one -q COLUMN, or --config.")
    plan, problems = Plan.gather(found_in, "verify") if config else (None, [])
    refuse(problems)
    try:
        source = read_input(released, reading.file_format, spelled=True, **reading.options)
        if "unit" in asked and asked["unit"] not in source.frame.columns:
            raise unknown_name("column", asked["unit"], source.frame.columns)
        found = verify(source, **found_in) if plan is None else verify(source, plan)
    except NotKAnonymous as failure:
        if json:
            typer.echo(to_json({"k_anonymous": False, **failure.counts}))
        raise
    except NotAdmissible as failure:
        if json:
            missed = [dataclasses.asdict(one) for one in failure.findings]
            typer.echo(to_json({"k_anonymous": True, "as_guaranteed": False, "missed": missed}))
        raise
    except RuleBroken as failure:
        if json:
            checks = [dataclasses.asdict(one) for one in failure.checks]
            typer.echo(to_json({"k_anonymous": True, "rules": checks}))
        raise
    typer.echo(
        to_json({"k_anonymous": True, **dataclasses.asdict(found)})
        if json
        else one_line(str(found))
    )
