"""``coterie anonymize``: protect a file and write the proven release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from coterie.cli import scale
from coterie.cli.asked import arguments, number_or_text, refuse, takes
from coterie.cli.options import AS_USUAL, Config, Json, Reading
from coterie.cli.progress import bar
from coterie.cli.reports import Accounts, Report
from coterie.cli.streams import (
    check_output,
    check_text,
    distinct_paths,
    read_input,
    write_output,
    write_text,
)
from coterie.errors import DataError, ParameterError
from coterie.plan import Plan
from coterie.plan.plan import options

if TYPE_CHECKING:
    from coterie.pipeline.release import Release
    from coterie.table.source import Source

__all__ = ["command"]


@takes(*(name for name, option in options().items() if option.flag))
def command(
    context: typer.Context,
    input_file: Annotated[str, typer.Argument(metavar="IN", help="File to protect, or -.")],
    asked: Any,
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="File to write, or -.")
    ] = None,
    delimiter: Annotated[str | None, typer.Option(help="Of a CSV file.")] = None,
    encoding: Annotated[str | None, typer.Option(help="Of a CSV file.")] = None,
    config: Config = None,
    reading: Reading = AS_USUAL,
    evidence: Annotated[
        str | None, typer.Option(help="Write the internal evidence to this .json file.")
    ] = None,
    public_evidence: Annotated[
        str | None, typer.Option(help="Write the public evidence to this .json file.")
    ] = None,
    crosswalk: Annotated[
        str | None,
        typer.Option(help="Write the internal crosswalk (never to be published) to this file."),
    ] = None,
    report: Report = None,
    report_kind: Annotated[
        str | None,
        typer.Option(metavar="KIND", help="internal (default), or public: fit to be published."),
    ] = None,
    dossier: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="New folder for what a review board signs."),
    ] = None,
    threshold: Annotated[
        list[str] | None,
        typer.Option(metavar="MEASURE=NUMBER", help="Of the dossier: a bar that must be met."),
    ] = None,
    sweep_k: Annotated[
        list[str] | None,
        typer.Option(metavar="INTEGER", help="Of the dossier: another k to compare; repeat."),
    ] = None,
    metadata: Annotated[
        str | None, typer.Option(metavar="FILE", help="Public sheet: .xml (DDI) or .json.")
    ] = None,
    engine: Annotated[
        str,
        typer.Option(help="memory; or tiles, dask, spark: parts on the disk, any size."),
    ] = "memory",
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="dask: of a cluster that is running.")
    ] = None,
    workers: Annotated[
        str | None, typer.Option(metavar="INTEGER", help="dask, spark: processes on this machine.")
    ] = None,
    tile: Annotated[
        str | None, typer.Option(metavar="INTEGER", help="All but memory: records of a tile.")
    ] = None,
    scratch: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="All but memory: for original values.")
    ] = None,
    dry_run: Annotated[bool, typer.Option(help="Do everything but write.")] = False,
    json: Json = False,
    quiet: Annotated[bool, typer.Option(help="No progress, no summary.")] = False,
) -> None:
    """Protect a file: k-anonymous on the declared keys, proven before it takes its name."""
    from coterie.cli.summary import release_table
    from coterie.guarantees.panel.crosswalk import Crosswalk, identities
    from coterie.pipeline.stages import Stages

    if output is None and not dry_run:
        raise ParameterError("anonymize must be given -o OUT, or --dry-run. Got neither.")
    accounts = Accounts.of(context.params)
    accounts.check()
    if dry_run and (dossier or metadata):
        raise ParameterError("--dry-run writes nothing. Leave out --dossier and --metadata.")
    if dry_run and (evidence or public_evidence or crosswalk or report):
        raise ParameterError("--dry-run writes nothing. Leave out the files for evidence.")
    at_scale = {
        "engine": engine,
        "scheduler": scheduler,
        "workers": number_or_text(workers),
        "tile": number_or_text(tile),
        "scratch": scratch,
    }
    text: dict[str, Any] = {
        "delimiter": delimiter,
        "encoding": encoding,
        "line_breaks": reading.line_breaks,
    }
    scale.check(context, at_scale)
    if reading.sheet is not None and engine != "memory":
        got = f"Got {reading.sheet!r}; save it as .csv."
        raise ParameterError(f"--sheet is for --engine memory. {got}")
    if output is not None and engine == "memory":
        check_output(output, input_file, reading.file_format)
    check_text("--crosswalk", crosswalk)
    wanted, problems = arguments(config, asked)
    files = {"-o": output, **accounts.files}
    _check_paths({"IN": input_file, "--config": config}, wanted, files, engine)
    accounts.check_alone(files)
    matched = wanted.get("match")
    if matched is not None and not wanted.get("previous"):
        if not crosswalk:
            raise ParameterError("--match needs --previous or --crosswalk. Got neither.")
        wanted.pop("match")  # only for the crosswalk
    plan, more = Plan.gather(wanted, "anonymize")
    problems += more
    if engine != "memory":
        refuse(problems)
        how = {**at_scale, **text, "dates": reading.dates}
        scale.run(input_file, str(output), plan, how, accounts, json=json)
        return
    stages = Stages(None)
    source = read_input(input_file, reading.file_format, **reading.options | text)
    stages.done("file read")
    if matched is not None and not plan.match:
        identities(source, matched)  # checked before any work
    release = _release(source, plan, problems, quiet)
    stages.done("release")
    if not dry_run:
        _write(release, output or "", reading.file_format)
        stages.done("written and proved again")
    accounts.write_evidence(release)
    if crosswalk:
        write_text(crosswalk, Crosswalk.of(release, matched).text())
    stages.done("evidence")
    reported = accounts.write(release, output or "", stages.done)
    if json:
        typer.echo(release.evidence.json("internal"), err=output == "-")
    elif not quiet:
        written = "" if dry_run else (output or "")
        release_table(release, written, stages.seconds, report or "", reported)


def _check_paths(
    read: Mapping[str, str | None],
    wanted: Mapping[str, Any],
    files: Mapping[str, str | None],
    engine: str,
) -> None:
    """Refuse two names of one file among those read and written."""
    earlier = wanted.get("previous") or ()
    distinct_paths(
        {
            **read,
            **{f"previous {path}": path for path in earlier if isinstance(path, str)},
            **files,
        },
        written=[name for name in files if name != "-o" or engine == "memory"],  # else a folder
    )


def _release(source: Source, plan: Plan, problems: Sequence[str], quiet: bool) -> Release:
    """Protect the table in memory; what the columns become is told before the work."""
    from coterie.cli.summary import becoming
    from coterie.pipeline.composition import protect
    from coterie.pipeline.preparation import prepare
    from coterie.pipeline.stages import Stages

    with bar(quiet) as callback:
        inside = Stages(callback)
        prepared = prepare(source, plan, inside, problems=problems)
    if not quiet:
        becoming(prepared)
    with bar(quiet) as callback:
        inside.callback = callback
        return protect(prepared, inside)


def _write(release: Release, output: str, file_format: str | None) -> None:
    """Write the release, proven again on the file."""
    from coterie.centroids.edits import RuleBroken
    from coterie.guarantees.proof import NotAdmissible, NotKAnonymous

    try:
        write_output(output, file_format, release.write)
    except (NotAdmissible, NotKAnonymous, RuleBroken) as error:
        raise DataError(
            f"{output} would not hold what was proven of the table: {error} Choose another "
            "format, such as .parquet; nothing was written."
        ) from error
