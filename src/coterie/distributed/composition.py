"""The stages in their order, over parts: sample, survey, cuts, tiles, sorted parts, proof."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from numbers import Integral
from pathlib import Path
from typing import Any

from coterie import plan as asked_for
from coterie.distributed import cuts
from coterie.distributed.conversion import convert
from coterie.distributed.engines import Engine, opened
from coterie.distributed.ordering import Final, borders, finish, sort_out
from coterie.distributed.parts import PARQUET, ROWS, Input, Part, check_apart, locate, split
from coterie.distributed.plan import Plan
from coterie.distributed.preparation import describe, measure, sample
from coterie.distributed.proof import prove
from coterie.distributed.protection import Protected, Tile, protect
from coterie.distributed.routing import spill
from coterie.distributed.spill import Spilled
from coterie.distributed.workspace import Workspace, check_folder, workspace
from coterie.distributed.written import Written, evidence, lost
from coterie.errors import DataError, ParameterError, bad_parameter, listed, shown, together
from coterie.partitioning import registry
from coterie.partitioning.driver import Progress
from coterie.pipeline.stages import Stages
from coterie.plan.asking import document, requested
from coterie.plan.plan import options
from coterie.table import atomic, formats
from coterie.table.schema import Schema
from coterie.verification import Verification

__all__ = ["anonymize"]

TILE = 50_000


def anonymize(
    table: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    target: str | os.PathLike[str],
    *args: Any,
    delimiter: str | None = None,
    encoding: str | None = None,
    line_breaks: bool = False,
    tile: int = TILE,
    engine: str = "dask",
    client: Any = None,
    scheduler: str | None = None,
    workers: int | None = None,
    scratch: str | os.PathLike[str] | None = None,
    callback: Callable[[Progress], object] | None = None,
    **asked: Any,
) -> Written:
    """Protect a table that no memory need hold: Parquet parts in, proven Parquet parts out.

    The records are cut into tiles at medians of a sample, each tile is protected by itself, and the
    released records are sorted into parts, on the workers of a Dask cluster or one after the other
    in this process. The released values are the same for any layout of the input's parts, any
    number of workers, either engine, and if workers are lost on the way.

    Takes a `coterie.Plan` in place of k and all that follows, too. What a plan asks for that needs
    the whole table at once is refused by name.

    Parameters
    ----------
    table : path or sequence of paths
        A Parquet file, several, or a folder of them; or one CSV file, which is turned into Parquet
        parts first, block by block. Records are numbered in this order.
    target : path
        A file (``.parquet``, ``.pq``), or a folder to be made that will hold the parts.
    {parameters}
    delimiter, encoding : str, optional
        Of a CSV file, where they are not to be found out.
    line_breaks : bool
        Your word that text in quotes of a CSV file may hold many line breaks.
    tile : int
        Most records of a tile, about; a worker holds one at a time.
    engine : {"dask", "tiles"}
        The workers of a cluster, or this process alone.
    client : dask.distributed.Client, optional
        The caller's cluster; it is left open.
    scheduler : str, optional
        Address of a cluster's scheduler.
    workers : int, optional
        Processes of a cluster on this machine, started for the job: one a core if nothing else is
        given.
    scratch : path, optional
        Folder for what tasks leave for each other, about twice the table; by default beside the
        target. All workers must see it. It holds original values until the job ends.
    callback : callable, optional
        Called with a `Progress`.

    Returns
    -------
    Written
        With verification, evidence and information_loss.

    Raises
    ------
    CoterieError
        What refuses the table, in one line; nothing is written then.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import coterie
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder)
    ...     coterie.datasets.diabetes().to_parquet(path / "in.parquet")
    ...     done = coterie.distributed.anonymize(
    ...         path / "in.parquet",
    ...         path / "out.parquet",
    ...         k=5,
    ...         quasi_identifiers=["age", "bmi"],
    ...         method="mdav",
    ...         engine="tiles",
    ...     )
    >>> done.verification.achieved >= 5
    True
    """
    asking, problems = requested(args, asked, "anonymize")
    _check(asking, problems, engine, tile)
    stages = Stages(callback)
    seed = secrets.randbits(32) if asking.random_state is None else asking.random_state
    assert isinstance(seed, int)
    asking = asking.replace(random_state=seed)  # a seed that the evidence can tell
    target = Path(os.path.abspath(target))
    _check_target(target)
    check_apart(table, target)
    with (
        workspace(target, scratch) as folders,
        opened(engine, client, scheduler, workers, folders.dask) as crew,
    ):
        crew.check(folders.spool)
        stages.done("start")
        job = _Job(crew, stages, folders)
        text = {"delimiter": delimiter, "encoding": encoding, "line_breaks": line_breaks or None}
        source = split(job.files(table, text))
        search: dict[str, Any] = {
            "method": asking.method,
            "options": dict(asking.method_options or {}),
        }
        if registry.find(asking.method).anytime:
            # Tiles share out the cores; threads within a tile would only get in their way.
            search["workers"] = None if crew.name == "tiles" else 1
            search["iterations"] = asking.iterations
        plan = Plan(
            table=source.schema,
            schema=Schema(()),
            k=2,  # checked and set with the schema
            missing=asking.missing,
            folder=str(folders.spool),
            out=str(folders.out),
            search=search,
            asked=asking,
            seed=seed,
            details=source.details,
        )
        stages.done("read")
        drawn = sample(job.phase("sample"), plan, source, tile)
        plan = describe(plan, drawn, source.rows, asking)
        stages.done("sample")
        plan, found = measure(job.phase("survey"), plan, source, drawn, tile, asking.small_strata)
        stages.done("survey")
        tiles, finals = job.release(plan, source)
        verification = job.publish(plan, target, finals)
        loss = lost(plan, tiles)
        told = {
            "name": crew.name,
            "workers": crew.workers,
            "peak_memory_mb": {name: round(mb) for name, mb in crew.peaks.items()},
        }
        files = [str(target / Path(f.path).name) for f in finals]
        return Written(
            str(target),
            (str(target),) if target.suffix.lower() in PARQUET else tuple(files),
            verification,
            evidence(
                plan,
                source,
                found,
                tiles,
                verification,
                loss,
                asked={**asking.record, "tile": tile},
                seconds=stages.seconds,
                engine=told,
            ),
            loss.percent,
            dict(crew.peaks),
        )


document(anonymize, [o.name for o in options().values() if o.anywhere])


class _Job:
    """The engine at work, phase by phase."""

    def __init__(self, crew: Engine, stages: Stages, folders: Workspace) -> None:
        self.crew, self.stages, self.folders = crew, stages, folders

    def phase(self, name: str) -> Callable[[Any, str, Sequence[Any]], list[Any]]:
        """A function that maps a task over jobs and tells how far it is."""

        def run(task: Any, plan: str, jobs: Sequence[Any]) -> list[Any]:
            return self.crew.map(task, plan, jobs, lambda share: self.stages.tell(name, share))

        return run

    def files(self, table: Any, text: Mapping[str, Any]) -> list[Path]:
        """The Parquet files of a table; a CSV file is converted first."""
        files = locate(table)
        chosen = {formats.by_extension(path).name for path in files}
        if chosen == {"parquet"}:
            formats.check_options(formats.by_name("parquet"), dict(text))
            return files
        if chosen == {"csv"} and len(files) == 1:
            return convert(
                files[0],
                self.folders.spool,
                text["delimiter"],
                text["encoding"],
                bool(text["line_breaks"]),
                lambda share: self.stages.tell("read", share),
            )
        raise DataError(
            f"{listed(map(str, files), 2)} must be Parquet files, or one CSV file. Got "
            f"{' and '.join(sorted(chosen))}; convert it first, or protect it in memory."
        )

    def release(self, plan: Plan, source: Input) -> tuple[list[Protected], list[Final]]:
        """Cut the table into tiles, protect each, and sort what is released into parts."""
        ready = plan.save("tiles")
        spilled = self.phase("cut")(spill, ready, list(enumerate(source.parts)))
        self.stages.done("cut")
        tiles = self.phase("partition")(protect, ready, _tiles(plan, spilled))
        _remove(spilled)
        self.stages.done("partition")
        many = max(1, -(-sum(tile.rows for tile in tiles) // ROWS))
        starts = borders(plan, [tile.marks for tile in tiles], many)
        jobs = [(number, tile.path, starts) for number, tile in enumerate(tiles)]
        parted = self.phase("order")(sort_out, ready, jobs)
        _remove(tiles)
        pieces = [_pieces(parted, [code]) for code in range(starts.num_rows + 1)]
        finals = self.phase("order")(finish, ready, list(enumerate(p for p in pieces if p)))
        _remove(parted)
        self.stages.done("order")
        return tiles, finals

    def publish(self, plan: Plan, target: Path, finals: Sequence[Final]) -> Verification:
        """Prove what was written, then give it its name."""
        ready = plan.save("proof")
        records = sum(final.rows for final in finals)
        units = [final.units for final in finals]
        if target.suffix.lower() in PARQUET:
            with atomic.replacing(target) as temporary:
                _join(finals, temporary, str(target))
                self.stages.done("write")
                parts = [
                    Part(str(temporary), (n,), 0, final.rows) for n, final in enumerate(finals)
                ]
                verification = prove(self.phase("proof"), ready, parts, units, records)
        else:
            parts = [Part(final.path, (0,), 0, final.rows) for final in finals]
            verification = prove(self.phase("proof"), ready, parts, units, records)
            self.folders.publish(target)
        self.stages.done("proof")
        return verification


def _tiles(plan: Plan, spilled: Sequence[Spilled]) -> list[Tile]:
    """The tiles: leaves, joined where they have too few records or units."""
    sizes: dict[int, int] = {}
    for one in spilled:
        for code, size in zip(one.codes.tolist(), one.counts.tolist(), strict=True):
            sizes[code] = sizes.get(code, 0) + size
    total = sum(len(cuts.leaves(tree)) for tree in plan.trees.values())
    counts = [sizes.get(leaf, 0) for leaf in range(total)]
    units: list[set[Any]] | None = None
    if plan.schema.unit is not None:
        units = [set() for _ in range(total)]
        for one in spilled:
            for leaf, held in one.units.items():
                units[leaf] |= held
    groups = [
        group for tree in plan.trees.values() for group in cuts.join(tree, counts, plan.k, units)
    ]
    return [Tile(number, _pieces(spilled, group)) for number, group in enumerate(groups)]


def _pieces(
    spilled: Sequence[Spilled], codes: Sequence[int]
) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Where the records of some codes lie."""
    pieces = []
    for one in spilled:
        groups = tuple(g for g in map(one.group, codes) if g is not None)
        if groups:
            pieces.append((one.path, groups))
    return tuple(pieces)


