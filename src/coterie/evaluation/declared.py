"""Two aligned tables judged as their columns were declared, as far as that can be done.

Columns with gaps are left out and named. Numbers that were declared nominal are told apart, not
subtracted. What went wrong is told without any value of the tables, so that it may be published.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from coterie.errors import CoterieError
from coterie.evaluation.judge import evaluate
from coterie.evaluation.result import Evaluation
from coterie.partitioning.driver import Progress

if TYPE_CHECKING:
    import narwhals as nw

    from coterie.table.schema import Schema

__all__ = ["Judgement", "evaluate_declared", "in_arrow"]


@dataclass(frozen=True, eq=False)
class Judgement:
    """What was measured, the columns left out because they have gaps, and why nothing was."""

    found: Evaluation | None
    left_out: list[str]
    why_not: str = ""


def evaluate_declared(
    original: nw.DataFrame[Any],
    released: nw.DataFrame[Any],
    schema: Schema,
    measures: Sequence[str],
    callback: Callable[[Progress], object] | None = None,
) -> Judgement:
    """Measure the keys and confidential columns that every record has a value of.

    Measures that do not apply are refused by name, as `coterie.evaluate` does it.

    Examples
    --------
    >>> import narwhals as nw
    >>> import pandas as pd
    >>> from coterie.table import infer, read
    >>> source = read(pd.DataFrame({"x": [1.0, 3.0], "y": [None, 2.0]}))
    >>> schema = infer(source, quasi_identifiers=["x", "y"])
    >>> made = evaluate_declared(source.frame, source.frame, schema, ["il"])
    >>> made.left_out, made.found["il"].value
    (['y'], 0.0)
    """
    asked = list(dict.fromkeys([*schema.keys, *schema.confidential]))
    whole = [name for name in asked if not _has_gaps(original[name])]
    left_out = [name for name in asked if name not in whole]
    keys = [name for name in schema.keys if name in whole]
    if not keys:
        return Judgement(None, left_out, "every key has gaps")
    try:
        found = evaluate(
            with_categories(in_arrow(original.select(whole)), schema).to_native(),
            with_categories(in_arrow(released.select(whole)), schema).to_native(),
            keys,
            [name for name in whole if name not in keys],
            aligned=True,
            measures=measures,
            callback=callback,
        )
    except (CoterieError, TypeError):
        # What was wrong may name a value of the original, and public evidence holds this text.
        return Judgement(None, left_out, "a key or confidential column cannot be measured")
    return Judgement(found, left_out)


def in_arrow(table: nw.DataFrame[Any]) -> nw.DataFrame[Any]:
    """The table over pyarrow, where dates are dates: pandas may hold them as objects."""
    import narwhals as nw

    return nw.from_native(table.to_arrow(), eager_only=True)


def with_categories(table: nw.DataFrame[Any], schema: Schema) -> nw.DataFrame[Any]:
    """The table with numbers that were declared nominal as text."""
    import narwhals as nw

    coded = [
        name
        for name in table.columns
        if schema[name].type == "nominal" and table[name].dtype.is_numeric()
    ]
    return table.with_columns(nw.col(*coded).cast(nw.String)) if coded else table


def _has_gaps(series: nw.Series[Any]) -> bool:
    gaps = series.is_null().any()
    return bool(gaps or (series.dtype.is_float() and series.is_nan().any()))
