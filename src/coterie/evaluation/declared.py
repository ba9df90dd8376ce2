"""Two aligned tables judged as their columns were declared: what reports and evidence tell.

All keys and all records count, gaps included. What went wrong is told without any value of the
tables, so that it may be published.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from coterie.errors import CoterieError
from coterie.evaluation.case import Finding
from coterie.evaluation.judge import evaluate
from coterie.evaluation.pair import Pair, Rows
from coterie.evaluation.reading import read_pair
from coterie.evaluation.result import Evaluation
from coterie.evaluation.tables import Table
from coterie.evaluation.utility.analyses import Sides, compared, sums_of
from coterie.partitioning.driver import Progress
from coterie.plan.analysis import read_analysis
from coterie.space import Loss, LossTally, Stake

if TYPE_CHECKING:
    import narwhals as nw

    from coterie.table.schema import Schema

__all__ = [
    "DeclaredPair",
    "Judgment",
    "compared_sums",
    "declared_columns",
    "declared_loss",
    "declared_shares",
    "declared_sums",
    "evaluate_declared",
    "in_arrow",
]


@dataclass(frozen=True, eq=False)
class Judgment:
    """What was measured, and why nothing was."""

    found: Evaluation | None
    why_not: str = ""


def declared_columns(schema: Schema, analyses: Sequence[str] = ()) -> list[str]:
    """The columns of the original that a judgment looks at, those of analyses among them."""
    named = [schema.unit, schema.sample_weight]
    asked = [
        *schema.keys,
        *schema.confidential,
        *schema.strata,
        *(n for n in named if n is not None),
    ]
    asked += [name for text in analyses for name in read_analysis(text).columns]
    return list(dict.fromkeys(asked))


def evaluate_declared(
    original: nw.DataFrame[Any],
    released: nw.DataFrame[Any],
    schema: Schema,
    measures: Sequence[str],
    callback: Callable[[Progress], object] | None = None,
    analyses: Sequence[str] = (),
) -> Judgment:
    """Measure two aligned tables; the original has every column of `declared_columns`.

    Measures that do not apply are refused by name, as `coterie.evaluate` does it.

    Examples
    --------
    >>> import pandas as pd
    >>> from coterie.table import infer, read
    >>> source = read(pd.DataFrame({"x": [1.0, 3.0], "y": [None, 2.0]}))
    >>> schema = infer(source, quasi_identifiers=["x", "y"])
    >>> evaluate_declared(source.frame, source.frame, schema, ["il"]).found["il"].value
    0.0
    """
    try:
        found = evaluate(
            original.to_native(),
            released.to_native(),
            schema.keys,
            [name for name in schema.confidential if name not in schema.keys],
            aligned=True,
            measures=measures,
            schema=schema,
            analyses=analyses,
            callback=callback,
        )
    except (CoterieError, TypeError):
        # What was wrong may name a value of the original, and public evidence holds this text.
        return Judgment(None, "a key or confidential column cannot be measured")
    return Judgment(found)


@dataclass(frozen=True, eq=False)
class DeclaredPair:
    """The declared keys of two aligned tables, or of a part of them, and the records' weights."""

    pair: Pair
    weights: NDArray[np.float64] | None

    @classmethod
    def of(cls, original: Any, released: Any, schema: Schema, others: Sequence[str] = ()) -> Self:
        """Read both; `others` are columns beside the keys."""
        before, after = Table(original, "original"), Table(released, "released")
        keys = list(schema.keys)
        pair = read_pair(before, after, keys, [], aligned=True, schema=schema, others=others)
        return cls(pair, Rows(before, after, pair).weights(schema.sample_weight))

    @property
    def tallies(self) -> dict[str, LossTally]:
        """What each key lost in a part of a table: parts add up, see `coterie.space.Loss`."""
        return self.pair.tallies(self.weights, part=True)

    def shares(self, stakes: Mapping[str, Stake] | None = None) -> dict[str, NDArray[np.float64]]:
        """What each record adds to the loss of each key; of a part by the stakes of all."""
        keys = self.pair.keys
        known = stakes or {one.name: Stake.of(one.tally(self.weights)) for one in keys}
        return {one.name: one.shares(known[one.name], self.weights) for one in keys}


def declared_shares(original: Any, released: Any, schema: Schema) -> dict[str, NDArray[np.float64]]:
    """What each record adds to the loss of each key; nothing where that cannot be told."""
    try:
        return DeclaredPair.of(original, released, schema).shares()
    except (CoterieError, TypeError):
        return {}


def declared_sums(
    original: Any, released: Any, schema: Schema, analyses: Sequence[str]
) -> tuple[Sides, ...]:
    """What declared analyses need of a part of a table: see `compared_sums`."""
    if not analyses:
        return ()
    asked = [read_analysis(text) for text in analyses]
    names = list(dict.fromkeys(name for one in asked for name in one.columns))
    sides = DeclaredPair.of(original, released, schema, names)
    return sums_of(asked, sides.pair.others, sides.weights)


def compared_sums(parts: Sequence[tuple[Sides, ...]], analyses: Sequence[str]) -> Finding | None:
    """The declared analyses of all parts together; None where there are none."""
    if not analyses:
        return None
    total = list(parts[0])
    for part in parts[1:]:
        total = [(a + c, b + d) for (a, b), (c, d) in zip(total, part, strict=True)]
    return compared([read_analysis(text) for text in analyses], total)


def declared_loss(tallies: Mapping[str, LossTally], schema: Schema) -> Loss:
    """The loss of tallies, keys weighing as the schema says."""
    return Loss.of(tallies, {a.name: a.weight for a in schema.key_attributes})


def in_arrow(table: nw.DataFrame[Any]) -> nw.DataFrame[Any]:
    """The table over pyarrow, where dates are dates: pandas may hold them as objects."""
    import narwhals as nw

    return nw.from_native(table.to_arrow(), eager_only=True)
