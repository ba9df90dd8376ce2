"""``coterie evaluate``: how risky and how useful a release is, by any tool."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from coterie.cli.asked import takes
from coterie.cli.options import Format, Json, LineBreaks
from coterie.cli.progress import bar
from coterie.cli.reports import Report, check_report, write_report
from coterie.cli.streams import distinct_paths
from coterie.errors import DataError, ParameterError
from coterie.plain import to_json

__all__ = ["command"]


@takes("quasi_identifiers", "confidential")
def command(
    original: Annotated[str, typer.Argument(metavar="ORIGINAL", help="The table before.")],
    released: Annotated[str, typer.Argument(metavar="RELEASED", help="The table after.")],
    asked: Any,
    aligned: Annotated[
        bool, typer.Option(help="Your word that row i is the same record in both files.")
    ] = False,
    key: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Tells records apart in both files.")
    ] = None,
    crosswalk: Annotated[
        str | None,
        typer.Option(metavar="CSV", help="What `anonymize --crosswalk` wrote: aligns the rows."),
    ] = None,
    measure: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this one; repeat for more.")
    ] = None,
    known: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="A key that the intruder knows; all by default."),
    ] = None,
    report: Report = None,
    file_format: Format = None,
    line_breaks: LineBreaks = False,
    json: Json = False,
) -> None:
    """Judge a release; measures that compare rows need --aligned, --key or --crosswalk."""
    from coterie.evaluation import evaluate
    from coterie.table.formats import FORMATS
    from coterie.table.read import read

    keys, confidential = asked.get("quasi_identifiers"), asked.get("confidential")
    if sum((aligned, key is not None, crosswalk is not None)) > 1:
        raise ParameterError("evaluate must be given one of --aligned, --key and --crosswalk.")
    check_report(report)
    for name, path in (("ORIGINAL", original), ("RELEASED", released), ("--crosswalk", crosswalk)):
        distinct_paths({name: path, "--report": report}, written=("--report",))
    files = (original, released)
    texts = [path for path in files if Path(path).suffix.lower() in FORMATS["csv"].extensions]
    sources = [  # of two formats, the option is for the one that has it
        read(path, format=file_format, line_breaks=line_breaks and path in (texts or files))
        for path in files
    ]
    before, after = (source.frame for source in sources)
    if crosswalk is not None:
        table = read(crosswalk).frame
        rows = table["original_row"].to_list() if "original_row" in table.columns else []
        valid = len(rows) == len(after) == len(set(rows))
        if not valid or not all(isinstance(r, int) and 0 <= r < len(before) for r in rows):
            raise DataError(
                f"The crosswalk must name a row of {original} for each of the {len(after)} rows of "
                f"{released}. Got {len(rows)} rows; give the one written with that release."
            )
        before, aligned = before[rows], True
    shared = [name for name in before.columns if name in after.columns]
    keys = keys or [name for name in shared if name not in (confidential or ()) and name != key]
    wanted = list(dict.fromkeys([*keys, *(confidential or ()), *([key] if key else [])]))
    for name in wanted:
        if name not in shared:
            raise ParameterError(f"Column {name!r} must be in both files. Got it in one or none.")
    options: dict[str, Any] = {"measures": measure} if measure else {}
    if known:
        options["known"] = known
    with bar(json) as callback:
        found = evaluate(
            before.select(wanted).to_native(),
            after.select(wanted).to_native(),
            keys,
            confidential or (),
            aligned=aligned,
            key=key,
            callback=callback,
            **options,
        )
    if measure and not len(found):
        raise ParameterError(
            f"No measure could be taken: {'; '.join(f'{n}: {w}' for n, w in found.refused.items())}"
        )
    if report:
        from coterie.report import judged_summary

        whole, cut = (
            replace(source, frame=frame.select(wanted))
            for source, frame in zip(sources, (before, after), strict=True)
        )
        watched, matched = confidential or [], aligned or key is not None
        write_report(lambda: judged_summary(whole, cut, keys, watched, found, matched), report)
    if json:
        scores = {
            name: {
                "value": score.value,
                "kind": score.kind,
                "title": score.title,
                "direction": score.direction,
                "by_column": score.by_column,
                "parts": score.parts,
            }
            for name, score in found.items()
        }
        typer.echo(to_json({"measures": scores, "refused": found.refused}, indent=2))
    else:
        typer.echo(repr(found))
