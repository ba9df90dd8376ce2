"""``coterie compare``: several methods and k on one table, what each loses and risks."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from coterie.cli.anonymize import SETTINGS
from coterie.cli.options import Config, Format, Json, Keys, Sizes, Strata, number_or_text
from coterie.cli.progress import bar
from coterie.cli.reports import Report, check_report, write_report
from coterie.cli.streams import distinct_paths, read_input
from coterie.errors import ParameterError

__all__ = ["command"]

METHODS = "mdav,mdav-mhm,cbfs-mhm,tsp-mhm,auto"


def command(
    input_file: Annotated[str, typer.Argument(metavar="IN", help="File to protect, or -.")],
    k: Sizes = None,
    keys: Keys = None,
    methods: Annotated[str, typer.Option(metavar="A,B,C", help="See `coterie methods`.")] = METHODS,
    strata: Strata = None,
    drop: Annotated[list[str] | None, typer.Option(help="Identifier: left out.")] = None,
    declare: Annotated[list[str] | None, typer.Option(help="No identifier.")] = None,
    missing: Annotated[str | None, typer.Option(help="error, drop or pattern.")] = None,
    seed: Annotated[str | None, typer.Option(metavar="INTEGER")] = None,
    report: Report = None,
    config: Config = None,
    file_format: Format = None,
    json: Json = False,
) -> None:
    """Protect a table in several ways, write nothing, and print what each costs."""
    import coterie.table.config as settings
    from coterie.cli.summary import print_table
    from coterie.tuning import compare

    check_report(report)
    distinct_paths(
        {"IN": input_file, "--config": config, "--report": report}, written=("--report",)
    )
    arguments: dict[str, Any] = settings.load(config, SETTINGS) if config else {}
    given = {
        "quasi_identifiers": keys,
        "strata": strata,
        "identifiers": drop,
        "declared": declare,
        "missing": missing,
        "random_state": number_or_text(seed),
    }
    arguments.update({name: value for name, value in given.items() if value not in (None, [])})
    for name in ("method", "row_order"):
        arguments.pop(name, None)
    sizes = [number_or_text(size) for size in k or ()] or [arguments.pop("k", None)]
    arguments.pop("k", None)
    if sizes == [None] or not arguments.get("quasi_identifiers"):
        raise ParameterError("compare must be given -k and -q, or a --config that has them.")
    source = read_input(input_file, file_format)
    with bar(json) as callback:
        found = compare(source, sizes, methods.split(","), callback=callback, **arguments)
    if report:
        from coterie.report import comparison_summary

        shown = list(arguments["quasi_identifiers"])
        name = "standard input" if input_file == "-" else input_file
        write_report(lambda: comparison_summary(found, shown, source=name), report)
    if json:
        typer.echo(found.to_json(orient="records", indent=2))
    else:
        print_table(found, "information loss and expected share linked in percent")
