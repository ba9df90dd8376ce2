"""``coterie compare``: several methods and k on one table, what each loses and risks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any

import typer

from coterie.cli.asked import number_or_text, pairs, refuse, settled, takes
from coterie.cli.options import AS_USUAL, Config, HeldOut, Json, Reading, Sizes
from coterie.cli.progress import bar
from coterie.cli.reports import Report, check_report, write_report
from coterie.cli.streams import distinct_paths, read_input, write_text
from coterie.errors import ParameterError
from coterie.plan import Plan
from coterie.plan.plan import options
from coterie.plan.search import LIMITS, untaken_limits

__all__ = ["bars_of", "carry_out", "command", "untaken"]

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
    measure: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Also this one of `coterie evaluate`; repeat for more."),
    ] = None,
    threshold: Annotated[
        list[str] | None,
        typer.Option(metavar="MEASURE=NUMBER", help="What a release must meet."),
    ] = None,
    control: HeldOut = None,
    risk: Annotated[
        str | None, typer.Option(metavar="MEASURE", help="On the map of the report.")
    ] = None,
    report: Report = None,
    config: Config = None,
    reading: Reading = AS_USUAL,
    json: Json = False,
) -> None:
    """Protect a table in several ways, write nothing, and print what each costs."""
    from coterie.report.comparison import left_out
    from coterie.tuning.comparison import METHODS

    check_report(report)
    distinct_paths(
        {"IN": input_file, "--config": config, "--report": report}, written=("--report",)
    )
    sizes = [number_or_text(size) for size in k or ()]
    plan, problems = settled(config, asked, "compare", **({"k": sizes[0]} if sizes else {}))
    names = methods.split(",") if methods else list(METHODS)
    refuse([*problems, *untaken(asked, plan, names)])
    bars = bars_of(threshold)
    source = read_input(input_file, reading.file_format, **reading.options)
    carry_out(
        source,
        "standard input" if input_file == "-" else input_file,
        plan,
        sizes or [plan.k],
        names,
        bars,
        control,
        measures=[*(measure or ()), *([risk] if risk else ())],
        on=risk or "linked",
        title=lambda found: (
            f"information loss and expected share linked in percent{left_out(found)}"
        ),
        report=report,
        json=json,
    )


def untaken(asked: Mapping[str, Any], plan: Plan, methods: Sequence[str]) -> Iterator[str]:
    """Flags of a limit that no method takes, or a method that is none.

    Limits of the settings file may be for another method.
    """
    from coterie.partitioning import registry

    given = {name: getattr(plan, name) for name in LIMITS if name in asked}
    try:
        yield from untaken_limits(given, [registry.find(name) for name in methods])
    except ParameterError as error:
        yield str(error)


def carry_out(
    source: Any,
    origin: str,
    plan: Plan,
    sizes: Sequence[Any],
    methods: Sequence[str],
    bars: Mapping[str, Any],
    control: str | None,
    *,
    measures: Sequence[str] = (),
    on: str,
    title: Callable[[Any], str],
    output: str | None = None,
    report: str | None = None,
    json: bool = False,
) -> None:
    """Compare, write and print what was found; exit 1 where no release meets the thresholds.

    The map of the report is about the measure `on`; `title` is that of the table printed.
    """
    from coterie.cli.summary import print_table
    from coterie.tuning.comparison import compare

    with bar(json) as callback:
        found = compare(
            source,
            sizes,
            methods,
            plan=plan,
            measures=measures,
            thresholds=bars,
            control=number_or_text(control),
            callback=callback,
        )
    if output:
        write_text(output, found.to_csv(index=False))
    if report:
        from coterie.report import comparison_summary

        keys = list(plan.quasi_identifiers)
        write_report(lambda: comparison_summary(found, keys, on, source=origin), report)
    if json:
        typer.echo(found.to_json(orient="records", indent=2))
    else:
        print_table(brief(found), title(found))
        if bars:
            typer.echo(choice(found, bars))
    if bars and not found["met"].any():
        raise typer.Exit(1)


def bars_of(threshold: list[str] | None) -> dict[str, Any]:
    """What ``--threshold`` says, by measure."""
    return {name: number_or_text(value) for name, value in pairs(threshold, "--threshold").items()}


def brief(found: Any) -> Any:
    """What fits a terminal: an interval stands beside its risk, and sizes give way to measures."""
    shown = found.copy()
    if not shown["dropped"].any():
        shown = shown.drop(columns="dropped")
    ranged = [name for name in found.columns if f"{name}_low" in found.columns]
    for name in ranged:
        ends = zip(found[name], found[f"{name}_low"], found[f"{name}_high"], strict=True)
        shown[name] = [
            "" if v is None or v != v else f"{v:.1f} [{a:.1f}, {b:.1f}]" for v, a, b in ends
        ]
        shown = shown.drop(columns=[f"{name}_low", f"{name}_high"])
    if ranged or "met" in found.columns:
        shown = shown.drop(columns=["groups", "smallest", "largest", "seconds"])
    return shown


def choice(found: Any, bars: Mapping[str, Any]) -> str:
    """Which release to take, in one line."""
    from coterie.evaluation.bars import read_bars
    from coterie.tuning.comparison import cheapest

    asked = ", ".join(f"{name} {bar}" for name, bar in read_bars(bars).items())
    best = cheapest(found)
    if best is None:
        reasons = found.attrs.get("refused", {})
        why = "".join(f"; {n} was not measured: {reasons[n]}" for n in bars if n in reasons)
        return f"no release meets {asked}{why}"
    reported = ", ".join(f"{name} {best[name]:.4g}" for name in bars)
    return (
        f"cheapest with {asked}: k = {best['k']} by {best['method']}, "
        f"{best['information_loss']:.2f} % lost ({reported})"
    )
