"""What a command tells at its end: a small table on standard error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.errors import listed
from coterie.pipeline.release import MASKED
from coterie.report.verdict import loss_rows, pooled_text

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console
    from rich.table import Table

    from coterie.distributed import Written
    from coterie.pipeline.preparation import Prepared
    from coterie.pipeline.release import Release
    from coterie.table.schema import Attribute

__all__ = ["becoming", "print_table", "release_table", "written_table"]


def becoming(prepared: Prepared) -> None:
    """Print what every column of a table becomes, before the work."""
    schema = prepared.schema
    table = _two_columns()
    for fate, names in schema.fates().items():
        if names:
            table.add_row(fate, ", ".join(_with_roles(schema[name]) for name in names))
    for a in schema.attributes:
        if a.coded and "key" in a.roles:
            reported = f"{a.name}: {a.coded}; if it is a number, --type {a.name}=integer"
            table.add_row("taken for a code", reported)
    _aside().print(table)


def _with_roles(attribute: Attribute) -> str:
    """A column, with what it is beside a key."""
    roles = sorted(attribute.roles - {"key", "identifier", "other"})
    return f"{attribute.name} ({', '.join(roles)})" if roles else attribute.name


def release_table(
    release: Release,
    target: str,
    around: Mapping[str, float],
    report: str = "",
    reported: Mapping[str, Any] | None = None,
) -> None:
    """Print what was released, how well it is protected and what it cost.

    `around` are the seconds of the command's own stages, before and after the release. With a
    `report`, its summary is `told` below.
    """
    evidence = release.evidence.internal
    sizes = release.partition.sizes
    method = f"{release.partition.method}, {release.partition.runtime or 0:.2f} s"
    table = _begun(evidence, sizes.tolist(), len(sizes), method)
    alone = evidence["search"].get("objective_percent_k_alone")
    if alone is not None:
        asked = evidence["search"]["objective_percent"]
        table.add_row(
            "the search", f"{asked:.2f} % of SST within groups; {alone:.2f} % with k alone"
        )
    for guarantee in evidence.get("constraints", ()):
        about = f" on {guarantee['column']}" if guarantee["column"] else ""
        kept = f"{guarantee['rule']} = {guarantee['asked']}{about}: worst {guarantee['worst']:.4g}"
        table.add_row("guaranteed", kept)
    for name, found in evidence["measures"].get("distance_targets", {}).items():
        share = f"{100 * found['targets_met']:.0f} % of the distance targets met"
        broken = (
            "" if found["feasible"] else "; mean and variance cannot be kept with these targets"
        )
        table.add_row(f"p3m, {name}", share + broken)
    if "rules" in evidence:
        kept = f"{len(evidence['rules']['checked'])}, kept by every record"
        moved = evidence["rules"]["groups_moved_to_keep_them"]
        together = evidence["rules"]["groups_rounded_together"]
        table.add_row("rules", f"{kept}; {moved:,} groups moved, {together:,} rounded together")
    if "previous" in evidence:
        panel = evidence["previous"]
        kept = f"every record among at least {panel['k_together']} units in all releases together"
        if panel["classes_that_fewer_than_k_left"]:
            kept += f"; {panel['classes_that_fewer_than_k_left']:,} old classes a few have left"
        table.add_row("earlier releases", kept)
    if release.partition.interrupted:
        table.add_row("interrupted", "the best partition found so far was released")
    linked = evidence["measures"].get("dld_expected")
    if linked is not None:
        share = f"{linked:.2f} % of the records, by who knows all keys exactly"
        table.add_row("linked", share)
    table.add_row("proven", str(release.verification or MASKED))
    table.add_row("stages", _seconds(evidence["seconds"]))
    table.add_row("the command", _seconds(around))
    if target and (marked := _formulas(release, target)):
        table.add_row("formulas", marked)
    if target:
        table.add_row("written", "standard output" if target == "-" else target)
    else:
        table.add_row("written", "nothing (dry run)")
    console = _aside()
    if report:
        table.add_row("report", report)
    console.print(table)
    if reported is not None:
        from coterie.report import terminal

        console.print()
        console.print(terminal(reported))


def _formulas(release: Release, target: str) -> str:
    """What was done to text of a CSV file that a spreadsheet would run, if any."""
    from coterie.table import formats

    found = release.formula_cells
    held = formats.by_extension(Path(target), writing=True).name if Path(target).suffix else "csv"
    if held != "csv" or not found:
        return ""
    done = {
        "prefix": "begin with ' in the file, so that no spreadsheet runs them",
        "quote": "stand in quotes; some spreadsheets run them all the same",
        "keep": "are written as they are: a spreadsheet may run them",
    }
    where = listed(list(found))
    return f"{sum(found.values()):,} texts of {where} {done[release.plan.formulas]} (--formulas)"


def written_table(written: Written) -> None:
    """Print what was written in parts, how well it is protected and what it cost."""
    evidence = written.evidence.internal
    sizes = list(map(int, evidence["group_sizes"]))
    method = f"{evidence['method']}, in {evidence['tiles']:,} tiles"
    table = _begun(evidence, sizes, evidence["groups"], method)
    linked = evidence["measures"].get("dld_expected")
    if linked is not None:
        looked = evidence["measures"]["linked"]
        low, high = looked["dld_expected_between"]
        within = f" ({low:.2f} to {high:.2f})" if high > low else ""
        share = f"{linked:.2f} %{within} of {looked['records']:,} records, by who knows all keys"
        table.add_row("linked", f"{share}, among {looked['among']}")
    engine = evidence["engine"]
    most = max(engine["peak_memory_mb"].values(), default=0)
    table.add_row("engine", f"{engine['name']}, {engine['workers']} process(es), {most:,} MB each")
    table.add_row("proven", str(written.verification or MASKED))
    table.add_row("stages", _seconds(evidence["seconds"]))
    many = len(written.parts)
    table.add_row("written", written.target + (f", {many:,} parts" if many > 1 else ""))
    _aside().print(table)


def _seconds(stages: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {took:.2f} s" for name, took in stages.items())


def _begun(evidence: Mapping[str, Any], sizes: Sequence[int], groups: int, method: str) -> Table:
    """The first rows: what was protected, how, and what it lost."""
    table = _two_columns()
    keys = ", ".join(f"{name} ({kind})" for name, kind in evidence["keys"].items())
    table.add_row("keys", keys)
    if evidence["strata"]:
        table.add_row("strata", ", ".join(evidence["strata"]) + pooled_text(evidence))
    table.add_row("records", f"{evidence['records_released']:,} of {evidence['records_read']:,}")
    table.add_row("groups", f"{groups:,}, of {min(sizes)} to {max(sizes)} records")
    table.add_row("method", method)
    for name, value in loss_rows(evidence):
        table.add_row(name, value)
    return table


def _aside() -> Console:
    """Standard error; rich loads only for those who look."""
    from rich.console import Console

    return Console(stderr=True)


def _two_columns() -> Table:
    from rich.table import Table

    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="bold")
    table.add_column()
    return table


def print_table(found: pd.DataFrame, title: str) -> None:
    """Print a data frame as a table on standard output, numbers to four digits."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title)
    for name in found.columns:
        number = found[name].dtype.kind in "iuf"
        table.add_column(str(name), justify="right" if number else "left")
    for row in found.itertuples(index=False):
        table.add_row(*("" if v is None or v != v else _figure(v) for v in row))
    Console().print(table)


def _figure(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
