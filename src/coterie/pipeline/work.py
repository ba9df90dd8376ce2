"""Work: what every task must know, written once and read by whoever runs one.

Tasks get the name of its file: a worker that is started in place of a lost one finds it where the
others did.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie import scratch
from coterie.centroids.edits.plan import Edits
from coterie.guarantees.beyond_k import BeyondK
from coterie.guarantees.diversity import Spread
from coterie.guarantees.pooling import Cell
from coterie.pipeline.engines.cuts import Tree
from coterie.pipeline.guarantees import ReleaseGuarantees
from coterie.plan import Plan
from coterie.plan.analysis import read_analysis
from coterie.recoding.apply import Rule, applied
from coterie.space import Space
from coterie.table import atomic
from coterie.table.encoding import Column
from coterie.table.parts import Part
from coterie.table.schema import Schema
from coterie.table.source import from_frame

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Work", "load"]

NOT_KNOWN = Schema(())  # before the table was described


@dataclass(frozen=True, eq=False)
class Work:
    """What is known of the table so far, and what was asked for.

    Attributes
    ----------
    plan : Plan
        What was asked, its seed an integer.
    given, details : pyarrow.Schema, mapping
        Columns of the input, and the pandas types noted in it.
    recodings : mapping of column to Rule
        What is done to some of them before anything else.
    folder, out : str
        Where tasks leave what later ones need, and the released parts.
    schema, judged_schema : Schema
        Roles and types; and as a judge sees them, the values as they were below recoded ones.
    open_orders : frozenset of str
        Ordinal keys whose order is that of all their values, which nobody knows yet.
    sets : tuple of tuples of str
        The keys that are grouped together.
    edits, guarantees : Edits, BeyondK
        Rules, and what is asked of the values of a class.
    origins : mapping
        What is subtracted from each datetime key.
    centers : mapping
        A number amid those of each key that is a number, after its transform.
    spreads : mapping
        Of confidential columns: their values in all records kept.
    space, judged : Space
        The coordinates of the keys: of the search, and of the judge.
    left_out : frozenset of Cell
        Small strata that are dropped.
    cells, trees : mapping from Cell to int, tuple of Tree
        The stratum of each cell that is kept, and the cuts of each stratum.
    pools : frozenset of Cell
        Those that were pooled.
    pooled : mapping of column to mapping from Cell to text
        What is released of strata that were pooled.
    homes : str or None
        The file that names the leaf of each unit, where its records stay together.
    workers : int or None
        Threads of a search; one where tiles share out the cores.
    """

    plan: Plan
    given: pa.Schema
    folder: str
    out: str
    details: Mapping[str, Any] = field(default_factory=dict)
    recodings: Mapping[str, Rule] = field(default_factory=dict)
    schema: Schema = NOT_KNOWN
    judged_schema: Schema = NOT_KNOWN
    open_orders: frozenset[str] = frozenset()
    sets: tuple[tuple[str, ...], ...] = ()
    edits: Edits = field(default_factory=Edits)
    beyond_k: BeyondK = field(default_factory=BeyondK)
    origins: Mapping[str, int] = field(default_factory=dict)
    centers: Mapping[str, float] = field(default_factory=dict)
    spreads: Mapping[str, Spread] = field(default_factory=dict)
    space: Space = field(default_factory=Space)
    judged: Space = field(default_factory=Space)
    left_out: frozenset[Cell] = frozenset()
    cells: Mapping[Cell, int] = field(default_factory=dict)
    trees: tuple[Tree, ...] = ()
    pools: frozenset[Cell] = frozenset()
    pooled: Mapping[str, Mapping[Cell, Any]] = field(default_factory=dict)
    homes: str | None = None
    records: int = 0
    workers: int | None = None

    @property
    def k(self) -> int:
        """Least units in a group."""
        return self.plan.k

    @property
    def seed(self) -> int:
        """What all random choices come from."""
        assert isinstance(self.plan.random_state, int)
        return self.plan.random_state

    @property
    def table(self) -> pa.Schema:
        """Columns of the table, recoded."""
        import pyarrow as pa

        rules = self.recodings
        if not rules:
            return self.given
        return pa.schema(
            [pa.field(f.name, rules[f.name].type) if f.name in rules else f for f in self.given]
        )

    @property
    def guarantees(self) -> ReleaseGuarantees:
        """What is guaranteed beyond k."""
        return ReleaseGuarantees(self.plan, self.beyond_k)

    @property
    def together(self) -> bool:
        """Whether all records of a unit share a group."""
        return self.schema.unit is not None and self.plan.unit_members == "together"

    @property
    def constrained(self) -> bool:
        """Whether a class must keep more than its size."""
        return bool(self.beyond_k) or self.together

    @property
    def at_home(self) -> bool:
        """Whether all records of a unit are in one tile."""
        return self.together or (self.schema.unit is not None and bool(self.plan.unit_columns))

    @property
    def keeps_order(self) -> bool:
        """Whether the released records stand in the order of the original ones."""
        return self.plan.row_order == "keep"

    @property
    def key_sets(self) -> tuple[tuple[str, ...], ...]:
        """The columns whose combinations at least k units share."""
        return tuple((*names, *self.schema.strata) for names in self.sets)

    @property
    def watched(self) -> tuple[str, ...]:
        """Columns that must be known of all records at once, if something is guaranteed of them."""
        named: list[str] = []
        if self.schema.unit is not None and (self.beyond_k or self.at_home):
            named = [self.schema.unit, *(self.schema.strata if self.together else ())]
            named += self.plan.unit_columns
        ranked = [a.name for a in self.schema.key_attributes if a.transform == "rank"]
        return tuple(dict.fromkeys([*self.beyond_k.watched, *named, *ranked, *self.unordered]))

    @property
    def unordered(self) -> tuple[str, ...]:
        """Ordinals of analyses, no keys, whose order is that of all their values."""
        asked = (name for text in self.plan.analyses for name in read_analysis(text).columns)
        other = [name for name in dict.fromkeys(asked) if name not in self.schema.keys]
        found = (self.schema[name] for name in other)
        return tuple(a.name for a in found if a.type == "ordinal" and a.order is None)

    @property
    def released(self) -> pa.Schema:
        """Columns of the release: pooled strata, labels and intervals are text."""
        import pyarrow as pa

        gone = self.schema.fates()["dropped"]
        fields = [one for one in self.table if one.name not in gone]
        texts = {a.name for a in self.schema.attributes if a.generalized} | set(self.pooled)
        return pa.schema([pa.field(f.name, pa.string()) if f.name in texts else f for f in fields])

    def read(self, part: Part, names: Sequence[str]) -> tuple[pa.Table, Counter[str]]:
        """Columns of a part, recoded, and how many records of each that changed.

        Beside a recoded one stands the column as it was, under the name that `before` gives.
        """
        given = part.read(self.given, list(dict.fromkeys(names)))
        rules = {name: rule for name, rule in self.recodings.items() if name in names}
        if not rules:
            return given, Counter()
        source, changed = applied(from_frame(given, "parquet", part.path), rules, self.plan)
        table = source.frame.to_arrow()
        for name in rules:
            table = table.append_column(self.before(name), given.column(name))
        return table, changed

    def before(self, name: str) -> str:
        """The name of the column that holds a recoded one as it was."""
        return self.own(f"coterie: {name} as it was")

    def column_before(self, column: Column, table: pa.Table) -> Column:
        """A key of some records as a judge sees it: as it was before it was recoded."""
        name = column.name
        if name not in self.recodings:
            return column
        attribute = column.attribute
        if name in self.judged_schema.names:
            attribute = self.judged_schema[name]
        if self.recodings[name].values:  # texts of a tree
            attribute = replace(attribute, type="nominal", order=None)
        was = Column.of(attribute, table.column(self.before(name)), self.origins.get(name))
        return replace(was, gaps=column.gaps)  # a missing code may be text since

    def as_it_was(self, table: pa.Table) -> pa.Table:
        """The table before it was recoded."""
        for name in self.recodings:
            if self.before(name) in table.column_names:
                place = table.column_names.index(name)
                table = table.set_column(place, name, table.column(self.before(name)))
        return self.without(table)

    def without(self, table: pa.Table) -> pa.Table:
        """The table without columns as they were."""
        names = [self.before(name) for name in self.recodings]
        return table.drop_columns([name for name in names if name in table.column_names])

    def columns(self, table: pa.Table) -> list[Column]:
        """The keys of some records."""
        return [
            Column.of(key, table.column(key.name), self.origins.get(key.name))
            for key in self.schema.key_attributes
        ]

    def space_of(self, names: Collection[str]) -> Space:
        """The space of some of the keys."""
        chosen = [i for i, a in enumerate(self.space.attributes) if a.name in names]
        return Space(
            tuple(self.space.attributes[i] for i in chosen),
            tuple(self.space.axes[i] for i in chosen),
            tuple(self.space.categories[i] for i in chosen),
        )

    def own(self, name: str) -> str:
        """The name of a column that is coterie's own, moved away from those of the table."""
        while name in self.given.names:
            name += "'"
        return name

    def save(self, name: str) -> str:
        """Write it for all tasks to come; gives its file name."""
        path = Path(self.folder) / f"{name}.work"
        # What rules say to each record is not for others: every part finds it anew.
        edits = replace(self.edits, others={}, breakers=None)
        try:
            scratch.private_file(path)
            path.write_bytes(pickle.dumps(replace(self, edits=edits)))
        except OSError as error:
            raise atomic.cannot_write(str(path), error) from error
        return str(path)


@lru_cache(maxsize=4)
def load(path: str) -> Work:
    """What stands in a file, read once by each process."""
    work: Work = pickle.loads(Path(path).read_bytes())
    return work
