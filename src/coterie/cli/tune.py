"""``coterie tune``: a sweep over k, methods and P3M's settings, and the risk-utility front."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Annotated, Any

import typer

from coterie.cli.asked import number_or_text, refuse, settled, takes
from coterie.cli.compare import ASKED as COMPARED
from coterie.cli.compare import bars_of, carry_out, untaken
from coterie.cli.options import AS_USUAL, Config, HeldOut, Json, Reading, Sizes
from coterie.cli.progress import bar
from coterie.cli.reports import Report, check_report, write_report
from coterie.cli.streams import check_text, distinct_paths, read_input, write_text
from coterie.errors import ParameterError, unknown_name

__all__ = ["command"]

PICTURES = (".svg", ".png", ".pdf")
METHODS, AGGREGATIONS = "mdav,mdav-mhm", "mean,p3m"  # as of `coterie.tune`
# Of each release that is held against thresholds. Those of P3M are swept over, and have own flags.
ASKED = [name for name in COMPARED if name not in ("alpha", "delta")]


@takes(*ASKED)
def command(
    input_file: Annotated[str, typer.Argument(metavar="IN", help="Numeric table, or -.")],
    asked: Any,
    k: Sizes = None,
    methods: Annotated[str, typer.Option(metavar="A,B,C")] = METHODS,
    aggregations: Annotated[
        str | None, typer.Option(metavar="A,B,C", help=f"{AGGREGATIONS} by default.")
    ] = None,
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
    threshold: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MEASURE=NUMBER",
            help="Find the cheapest k that meets it, as in inference=5; any table.",
        ),
    ] = None,
    control: HeldOut = None,
    report: Report = None,
    config: Config = None,
    reading: Reading = AS_USUAL,
    json: Json = False,
) -> None:
    """Release a numeric table in many ways, judge each, and print those that none beats.

    With --threshold, any table: the release that loses least of those that meet every bound.
    """
    from coterie.cli.summary import print_table
    from coterie.table import atomic
    from coterie.tuning import tune

    keys = asked.get("quasi_identifiers")
    check_report(report)
    distinct_paths(
        {
            "IN": input_file,
            "--config": config,
            "-o": output,
            "--plot": plot,
            "--report": report,
        },
        written=("-o", "--plot", "--report"),
    )
    check_text("-o", output)
    if plot and Path(plot).suffix.lower() not in PICTURES:
        raise ParameterError(f"--plot must end in {', '.join(PICTURES)}. Got {plot!r}.")
    if not k or not (keys or config):
        raise ParameterError("tune must be given -k and at least one -q COLUMN.")
    source = read_input(input_file, reading.file_format, **reading.options)
    origin = "standard input" if input_file == "-" else input_file
    if threshold:
        swept = {"--plot": plot, "--aggregations": aggregations, "--alpha": alpha, "--delta": delta}
        for flag, value in swept.items():
            if value is not None:
                raise ParameterError(
                    f"tune --threshold compares k and methods, each release as asked. Got {flag} "
                    f"{value}; leave it out."
                )
        plan, problems = settled(config, asked, "tune", k=number_or_text(k[0]))
        refuse([*problems, *untaken(asked, plan, methods.split(","))])
        bars = bars_of(threshold)
        carry_out(
            source,
            origin,
            plan,
            [number_or_text(size) for size in k],
            methods.split(","),
            bars,
            control,
            on=next(iter(bars)),
            title=lambda found: "information loss, records linked and measures in percent",
            output=output,
            report=report,
            json=json,
        )
        return
    alone = [name for name in asked if name != "quasi_identifiers"]
    for name in [*alone, *(["--config"] if config else ()), *(["--control"] if control else ())]:
        raise ParameterError(f"{name} of tune is for --threshold. Got it alone; leave it out.")
    frame = source.frame
    for name in keys:
        if name not in frame.columns:
            raise unknown_name("column", name, frame.columns)
    with bar(json) as callback:
        found = tune(
            frame.select(keys).to_native(),
            [number_or_text(size) for size in k],
            methods.split(","),
            aggregations=(aggregations or AGGREGATIONS).split(","),
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

        risk, loss = found.risk, found.loss
        write_report(
            lambda: comparison_summary(found.table, keys, risk, loss, source=origin), report
        )
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
