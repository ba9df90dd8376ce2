"""``coterie tune``: a sweep over k, methods and P3M's settings, and the risk-utility front."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Annotated, Any

import typer

from coterie.cli.asked import number_or_text, takes
from coterie.cli.options import Format, Json, LineBreaks, Sizes
from coterie.cli.progress import bar
from coterie.cli.reports import Report, check_report, write_report
from coterie.cli.streams import check_text, distinct_paths, read_input, write_text
from coterie.errors import ParameterError, unknown_name

__all__ = ["command"]

PICTURES = (".svg", ".png", ".pdf")


@takes("quasi_identifiers")
def command(
    input_file: Annotated[str, typer.Argument(metavar="IN", help="Numeric table, or -.")],
    asked: Any,
    k: Sizes = None,
    methods: Annotated[str, typer.Option(metavar="A,B,C")] = "mdav,mdav-mhm",
    aggregations: Annotated[str, typer.Option(metavar="A,B,C")] = "mean,p3m",
    alpha: Annotated[
        str | None,
        typer.Option(metavar="A,B,C", help="P3M: weight of distance targets; 0.5 by default."),
    ] = None,
    delta: Annotated[
        str | None, typer.Option(metavar="A,B,C", help="P3M: distance target; 0.1 by default.")
    ] = None,
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="CSV file for every release tried.")
    ] = None,
    plot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Picture of the risk-utility map.")
    ] = None,
    report: Report = None,
    file_format: Format = None,
    line_breaks: LineBreaks = False,
    json: Json = False,
) -> None:
    """Release a numeric table in many ways, judge each, and print those that none beats."""
    from coterie.cli.summary import print_table
    from coterie.table import atomic
    from coterie.tuning import tune

    keys = asked.get("quasi_identifiers")
    check_report(report)
    distinct_paths(
        {"IN": input_file, "-o": output, "--plot": plot, "--report": report},
        written=("-o", "--plot", "--report"),
    )
    check_text("-o", output)
    if plot and Path(plot).suffix.lower() not in PICTURES:
        raise ParameterError(f"--plot must end in {', '.join(PICTURES)}. Got {plot!r}.")
    if not k or not keys:
        raise ParameterError("tune must be given -k and at least one -q COLUMN.")
    frame = read_input(input_file, file_format, line_breaks=line_breaks).frame
    for name in keys:
        if name not in frame.columns:
            raise unknown_name("column", name, frame.columns)
    with bar(json) as callback:
        found = tune(
            frame.select(keys).to_native(),
            [number_or_text(size) for size in k],
            methods.split(","),
            aggregations=aggregations.split(","),
            alpha=_numbers(alpha),
            delta=_numbers(delta),
            callback=callback,
        )
    if output:
        write_text(output, found.table.to_csv(index=False))
    if plot:
        drawn = io.BytesIO()
        found.plot().figure.savefig(drawn, format=Path(plot).suffix.lower()[1:])
        atomic.write_bytes(Path(plot), drawn.getvalue())
    if report:
        from coterie.report import comparison_summary

        name = "standard input" if input_file == "-" else input_file
        risk, loss = found.risk, found.loss
        write_report(lambda: comparison_summary(found.table, keys, risk, loss, source=name), report)
    if json:
        typer.echo(found.table.to_json(orient="records", indent=2))
    else:
        shown = ["k", "method", "aggregation", "alpha", "delta", found.risk, found.loss]
        front = found.front
        print_table(
            front[[name for name in shown if name in front.columns]],
            f"releases that none beats in {found.risk} and {found.loss} (percent)",
        )


def _numbers(text: str | None) -> list[Any] | None:
    return None if text is None else [number_or_text(value) for value in text.split(",")]
