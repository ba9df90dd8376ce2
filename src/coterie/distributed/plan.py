"""Plan: what every task must know, written once and read by whoever runs one.

Tasks get the plan's file name, not the plan: a worker that is started in place of a lost one finds
it where the others did.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie import plan as asked_for
from coterie import scratch
from coterie.distributed.cuts import Tree
from coterie.encoding import Column
from coterie.space import Space
from coterie.table import atomic
from coterie.table.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Cell", "Plan", "load"]

Cell = tuple[tuple[Any, ...], int]  # values of the strata columns, and which keys are missing


@dataclass(frozen=True, eq=False)
class Plan:
    """What is known of the table so far, and what was asked for.

    Attributes
    ----------
    table, details : pyarrow.Schema, mapping
        Columns of the input, and the pandas types noted in it.
    schema : Schema
        Roles and types.
    origins : mapping
        What is subtracted from each datetime key.
    centres : mapping
        A number amid those of each key that is a number, after its transform.
    folder, out : str
        Where tasks leave what later ones need, and the released parts.
    space : Space
        The coordinates of the keys.
    trees : mapping from Cell to Tree
        The cuts of each stratum; records of other strata are left out.
    search : mapping
        Method, options and iterations, as `partition` takes them.
    """

    table: pa.Schema
    schema: Schema
    k: int
    missing: str
    folder: str
    out: str
    search: Mapping[str, Any]
    asked: asked_for.Plan
    seed: int
    details: Mapping[str, Any] = field(default_factory=dict)
    origins: Mapping[str, int] = field(default_factory=dict)
    centres: Mapping[str, float] = field(default_factory=dict)
    space: Space = field(default_factory=Space)
    trees: Mapping[Cell, Tree] = field(default_factory=dict)

    @property
    def private(self) -> tuple[str, ...]:
        """Columns that are not released: identifiers, and the unit unless it is declared."""
        unit = self.schema.unit
        hidden = [unit] if unit is not None and not self.schema[unit].declared else []
        return tuple(dict.fromkeys([*self.schema.identifiers, *hidden]))

    def columns(self, table: pa.Table) -> list[Column]:
        """The keys of some records."""
        return [
            Column.of(self.schema[name], table.column(name), self.origins.get(name))
            for name in self.schema.keys
        ]

    def own(self, name: str) -> str:
        """The name of a column that is coterie's own, moved away from those of the table."""
        while name in self.table.names:
            name += "'"
        return name

    def save(self, name: str) -> str:
        """Write the plan for all tasks to come; gives its file name."""
        path = Path(self.folder) / f"{name}.plan"
        try:
            scratch.private_file(path)
            path.write_bytes(pickle.dumps(self))
        except OSError as error:
            raise atomic.cannot_write(str(path), error) from error
        return str(path)


@lru_cache(maxsize=4)
def load(path: str) -> Plan:
    """The plan in a file, read once by each process."""
    plan: Plan = pickle.loads(Path(path).read_bytes())
    return plan
