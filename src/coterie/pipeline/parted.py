"""The stages in their order, over parts: sample, survey, cuts, tiles, sorted parts, proof."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from numbers import Integral
from pathlib import Path
from typing import Any

from coterie import scratch as owned
from coterie.errors import ParameterError, bad_parameter, shown, together
from coterie.partitioning.driver import Progress
from coterie.pipeline.description import describe, sample
from coterie.pipeline.engines import opened
from coterie.pipeline.engines.workspace import workspace
from coterie.pipeline.job import EngineJob
from coterie.pipeline.merging import measure
from coterie.pipeline.output import check_target, text_details
from coterie.pipeline.stages import Stages
from coterie.pipeline.work import Work
from coterie.pipeline.written import Written, evidence, subject
from coterie.plan import Plan
from coterie.plan.asking import document, requested, seeded
from coterie.plan.plan import options
from coterie.table.atomic import path_of
from coterie.table.files import check_apart, files_of
from coterie.table.parts import split

__all__ = ["anonymize"]

TILE = 50_000


def anonymize(
    table: Any,
    target: str | os.PathLike[str],
    *args: Any,
    delimiter: str | None = None,
    encoding: str | None = None,
    line_breaks: bool = False,
    dates: str | None = None,
    tile: int = TILE,
    engine: str = "dask",
    client: Any = None,
    scheduler: str | None = None,
    workers: int | None = None,
    scratch: str | os.PathLike[str] | None = None,
    callback: Callable[[Progress], object] | None = None,
    **asked: Any,
) -> Written:
    """Protect a table that no memory need hold: parts in, proven parts out.

    The records are cut into tiles at medians of a sample, each tile is protected by itself, and the
    released records are sorted into parts, on the workers of a cluster or one after the other in
    this process. The released values are the same for any layout of the input's parts, any number
    of workers, every engine, and if workers are lost on the way.

    Takes a `coterie.Plan` in place of k and all that follows, too. What a plan asks for that needs
    the whole table at once (P3M, earlier releases) is refused by name.

    Parameters
    ----------
    table : path, sequence of paths, or a lazy table
        A Parquet or CSV file, several, or a folder of them; a PyArrow dataset or reader, a Polars
        lazy frame or a DuckDB relation. What is not Parquet is turned into Parquet parts first,
        block by block. Records are numbered in this order.
    target : path
        A file (``.parquet``, ``.pq``, ``.csv``), or a folder to be made that will hold Parquet
        parts.
    {parameters}
    delimiter, encoding : str, optional
        Of CSV files, where they are not to be found out.
    line_breaks : bool
        Your word that text in quotes of a CSV file may hold many line breaks.
    dates : {"day-first", "month-first", "text"}, optional
        Of CSV files with dates that can be read both ways.
    tile : int
        Most records of a tile, about; a worker holds one at a time.
    engine : {"dask", "spark", "tiles"}
        The workers of a cluster, or this process alone.
    client : dask.distributed.Client or pyspark.sql.SparkSession, optional
        The caller's cluster; it is left open.
    scheduler : str, optional
        Address of a Dask cluster's scheduler.
    workers : int, optional
        Processes of a cluster on this machine, started for the job: one a core if nothing else is
        given. With Dask a script must start them under ``if __name__ == "__main__":``.
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
    _check(asking, engine, tile)
    text = {
        "delimiter": delimiter,
        "encoding": encoding,
        "line_breaks": line_breaks,
        "dates": dates,
    }
    how = {
        **text,
        "tile": tile,
        "engine": engine,
        "client": client,
        "scheduler": scheduler,
        "workers": workers,
        "scratch": scratch,
    }

    place = Path(os.path.abspath(path_of(target, "anonymize", folders=True)))

    def again(plan: Plan) -> Written:
        with owned.folder(place.parent, place.name) as folder:
            return anonymize(table, folder / f"again{place.suffix}", plan, **how)

    stages = Stages(callback)
    check_target(place)
    check_apart(table, place)
    with (
        workspace(place, scratch) as folders,
        opened(engine, client, scheduler, workers, folders.own) as crew,
    ):
        crew.check(folders.spool)
        stages.done("start")
        job = EngineJob(crew, stages, folders)
        text["line_breaks"] = line_breaks or None  # False is nothing that was asked for
        return _carry_out(job, asking, problems, table, place, text, tile, again)


document(anonymize, [o.name for o in options().values() if o.anywhere])


def _carry_out(
    job: EngineJob,
    asking: Plan,
    problems: list[str],
    table: Any,
    place: Path,
    text: dict[str, Any],
    tile: int,
    again: Callable[[Plan], Written],
) -> Written:
    """The stages, one after the other, in a workspace with its workers."""
    files, dialect = files_of(
        table, job.folders.spool, text, lambda share: job.stages.tell("read", share)
    )
    source = split(files)
    work = Work(
        plan=asking,
        given=source.schema,
        folder=str(job.folders.spool),
        out=str(job.folders.out),
        details={**source.details, "unclear": dialect.pop("unclear", {})},
        records=source.rows,
        # Tiles share out the cores; threads within a tile would only get in their way.
        workers=None if job.crew.name == "tiles" else 1,
    )
    job.stages.done("read")
    drawn = sample(job.phase("sample"), work, source, tile)
    work, drawn = describe(work, drawn, problems)
    work = replace(work, plan=_of_one_number(seeded(asking)))
    job.stages.done("sample")
    work, found = measure(job.phase("survey"), work, source, drawn, tile)
    job.stages.done("survey")
    work, tiles = job.protect(work, source)
    finals = job.order(work, tiles)
    proven, written = job.publish(work, place, finals, dialect)
    engine_used = {
        "name": job.crew.name,
        "workers": job.crew.workers,
        "peak_memory_mb": {name: round(mb) for name, mb in job.crew.peaks.items()},
    }
    both_kinds = evidence(
        work,
        source,
        found,
        tiles,
        proven,
        tile=tile,
        seconds=job.stages.seconds,
        engine=engine_used,
        gained=job.gained,
        influence=job.influence,
    )
    return Written(
        str(place),
        written,
        proven.verification,
        both_kinds,
        dict(job.crew.peaks),
        subject(work, tiles, proven, both_kinds, source.parts[0].path),
        work.plan,
        text_details(dialect, place),
        again,
    )


def _of_one_number(plan: Plan) -> Plan:
    """The plan with a number for its seed: tiles cannot all draw from one generator."""
    seed: Any = plan.random_state
    return plan if isinstance(seed, int) else plan.replace(random_state=int(seed.integers(2**32)))


def _check(plan: Plan, engine: object, tile: object) -> None:
    """Refuse, by name and before any work, what needs the whole table at once."""
    problems = []
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
    whole = isinstance(tile, Integral) and not isinstance(tile, bool)
    if not whole or not tile >= 100:  # type: ignore[operator]
        problems.append(str(bad_parameter("tile", "anonymize", "an integer of at least 100", tile)))
    if problems:
        raise ParameterError(together(problems))
