"""The phases of a job on parts: tiles cut and protected, what is released sorted, then proven."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from coterie.pipeline.cutting import Tile
from coterie.pipeline.engines import Engine, cuts
from coterie.pipeline.engines.routing import home, homes, spill
from coterie.pipeline.engines.spill import Spilled, pieces_of
from coterie.pipeline.engines.workspace import Workspace
from coterie.pipeline.merging import judged_by
from coterie.pipeline.ordering import Final, borders, finish, sort_out
from coterie.pipeline.output import publish
from coterie.pipeline.proof import Proven
from coterie.pipeline.protection import at_stake, stakes_of
from coterie.pipeline.stages import Stages
from coterie.pipeline.suppression import Suppression, to_suppress
from coterie.pipeline.survey import add
from coterie.pipeline.tiles import Protected, admissible, cost, influence, protect, survey_kept
from coterie.pipeline.work import Work
from coterie.public import Influence
from coterie.space.exact_sums import scatter_of
from coterie.table.parts import ROWS, Input

__all__ = ["EngineJob"]


class EngineJob:
    """The engine at work, phase by phase."""

    def __init__(self, crew: Engine, stages: Stages, folders: Workspace) -> None:
        self.crew, self.stages, self.folders = crew, stages, folders
        self.gained: dict[str, Any] = {}
        self.influence: Influence

    def phase(self, name: str) -> Callable[[Any, str, Sequence[Any]], list[Any]]:
        """A function that maps a task over jobs and tells how far it is."""

        def run(task: Any, work: str, jobs: Sequence[Any]) -> list[Any]:
            return self.crew.map(task, work, jobs, lambda share: self.stages.tell(name, share))

        return run

    def protect(self, work: Work, source: Input) -> tuple[Work, list[Protected]]:
        """Cut the table into tiles and protect each."""
        jobs = list(enumerate(source.parts))
        if work.at_home:
            counted = self.phase("cut")(home, work.save("homes"), jobs)
            work = replace(work, homes=homes(work, counted))
        ready = work.save("tiles")
        spilled = self.phase("cut")(spill, ready, jobs)
        cut = self._tiles(work, ready, spilled)
        self.stages.done("cut")
        if work.plan.suppress_at_most:
            work, cut = self._suppress(work, ready, cut)
            ready = work.save("suppressed")
        tiles = self.phase("partition")(protect, ready, cut)
        _remove(one.path for one in spilled)
        stakes = stakes_of([tile.outcome for tile in tiles])
        asked = [(tile.keys, stakes) for tile in tiles]
        found = self.crew.map(influence, ready, asked, lambda share: None)  # moments: all are done
        self.influence = Influence.of_parts(found, work.judged_schema, work.k)
        _remove(tile.keys for tile in tiles)
        self.stages.done("partition")
        return work, tiles

    def _suppress(self, work: Work, ready: str, tiles: Sequence[Tile]) -> tuple[Work, list[Tile]]:
        """The tiles without the groups that cost most of all, and a judge who knows the rest."""
        found = self.phase("partition")(cost, ready, tiles)
        share, costs = work.plan.suppress_at_most, [one.groups for one in found]
        suppressed = to_suppress(costs, share)
        records = sum(int(one.sizes.sum()) for one in costs)
        sst = scatter_of([one.moments for one in found])
        columns = work.space.attributes
        self.gained["suppressed"] = Suppression.of(
            costs, suppressed, share, at_stake(costs[0], columns, records, sst)
        ).reported
        left, surveys, fewer = [], {}, []
        for tile, one, out in zip(tiles, found, suppressed, strict=True):
            if out.all():
                continue
            left.append(replace(tile, grouped=one.path, suppressed=out))
            surveys[tile.number] = one.found
            if out.any():
                fewer.append(left[-1])
        again = self.phase("partition")(survey_kept, ready, fewer)
        surveys.update({tile.number: one for tile, one in zip(fewer, again, strict=True)})
        return judged_by(work, add(surveys.values())), left

    def order(self, work: Work, tiles: Sequence[Protected]) -> list[Final]:
        """Sort what is released into parts."""
        ready = work.save("order")
        many = max(1, -(-sum(tile.outcome.rows for tile in tiles) // ROWS))
        starts = borders([tile.marks for tile in tiles], many)
        moved = [(number, tile.path, starts) for number, tile in enumerate(tiles)]
        parted = self.phase("order")(sort_out, ready, moved)
        _remove(tile.path for tile in tiles)
        pieces = [pieces_of(parted, [code]) for code in range(starts.num_rows + 1)]
        finals = self.phase("order")(finish, ready, list(enumerate(p for p in pieces if p)))
        _remove(one.path for one in parted)
        self.stages.done("order")
        return finals

    def _tiles(self, work: Work, ready: str, spilled: Sequence[Spilled]) -> list[Tile]:
        """The tiles: leaves, joined where they have too few units or cannot keep a guarantee."""
        held = _Held(work, spilled)
        known: dict[tuple[int, ...], bool] = {}

        def look(some: list[list[int]]) -> None:
            found = self.phase("cut")(admissible, ready, [pieces_of(spilled, one) for one in some])
            known.update(zip(map(tuple, some), found, strict=True))

        def enough(tile: list[int]) -> bool:
            if not held.enough(tile):
                return False
            if not work.constrained:
                return True
            if tuple(tile) not in known:
                look([tile])
            return known[tuple(tile)]

        if work.constrained:
            every = [[leaf] for tree in work.trees for leaf in cuts.leaves(tree)]
            look([leaf for leaf in every if held.enough(leaf)])
        tiles: list[Tile] = []
        for stratum, tree in enumerate(work.trees):
            groups = cuts.join(tree, enough)
            for group in groups:
                pieces = pieces_of(spilled, group)
                tiles.append(Tile(len(tiles), stratum, pieces, len(groups) == 1))
        return tiles

    def publish(
        self, work: Work, target: Path, finals: Sequence[Final], dialect: dict[str, Any]
    ) -> tuple[Proven, tuple[str, ...]]:
        """Prove what was written, then give it its name."""
        published = publish(
            self.phase("proof"), work, target, finals, dialect, self.folders, self.stages
        )
        self.stages.done("proof")
        return published


class _Held:
    """Records, or different units, in leaves."""

    def __init__(self, work: Work, spilled: Sequence[Spilled]) -> None:
        self.k = work.k
        self.counts: dict[int, int] = {}
        self.units: dict[int, set[Any]] | None = None if work.schema.unit is None else {}
        for one in spilled:
            for code, size in zip(one.codes.tolist(), one.counts.tolist(), strict=True):
                self.counts[code] = self.counts.get(code, 0) + size
            for leaf, held in one.units.items():
                assert self.units is not None
                self.units.setdefault(leaf, set()).update(held)

    def enough(self, tile: Sequence[int]) -> bool:
        """Whether there are k of them."""
        if self.units is None:
            return sum(self.counts.get(leaf, 0) for leaf in tile) >= self.k
        return len(set().union(*(self.units.get(leaf, ()) for leaf in tile))) >= self.k


def _remove(paths: Iterable[str]) -> None:
    """Free the disk of what nobody needs any more."""
    for path in paths:
        Path(path).unlink(missing_ok=True)
