"""Dask: tasks on the workers of a scheduler, the caller's or one started for the purpose.

A task whose worker is lost runs again elsewhere.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from coterie.errors import DataError, bad_parameter, shown
from coterie.imports.optional import needed
from coterie.pipeline.engines.engine import (
    Task,
    Tell,
    attempt,
    check_workers,
    count_of,
    look,
    refuse,
)
from coterie.pipeline.engines.memory import peak_memory

__all__ = ["Cluster", "cluster_of"]

REACHED = 10.0  # seconds to reach a scheduler
STARTED = 60.0  # seconds until a worker must be there, at the beginning and ever after
TICK = 0.05  # seconds between two looks at what has ended
LOOK = 5.0  # seconds without an end until somebody asks whether there are workers


@dataclass
class Cluster:
    """The workers of a Dask scheduler."""

    client: Any
    name: str = "dask"
    peaks: dict[str, float] = field(default_factory=dict)

    @property
    def workers(self) -> int:
        """How many there are now."""
        return len(self.client.nthreads())

    def map(self, task: Task, work: str, jobs: Sequence[Any], tell: Tell) -> list[Any]:
        """See `Engine`."""
        import distributed

        futures = self.client.map(
            _run, [task] * len(jobs), [work] * len(jobs), jobs, pure=False, key=task.__name__
        )
        results: list[Any] = [None] * len(jobs)
        waiting = {future.key: place for place, future in enumerate(futures)}
        alive = time.monotonic()
        try:
            ends = distributed.as_completed(futures, loop=self.client.loop)
            while waiting:
                ended = ends.next_batch(block=False)
                for future in ended:
                    place = waiting.pop(future.key)
                    results[place], worker, peak = self._result(future, jobs[place])
                    self.peaks[worker] = max(peak, self.peaks.get(worker, 0.0))
                    future.release()
                refuse(results, set(waiting.values()))
                tell(1.0 - len(waiting) / len(jobs))
                if ended:
                    alive = time.monotonic()
                else:
                    time.sleep(TICK)
                    alive = self._look_after(alive)
        except BaseException:
            with contextlib.suppress(Exception):
                self.client.cancel(futures, force=True)
            raise
        return results

    def _look_after(self, alive: float) -> float:
        """When somebody was last seen at work; refuses to wait where nobody is."""
        now = time.monotonic()
        if now - alive < LOOK:
            return alive
        try:
            workers = self.workers if self.client.status == "running" else None
        except Exception:  # whatever a connection says that is being closed
            workers = None
        if workers is None:
            raise _gone("its connection was lost")
        if workers:
            return now
        if now - alive > STARTED:
            raise DataError(
                f"The Dask cluster has had no worker for {STARTED:.0f} s. Start some, or look at "
                "the logs of those that ended; nothing was written."
            )
        return alive

    def _result(self, future: Any, job: Any) -> Any:
        import distributed

        try:
            return future.result()
        except distributed.scheduler.KilledWorker:
            raise DataError(
                f"Workers died again and again at {_shown(job)}: it may need more memory than they "
                "have. Give them more, or make tiles and parts smaller; nothing was written."
            ) from None
        except distributed.CancelledError:
            raise _gone("it was stopped, or its connection lost") from None
        except distributed.comm.core.CommClosedError:
            raise _gone("its connection was lost") from None
        except ModuleNotFoundError as error:
            raise DataError(
                f"Every worker must have coterie and what it needs. Got {shown(str(error))}; "
                "install it there."
            ) from None

    def check(self, folder: Path) -> None:
        """See `Engine`."""
        try:
            self.client.wait_for_workers(1, timeout=STARTED)
        except TimeoutError:
            raise DataError(
                f"The Dask cluster has no worker after {STARTED:.0f} s. Start one with "
                "`dask worker ADDRESS`."
            ) from None
        try:
            found = self.client.run(look, str(folder))
        except ModuleNotFoundError as error:
            raise DataError(
                f"Every worker must have coterie. Got {shown(str(error))}; install it there."
            ) from None
        seen = ((worker, *one) for worker, one in found.items())
        check_workers(seen, "worker", folder)


@contextlib.contextmanager
def cluster_of(
    client: Any, scheduler: str | None, workers: Any, folder: Path | None
) -> Iterator[Any]:
    """The caller's client; else one of a scheduler; else of a local cluster, ended with the block.

    Its workers keep in `folder` what does not fit into their memory.
    """
    distributed = needed("distributed", "engine='dask'", "dask")
    if client is not None:
        if not isinstance(client, distributed.Client) or client.asynchronous:
            raise bad_parameter("client", "anonymize", "a dask.distributed.Client", client)
        yield client
        return
    if scheduler is not None:
        with _connected(distributed, scheduler) as connected:
            yield connected
        return
    count = count_of(workers)
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        # A worker of ours imports the caller's script, which has no guard: it must not go on, nor
        # print what the process that waits for it tells.
        raise SystemExit(1)
    with contextlib.ExitStack() as stack:
        dask = needed("dask", "engine='dask'", "dask")
        settings: dict[str, Any] = {
            # On a busy machine a lost worker's successor may take long to come: wait for it.
            "distributed.deploy.lost-worker-timeout": "10 minutes",
            # Dask's own setting keeps the allocator from learning how large arrays are: each would
            # be mapped anew, and its pages faulted in one by one, which takes longer than the sums.
            "distributed.nanny.pre-spawn-environ": {
                name: value
                for name, value in dask.config.get("distributed.nanny.pre-spawn-environ").items()
                if name != "MALLOC_TRIM_THRESHOLD_"
            },
            # Nobody looks at the profile of a cluster that ends with the job.
            "distributed.worker.profile.enabled": False,
        }
        if folder is not None:
            settings["temporary-directory"] = str(folder)
        stack.enter_context(dask.config.set(settings))
        with _sheltered():
            try:
                cluster = distributed.LocalCluster(
                    n_workers=count,
                    threads_per_worker=1,
                    processes=True,
                    local_directory=None if folder is None else str(folder),
                    dashboard_address="127.0.0.1:0",
                    silence_logs=logging.CRITICAL,
                )
            except RuntimeError as error:
                raise DataError(
                    f"The workers of engine 'dask' did not start ({shown(str(error), 80)}). "
                    "If a script starts them, put what it does under "
                    '`if __name__ == "__main__":`, as each of them imports it; else ask for fewer '
                    "workers. Nothing was written."
                ) from None
            stack.enter_context(cluster)
            connected = stack.enter_context(distributed.Client(cluster))
        yield connected


@contextlib.contextmanager
def _sheltered() -> Iterator[None]:
    """Ctrl-C waits, and what is started meanwhile, threads and processes, never sees it.

    A terminal interrupts every process; only this one is to end the job, the workers in its wake.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker

    # When it starts later, it lets signals through again. It removes what a process that was
    # ended has left in the memory that all share, and need not complain of it. A closed terminal
    # would end it before those whose names it keeps.
    sys.warnoptions.append("ignore:resource_tracker:UserWarning")
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    try:
        resource_tracker.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        sys.warnoptions.pop()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _connected(distributed: Any, address: str) -> Iterator[Any]:
    with _quiet():
        try:
            client = distributed.Client(address, timeout=REACHED)
        except (OSError, TimeoutError, ValueError, TypeError) as error:
            raise DataError(
                f"The Dask scheduler at {address} cannot be reached ({shown(str(error), 80)}). "
                "Check the address, or start one with `dask scheduler`."
            ) from None
        try:
            yield client
        finally:
            client.close()


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """What Dask would log of a lost connection is told in one line, by us."""
    handlers = logging.getLogger("distributed").handlers
    before = [handler.level for handler in handlers]
    for handler in handlers:
        handler.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for handler, level in zip(handlers, before, strict=True):
            handler.setLevel(level)


def _gone(how: str) -> DataError:
    return DataError(
        f"The Dask scheduler is gone ({how}). Start the job again; nothing was written."
    )


def _run(task: Task, work: str, job: Any) -> tuple[Any, str, float]:
    """On a worker: the result, who made it, and its memory so far."""
    import distributed

    return attempt(task, work, job), distributed.get_worker().address, peak_memory()


def _shown(job: Any) -> str:
    return shown(getattr(job, "path", None) or f"{type(job).__name__.lower()} {shown(job, 40)}")
