"""Options that several commands share: one wording, one check each."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Annotated, Any

import typer

from coterie.errors import ParameterError

__all__ = [
    "Confidential",
    "Config",
    "Dominance",
    "EntropyL",
    "Format",
    "Json",
    "K",
    "Keys",
    "LineBreaks",
    "MaxShare",
    "MinDistinct",
    "PPercent",
    "Rules",
    "Sizes",
    "Strata",
    "TCloseness",
    "Unit",
    "limits",
    "number_or_text",
    "pairs",
    "split_pair",
]

Keys = Annotated[
    list[str] | None,
    typer.Option("-q", "--quasi-identifier", metavar="COLUMN", help="A key; repeat for each."),
]
# Numbers are taken as text: the library's own checks name the rule and the value seen.
K = Annotated[
    str | None, typer.Option("-k", metavar="INTEGER", help="Least units that share key values.")
]
Sizes = Annotated[
    list[str] | None, typer.Option("-k", metavar="INTEGER", help="Group size; repeat for more.")
]
Strata = Annotated[
    list[str] | None,
    typer.Option("--strata", metavar="COLUMN", help="Never mixed in a group; released as it is."),
]
Unit = Annotated[
    str | None,
    typer.Option("--unit", metavar="COLUMN", help="Tells units apart, if one has several records."),
]
Confidential = Annotated[
    list[str] | None,
    typer.Option("--confidential", metavar="COLUMN", help="Released as is, watched."),
]
# Promises beyond k: one number for all columns of the kind, or COLUMN=NUMBER, repeated.
BY_COLUMN = "[COLUMN=]NUMBER"
MinDistinct = Annotated[
    list[str] | None,
    typer.Option(metavar=BY_COLUMN, help="Least different confidential values in a class."),
]
MaxShare = Annotated[
    list[str] | None,
    typer.Option(metavar=BY_COLUMN, help="Largest share of one confidential value, 0 to 1."),
]
EntropyL = Annotated[
    list[str] | None,
    typer.Option("--entropy-l", metavar=BY_COLUMN, help="Least exp(entropy) of the values."),
]
TCloseness = Annotated[
    list[str] | None,
    typer.Option("--t-closeness", metavar=BY_COLUMN, help="Largest distance from the table."),
]
PPercent = Annotated[
    list[str] | None,
    typer.Option("--p-percent", metavar=BY_COLUMN, help="p% rule on sums over a class."),
]
Dominance = Annotated[
    list[str] | None,
    typer.Option(metavar="[COLUMN=]N,PERCENT", help="The N largest units add at most PERCENT."),
]
Config = Annotated[
    str | None,
    typer.Option("--config", metavar="TOML", help="Settings; `coterie init` writes one."),
]
Format = Annotated[
    str | None,
    typer.Option("--format", help="Format of standard input or of a file without extension."),
]
LineBreaks = Annotated[
    bool,
    typer.Option("--line-breaks", help="CSV: text in quotes may run over many lines."),
]
Rules = Annotated[
    list[str] | None,
    typer.Option(
        "--rule", metavar="RULE", help="What every record must keep: 'total == a + b', 'age >= 0'."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")]


def pairs(
    texts: Iterable[str] | None, option: str, columns: Collection[str] = ()
) -> dict[str, str]:
    """``["age=rank", ...]`` as a dictionary."""
    made: dict[str, str] = {}
    for text in texts or ():
        name, value = split_pair(text, columns)
        if not (name and value):
            raise ParameterError(f"{option} must be COLUMN=VALUE. Got {text!r}.")
        made[name] = value
    return made


def limits(texts: Iterable[str] | None, option: str, columns: Collection[str] = ()) -> Any:
    """``["3"]`` as a number for all columns, ``["diag=3", ...]`` as one for each; None if empty.

    ``N,PERCENT`` becomes a pair.
    """
    texts = list(texts or ())
    if not texts:
        return None
    if len(texts) == 1 and "=" not in texts[0]:
        return _number_or_pair(texts[0])
    by_column = pairs(texts, option, columns)
    return {name: _number_or_pair(value) for name, value in by_column.items()}


def _number_or_pair(text: str) -> Any:
    parts = [number_or_text(part.strip()) for part in text.split(",")]
    return parts[0] if len(parts) == 1 else tuple(parts)


def split_pair(text: str, columns: Collection[str]) -> tuple[str, str | None]:
    """Name and value of ``name=value``; the value is None where there is no ``=``.

    The name ends at the first ``=``, unless it is one of `columns` with more of them in it.
    """
    parts = text.split("=")
    splits = [("=".join(parts[:i]), "=".join(parts[i:])) for i in range(1, len(parts))]
    known = [pair for pair in splits if pair[0] in columns]
    return known[-1] if known else splits[0] if splits else (text, None)


def number_or_text(text: str | None) -> Any:
    """An integer, a number, or else the text itself; None stays None."""
    if text is None:
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
