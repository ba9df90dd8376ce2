"""``coterie hierarchy``: the tree behind a column's codes, drawn, checked and written as a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coterie.cli.options import Format
from coterie.cli.streams import distinct_paths, read_input, write_text
from coterie.errors import DataError, ParameterError, together

if TYPE_CHECKING:
    from coterie.hierarchy import Hierarchy

__all__ = ["command"]


def command(
    input_file: Annotated[
        str, typer.Argument(metavar="FILE", help="A hierarchy in ARX's layout, or a table.")
    ],
    column: Annotated[
        str | None, typer.Option("--column", help="Of a table: the column with the codes.")
    ] = None,
    rule: Annotated[
        str | None,
        typer.Option(
            "--rule", help="Of a table: prefix:1,2,4, bands:5,10, dates:month,year, or a file."
        ),
    ] = None,
    depth: Annotated[int | None, typer.Option(help="Levels to draw, from the root.")] = None,
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="Write it in ARX's layout.")
    ] = None,
    file_format: Format = None,
) -> None:
    """Show the tree behind codes with counts; check it; write it as a file that ARX reads."""
    from coterie.cli.asked import READERS
    from coterie.hierarchy import build, found_in, write_levels
    from coterie.hierarchy.drawing import drawn

    if (column is None) != (rule is None):
        given, other = ("--column", "--rule") if rule is None else ("--rule", "--column")
        raise ParameterError(f"{given} needs {other}: a table has a column and a rule. Got one.")
    if depth is not None and depth < 1:
        raise ParameterError(f"--depth must be an integer of at least 1. Got {depth}.")
    distinct_paths({"FILE": input_file, "-o": output}, written=("-o",))
    if column is None or rule is None:
        tree = _listed(input_file)
        values = list(tree.rungs.listed())
        counts = dict.fromkeys(values, 1)
    else:
        found = _counts(input_file, file_format, column)
        try:
            tree = build(READERS["rules"]([f"{column}={rule}"], "--rule", {column})[column])
        except (TypeError, ValueError) as error:
            if isinstance(error, DataError):
                raise
            raise ParameterError(
                f"--rule must be prefix:1,2,4, bands:5,10 (each a multiple of the one before), "
                f"dates:month,year, or a file. Got {rule!r}."
            ) from None
        problems = found_in(column, tree, found)
        if problems:
            raise DataError(together(problems))
        tree = tree.closed(found)
        values = [tree.text(value) for value in found]
        counts = dict(zip(values, found.values(), strict=True))
    paths = [tree.path(value) for value in values]
    for line in drawn(paths, counts, depth):
        typer.echo(line)
    labels = [len({path[level] for path in paths}) for level in range(len(tree.levels))]
    levels = ", ".join(f"{size:,}" for size in labels)
    typer.echo(f"{len(labels)} levels below the root, values first, with {levels} labels")
    if output:
        write_text(output, write_levels(paths))
        typer.echo(f"Wrote {output}")


def _listed(file: str) -> Hierarchy:
    """The hierarchy in a file that may as well be a table, in which case that is said."""
    from coterie.hierarchy import build

    try:
        return build(file)
    except DataError as error:
        if not Path(file).is_file():
            raise
        hint = "if it is a table, name --column and --rule"
        raise DataError(together([str(error), hint])) from None


def _counts(file: str, file_format: str | None, column: str) -> dict[object, int]:
    """The values of a column and how many records have each; gaps are left out."""
    from coterie.errors import unknown_name
    from coterie.table import columns

    source = read_input(file, file_format)
    if column not in source.frame.columns:
        raise unknown_name("column in --column:", column, source.frame.columns)
    series = source.frame[column]
    counts = dict.fromkeys(columns.values_of(series), 0)
    for value in columns.present(series).to_list():
        counts[value] += 1
    return counts
