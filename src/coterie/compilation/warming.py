"""Everything compiled beforehand: for images, for clusters, for machines that many share.

Kernels are compiled when they are first used, for the processor at hand, and kept beside their
source or in the user's cache. `warm` uses every one of them once, on a few records, in several
processes at a time; whoever comes after finds them there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from coterie.compilation.events import Compiling, heard
from coterie.errors import CoterieError, bad_parameter, unknown_name

__all__ = ["PARTS", "Warmed", "warm"]


@dataclass(frozen=True)
class Warmed:
    """What `warm` did.

    Attributes
    ----------
    compiled : int
        Functions that were compiled; 0 where all of them were there already.
    seconds : float
        How long it took.
    folder : str
        Where the machine code is kept.
    """

    compiled: int
    seconds: float
    folder: str


def warm(
    parts: Sequence[str] | None = None,
    *,
    workers: int | None = None,
    callback: Callable[[str, float], object] | None = None,
) -> Warmed:
    """Compile everything now, in parallel processes, so that no later run has to.

    Parameters
    ----------
    parts : sequence of str, optional
        Some of ``coterie.compilation.warming.PARTS``; all by default.
    workers : int, optional
        Processes at a time; by default one for each processor.
    callback : callable, optional
        Called with the name of each part that is done and the share of all that are, 0 to 1.

    Raises
    ------
    ParameterError
        For an unknown part or a bad number of workers.
    CoterieError
        If there is no folder that may be written to, or a part fails.
    """
    chosen = list(PARTS) if parts is None else list(dict.fromkeys(parts))
    for name in chosen:
        if name not in PARTS:
            raise unknown_name("part", name, PARTS)
    if workers is not None and (not isinstance(workers, int) or workers < 1):
        raise bad_parameter("workers", "warm", "an integer of at least 1", workers)
    began = time.perf_counter()
    found: list[dict[str, Any]] = []
    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        waiting = {pool.submit(_in_a_process, name): name for name in chosen}
        for done in as_completed(waiting):
            found.append(done.result())
            if callback is not None:
                callback(waiting[done], len(found) / len(chosen))
    folders = {one["folder"] for one in found}
    if None in folders:
        raise CoterieError(
            "warm must have a folder to keep kernels in. Neither the installation nor the user's "
            "cache can be written to; set NUMBA_CACHE_DIR to one that can."
        )
    compiled = sum(one["compiled"] for one in found)
    return Warmed(compiled, time.perf_counter() - began, str(*folders))


def _in_a_process(name: str) -> dict[str, Any]:
    """What one part came to, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "coterie.compilation.warming", name],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        reported = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise CoterieError(f"warm must compile every part. {name!r} failed: {reported}")
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def main(name: str) -> None:
    """Use one part's kernels and print what was compiled, as JSON."""
    from coterie.compilation.cache import folder
    from coterie.kernels.base import draws
    from coterie.kernels.risk import predicates

    compiled = 0

    def count(event: Compiling) -> None:
        nonlocal compiled
        compiled += event.done if event.seconds is not None else 0

    with heard(count):
        PARTS[name]()
    kept = [folder(draws.below), folder(predicates.count)]  # of two packages of kernels
    place = None if None in kept else os.path.commonpath([str(one) for one in kept])
    sys.stdout.write(json.dumps({"compiled": compiled, "folder": place}) + "\n")


def _points(n: int = 60, d: int = 2) -> Any:
    return np.random.default_rng(0).normal(size=(n, d))


def _methods(*names: str, **options: Any) -> None:
    from coterie.partitioning import partition

    for name in names:
        partition(_points(), 3, name, random_state=0, **options)


