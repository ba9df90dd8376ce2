"""Engines: how a task is mapped over parts. All give the same results, in the order of the jobs.

`here` runs one task after the other in this process, `dask` and `spark` send them to workers. What
lies between two tasks is in files: `spill` writes and reads them, `routing` and `cuts` say where a
record goes, `workspace` where they lie and that they are removed. Dask and Spark load only when
they are used.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from coterie.errors import ParameterError, bad_parameter, shown
from coterie.pipeline.engines.engine import Engine
from coterie.pipeline.engines.here import Here

__all__ = ["ENGINES", "Engine", "opened"]

ENGINES = ("tiles", "dask", "spark")
FOR = {"client": ("dask", "spark"), "scheduler": ("dask",), "workers": ("dask", "spark")}


@contextlib.contextmanager
def opened(
    engine: str,
    client: Any = None,
    scheduler: str | None = None,
    workers: Any = None,
    folder: Path | None = None,
) -> Iterator[Engine]:
    """The engine of that name; a cluster that was started for it ends with the block.

    Its workers keep in `folder` what does not fit into their memory.
    """
    if engine not in ENGINES:
        rule = "one of " + ", ".join(map(repr, ENGINES))
        raise bad_parameter("engine", "anonymize", rule, engine)
    for name, value in (("client", client), ("scheduler", scheduler), ("workers", workers)):
        if value is not None and engine not in FOR[name]:
            engines = " and ".join(f"engine={one!r}" for one in FOR[name])
            raise ParameterError(
                f"The {name!r} parameter is for {engines}. Got {shown(value)}; leave it out."
            )
    if sum(value is not None for value in (client, scheduler, workers)) > 1:
        raise ParameterError(
            "Only one of client, scheduler and workers can be given: each names a cluster."
        )
    if engine == "tiles":
        yield Here()
    elif engine == "spark":
        from coterie.pipeline.engines.spark import Spark, session_of

        with session_of(client, workers, folder) as session:
            yield Spark(session)
    else:
        from coterie.pipeline.engines.dask import Cluster, cluster_of

        with cluster_of(client, scheduler, workers, folder) as cluster:
            yield Cluster(cluster)