def _join(finals: Sequence[Final], path: Path, target: str) -> None:
    """All parts in one file, a row group each."""
    import pyarrow.parquet as pq

    try:
        schema = pq.read_schema(finals[0].path)
        with pq.ParquetWriter(path, schema) as writer:
            for final in finals:
                with pq.ParquetFile(final.path) as file:
                    writer.write_table(file.read(), row_group_size=final.rows)
        atomic.sync(path)
    except OSError as error:
        raise atomic.cannot_write(target, error) from error


def _remove(files: Sequence[Any]) -> None:
    """Free the disk of what nobody needs any more."""
    for file in files:
        Path(file.path).unlink(missing_ok=True)


def _check(plan: asked_for.Plan, problems: list[str], engine: object, tile: object) -> None:
    """Refuse what these engines do not know, by name, with every other problem of the plan."""
    problems = list(problems)
    for name, value in plan.given.items():
        if not options()[name].anywhere:
            problems.append(
                f"The {name!r} parameter is not for engine {engine!r}. Got {shown(value)}; leave "
                "it out, or protect the table in memory"
            )
    if plan.aggregation == "p3m":
        problems.append(
            "aggregation='p3m' keeps mean and variance of the whole table and needs it at once: "
            "use 'mean' or 'median' with this engine"
        )
    if plan.small_strata == "merge":
        problems.append(
            "small_strata='merge' needs all strata at once: use 'drop' with this engine"
        )
    if plan.random_state is not None and not isinstance(plan.random_state, int):
        rule = "None or an integer of at least 0"
        problems.append(str(bad_parameter("random_state", "anonymize", rule, plan.random_state)))
    whole = isinstance(tile, Integral) and not isinstance(tile, bool)
    if not whole or not tile >= 100:  # type: ignore[operator]
        problems.append(str(bad_parameter("tile", "anonymize", "an integer of at least 100", tile)))
    if problems:
        raise ParameterError(together(problems))


def _check_target(target: Path) -> None:
    suffix = target.suffix.lower()
    if suffix in PARQUET:
        atomic.check_target(target, str(target))
    elif suffix:
        raise DataError(
            f"{target} must be a .parquet file, or a folder (a name without extension). Got "
            f"{suffix!r}; this engine writes Parquet only."
        )
    else:
        check_folder(target)