def _optimize() -> None:
    """`auto` and `optimize`, from halves and from paths, and what large tables need besides."""
    from coterie.partitioning.driver import Run
    from coterie.partitioning.neighbors import FEW, _Lists, nearest_neighbors
    from coterie.partitioning.problem import Problem
    from coterie.partitioning.search.sweeps import Sweeps

    _methods("auto", effort=1000)
    _methods("optimize", iterations=1, melt=1)
    nearest_neighbors(_points(FEW + 1), 2, Run())
    lists = _Lists(_points(), 2, Run())
    lists.fill(np.arange(60), True)
    lists.join(lists.near.copy(), np.arange(60), True)
    for loss in (np.inf, 0.0):  # single precision, and double
        swept = Sweeps(
            Problem.of(_points(), 3),
            np.arange(60) // 3,
            lists.near,
            np.random.SeedSequence(0),
            2,
            loss,
        )
        swept.share_out()
        swept.streams[0].step(1)


def _exact() -> None:
    from coterie.partitioning.driver import Run
    from coterie.partitioning.exact.bounding import bound_of
    from coterie.partitioning.exact.solver import have_highs
    from coterie.partitioning.problem import Problem

    bound_of(Problem.of(_points(), 3), Run(), "columns" if have_highs() else "ascent", 1)
    from coterie.partitioning import partition

    partition(_points(10), 3, "exact")
    partition(_points(30, 1), 3, "exact")


def _constrained() -> None:
    """Units, values and amounts that no method's groups keep by themselves."""
    from coterie.guarantees.constraints import Constraints
    from coterie.guarantees.diversity import Diversity
    from coterie.guarantees.dominance import Dominance
    from coterie.partitioning import partition

    points = np.sort(_points(90, 1), axis=0)
    units, values = np.arange(90) // 3, np.arange(90) // 5 % 4
    partition(points, 4, constraints=Constraints(units=units), random_state=0)
    rules = Constraints(
        units=units,
        together=True,
        diversity=(Diversity.of("value", values, True, min_distinct=3, t_closeness=0.4),),
        dominance=(Dominance("amount", 1.0 + np.arange(90.0), p_percent=10.0),),
    )
    partition(points, 4, constraints=rules, random_state=0)


def _p3m() -> None:
    from coterie.centroids.p3m.release import p3m

    labels = np.arange(60) // 4
    for importance in (0.3, 1.0):
        for one_sided in (False, True):
            p3m(_points(), labels, delta=0.1, importance=importance, one_sided=one_sided)


def _sharing() -> None:
    """Groups that share labels and intervals."""
    import pandas as pd

    from coterie.pipeline import anonymize

    numbers = np.arange(60)
    table = pd.DataFrame(
        {"code": [f"{n % 3}{n % 5}" for n in numbers], "age": numbers % 40, "x": numbers * 0.7}
    )
    anonymize(
        table,
        3,
        list(table),
        hierarchies={"code": {"prefix": [1]}},
        releases={"age": "interval"},
        steps={"age": 5},
        method="mdav",
        random_state=0,
    )


def _measures() -> None:
    import pandas as pd

    from coterie.evaluation import evaluate

    original = pd.DataFrame(_points(60, 3), columns=["a", "b", "c"])
    original["d"] = np.arange(60) % 3
    released = original.groupby(np.arange(60) // 4).transform("mean")
    released["d"] = original["d"]
    evaluate(original, released, quasi_identifiers=["a", "b", "c"], aligned=True)


# The longest first. Functions that several parts share are compiled by whoever comes first.
PARTS: dict[str, Callable[[], object]] = {
    "constraints": _constrained,
    "optimize": _optimize,
    "exact": _exact,
    "search": partial(_methods, "lsc", "ls", "ilsmc", "ilsm"),
    "icsm": partial(_methods, "icsm"),
    "constructive": partial(_methods, "mdav-mhm", "md", "cbfs", "vmdav", "systematic"),
    "trees": partial(_methods, "tfrp", "mst", "mu-approx", "gsms-t2", "npn-mhm", "tsp-mhm"),
    "p3m": _p3m,
    "measures": _measures,
    "sharing": _sharing,
}

if __name__ == "__main__":
    main(sys.argv[1])
