"""A tile: where its records lie, and the table that they are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.guarantees.strata import Strata, cells_of, stand_ins
from coterie.pipeline.engines.spill import Pieces, gather
from coterie.pipeline.ordering import NUMBER
from coterie.pipeline.preparation import Prepared, weights_of
from coterie.pipeline.survey import Survey, look
from coterie.pipeline.work import Work
from coterie.table.classes import value_codes
from coterie.table.encoding import Column
from coterie.table.source import Source, from_frame

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["CutTile", "Tile"]


@dataclass(frozen=True)
class Tile:
    """A tile.

    Attributes
    ----------
    number, stratum : int
        Its own, and that of the stratum that it is in.
    pieces : Pieces
        Where its records lie.
    alone : bool
        Whether it is all of a stratum: then it has the seed that a table in memory has.
    grouped : str or None
        The file that holds its groups, where some of them may be suppressed.
    suppressed : bool array or None
        Which of them are; None as long as it has no such file.
    """

    number: int
    stratum: int
    pieces: Pieces
    alone: bool = False
    grouped: str | None = None
    suppressed: NDArray[np.bool_] | None = None


@dataclass(frozen=True, eq=False)
class CutTile:
    """The records of a tile in their order: numbered, as they came, and what is known of them."""

    numbered: pa.Table
    came: pa.Table
    table: pa.Table
    prepared: Prepared

    @classmethod
    def of(cls, known: Work, tile: Tile) -> CutTile:
        """The records of a tile, read from where they lie."""
        number = known.own(NUMBER)
        numbered = gather(tile.pieces).combine_chunks()
        place = numbered.column(number).to_numpy()
        if (place[1:] < place[:-1]).any():  # of several leaves: each piece is in order by itself
            numbered = numbered.sort_by(number)
        came = numbered.drop_columns([number])
        table = known.without(came)
        source = from_frame(table, "parquet", f"tile {tile.number}")
        prepared = _prepared(known, source, table)
        if known.recodings:
            was = replace(source, frame=_framed(known.as_it_was(came)))
            prepared = replace(prepared, unrecoded=was)
        return cls(numbered, came, table, prepared)

    def survey(self, known: Work) -> Survey:
        """What is found of the keys."""
        every = np.ones(self.table.num_rows, dtype=np.bool_)
        return look(known, self.prepared.columns, self.came, every)

    def some(self, rows: NDArray[np.int64], prepared: Prepared) -> CutTile:
        """Without the suppressed records."""
        import pyarrow as pa

        if len(rows) == self.table.num_rows:
            return replace(self, prepared=prepared)
        where = pa.array(rows)
        numbered, came, table = (t.take(where) for t in (self.numbered, self.came, self.table))
        return CutTile(numbered, came, table, prepared)


def _prepared(known: Work, source: Source, table: pa.Table) -> Prepared:
    """The tile as a table that nothing speaks against protecting."""
    schema = known.judged_schema
    columns = known.columns(table)
    rows = np.arange(table.num_rows)
    present = tuple(a for a in schema.attributes if a.name in table.column_names)
    edits = known.edits
    if edits.rules:
        edits = replace(edits.seen(source, schema.keys), breakers=None)
    return Prepared(
        known.plan,
        known.beyond_k,
        source,
        replace(schema, attributes=present),
        known.k,
        list(known.sets),
        columns,
        _strata(known, source, columns),
        value_codes(source, [schema.unit]) if schema.unit is not None else None,
        weights_of(source, schema, rows),
        edits,
    )


def _framed(table: pa.Table) -> Any:
    import narwhals as nw

    return nw.from_native(table, eager_only=True)


def _strata(known: Work, source: Source, columns: list[Column]) -> Strata:
    """All records are in one stratum; which are of pooled ones, and what is released of those."""
    rows, names = np.arange(len(source.frame)), known.schema.strata
    if not known.pools:
        return Strata(rows, [rows], names)
    gaps = np.column_stack([column.gaps for column in columns])
    codes, met = cells_of(source, names, gaps)
    inside = np.array([cell in known.pools for cell in met], dtype=np.bool_)
    by_cell = {name: [texts[cell] for cell in met] for name, texts in known.pooled.items()}
    return Strata(rows, [rows], names, inside[codes], stand_ins(by_cell, codes))
