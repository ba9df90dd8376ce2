"""Spark: a task for each job, by `mapPartitions`; the caller's session or one of our own.

A job goes out pickled, and what comes back is a pickled result; tables lie in Parquet files between
the stages, as with every engine, so that Spark's own tables would be work for nothing: a query to
plan, and a second Python process at every task. Executors need the installed package and the
scratch folder. A task whose executor is lost runs again elsewhere.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import pickle
import secrets
import shutil
import socket
import sys
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from coterie.errors import CoterieError, DataError, MissingDependency, bad_parameter, shown
from coterie.imports.optional import needed
from coterie.pipeline.engines.engine import attempt, check_workers, count_of, look, refuse
from coterie.pipeline.engines.memory import peak_memory

__all__ = ["Spark", "session_of"]

TICK = 0.1  # seconds between two looks at how far it is
TRIES = 4  # times that a task is tried before the job fails

# Spark says on standard error what it does; what concerns the caller is told by us.
SILENT = """\
status = off
appender.none.type = Null
appender.none.name = none
rootLogger.level = off
rootLogger.appenderRef.none.ref = none
"""


@dataclass
class Spark:
    """The executors of a Spark session."""

    session: Any
    name: str = "spark"
    peaks: dict[str, float] = field(default_factory=dict)

    @property
    def workers(self) -> int:
        """How many tasks run at the same time."""
        return int(self.session.sparkContext.defaultParallelism)

    def map(self, task: Any, work: str, jobs: Sequence[Any], tell: Any) -> list[Any]:
        """See `coterie.pipeline.engines.engine.Engine`."""
        if not jobs:
            return []
        context = self.session.sparkContext
        pickled = [pickle.dumps((task, work, job)) for job in jobs]
        with _unwarned():
            mapped = context.parallelize(pickled, len(pickled)).mapPartitions(_mapped)
        group = f"coterie {task.__name__} {secrets.token_hex(4)}"
        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(_collected, context, group, mapped)
            try:
                tell(0.0)
                while True:
                    with contextlib.suppress(TimeoutError):
                        found = asked.result(TICK)
                        break
                    tell(_share(context, group, len(jobs)))
            except BaseException as error:
                with contextlib.suppress(Exception):
                    context.cancelJobGroup(group)
                if isinstance(error, Exception) and not isinstance(error, CoterieError):
                    raise _failed(error) from None
                raise
        results = []
        for result, worker, peak in found:  # in the order of the jobs
            results.append(pickle.loads(result))
            self.peaks[worker] = max(peak, self.peaks.get(worker, 0.0))
        refuse(results)
        tell(1.0)
        return results

    def check(self, folder: Path) -> None:
        """See `coterie.pipeline.engines.engine.Engine`."""
        found = self.map(_look, str(folder), list(range(self.workers)), lambda share: None)
        check_workers(found, "executor", folder)


@contextlib.contextmanager
def session_of(client: Any, workers: Any, folder: Path | None) -> Iterator[Any]:
    """The caller's session; else the one that is active; else a local one, ended with the block.

    Raises
    ------
    MissingDependency
        Without pyspark, or without Java.
    """
    needed("pyspark", "engine='spark'", "spark")
    with _unwarned():
        sql = importlib.import_module("pyspark.sql")
    if client is not None:
        if not isinstance(client, sql.SparkSession):
            raise bad_parameter("client", "anonymize", "a pyspark.sql.SparkSession", client)
        yield client
        return
    active = sql.SparkSession.getActiveSession()
    if active is not None and workers is None:
        yield active
        return
    if active is not None:
        raise DataError(
            "A Spark session is running in this process already. Leave workers out to use it, or "
            "stop it first."
        )
    count = count_of(workers)
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        raise MissingDependency(
            "engine='spark' needs Java 17 or newer, which is not installed. Install it (a package "
            "named like openjdk-17-jre-headless), or use engine='tiles'."
        )
    with _settings(folder):
        session = _built(sql, count, folder)
    try:
        yield session
    finally:
        # Where Java was lost there is nothing to stop, and why the job failed has been said.
        with contextlib.suppress(Exception):
            session.stop()


def _built(sql: Any, count: int, folder: Path | None) -> Any:
    """A session of this machine alone, that nobody else can reach."""
    builder = sql.SparkSession.builder.master(f"local[{count},{TRIES}]").appName("coterie")
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.maxResultSize": "0",
        "spark.python.worker.reuse": "true",
    }
    if folder is not None:
        settings |= {"spark.local.dir": str(folder), "spark.sql.warehouse.dir": str(folder)}
    for name, value in settings.items():
        builder = builder.config(name, value)
    try:
        return builder.getOrCreate()
    except Exception as error:  # pyspark and Java have many ways to say that they did not start
        raise DataError(
            f"Spark cannot be started ({shown(str(error).splitlines()[0], 160)}). Check that Java "
            "17 or newer is installed, or give the session of a cluster as client."
        ) from None


@contextlib.contextmanager
def _settings(folder: Path | None) -> Iterator[None]:
    """What Spark reads from the environment while it starts: our own Python, and silence."""
    wanted = {"PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
    wanted["SPARK_LOCAL_IP"] = "127.0.0.1"
    if folder is not None and "SPARK_CONF_DIR" not in os.environ:
        (folder / "log4j2.properties").write_text(SILENT)
        wanted["SPARK_CONF_DIR"] = str(folder)
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        with _unwarned():
            yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextlib.contextmanager
def _unwarned() -> Iterator[None]:
    """Without what pyspark says about versions of pandas: none of it is used."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _collected(context: Any, group: str, mapped: Any) -> list[Any]:
    """In a thread of its own: all results, as one group of jobs that can be ended."""
    context.setJobGroup(group, group, interruptOnCancel=True)
    found: list[Any] = mapped.collect()
    return found


def _mapped(jobs: Iterator[bytes]) -> Iterator[tuple[bytes, str, float]]:
    """On an executor: every job of a part; a refusal is a result."""
    for pickled in jobs:
        task, work, job = pickle.loads(pickled)
        result = pickle.dumps(attempt(task, work, job))
        yield result, _worker(), peak_memory()


def _worker() -> str:
    return f"{socket.gethostname()} {os.getpid()}"


def _look(folder: str, job: Any) -> tuple[str, str, bool]:
    return _worker(), *look(folder)


def _share(context: Any, group: str, jobs: int) -> float:
    """How much of a group of jobs is done."""
    tracker = context.statusTracker()
    done = 0
    for job in tracker.getJobIdsForGroup(group):
        info = tracker.getJobInfo(job)
        for stage in info.stageIds if info is not None else ():
            known = tracker.getStageInfo(stage)
            done = max(done, known.numCompletedTasks if known is not None else 0)
    return min(1.0, done / jobs)


def _failed(error: Exception) -> CoterieError:
    """One line for what Spark says in many."""
    text = str(error)
    if "No module named" in text:
        absent = text[text.index("No module named") :].splitlines()[0]
        return DataError(
            f"Every executor must have coterie and what it needs. Got {shown(absent, 80)}; install "
            "it there."
        )
    if "Python worker exited unexpectedly" in text or "ExecutorLost" in text:
        return DataError(
            "Executors died again and again at the same task: it may need more memory than they "
            "have. Give them more, or make tiles and parts smaller; nothing was written."
        )
    lines = [line for line in text.splitlines() if line.strip()]
    return DataError(
        f"Spark ended the job ({shown(lines[-1] if lines else text, 160)}). Look at its logs, and "
        "start it again; nothing was written."
    )
