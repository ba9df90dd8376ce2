"""``coterie compare``: several methods and k on one table, what each loses and risks."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from coterie.cli.asked import number_or_text, refuse, settled, takes
from coterie.cli.options import Config, Format, Json, LineBreaks, Sizes
from coterie.cli.progress import bar
from coterie.cli.reports import Report, check_report, write_report
from coterie.cli.streams import distinct_paths, read_input
from coterie.plan.plan import options

__all__ = ["command"]

# Of each release of the comparison; k and the method are what is compared.
ASKED = [
    name for name, o in options().items() if o.flag and name not in ("k", "method", "row_order")
]


@takes(*ASKED)
def command(
    input_file: Annotated[str, typer.Argument(metavar="IN", help="File to protect, or -.")],
    asked: Any,
    k: Sizes = None,
    methods: Annotated[
        str | None, typer.Option(metavar="A,B,C", help="See `coterie methods`.")
    ] = None,
    report: Report = None,
    config: Config = None,
    file_format: Format = None,
    line_breaks: LineBreaks = False,
    json: Json = False,
) -> None:
    """Protect a table in several ways, write nothing, and print what each costs."""
    from coterie.cli.summary import print_table
    from coterie.tuning.comparison import METHODS, compare

    check_report(report)
    distinct_paths(
        {"IN": input_file, "--config": config, "--report": report}, written=("--report",)
    )
    sizes = [number_or_text(size) for size in k or ()]
    plan, problems = settled(config, asked, "compare", **({"k": sizes[0]} if sizes else {}))
    refuse(problems)
    names = methods.split(",") if methods else list(METHODS)
    source = read_input(input_file, file_format, line_breaks=line_breaks)
    with bar(json) as callback:
        found = compare(source, sizes or [plan.k], names, plan=plan, callback=callback)
    if report:
        from coterie.report import comparison_summary

        shown = list(plan.quasi_identifiers)
        name = "standard input" if input_file == "-" else input_file
        write_report(lambda: comparison_summary(found, shown, source=name), report)
    if json:
        typer.echo(found.to_json(orient="records", indent=2))
    else:
        print_table(found, "information loss and expected share linked in percent")
