"""What a user waits for: CPU seconds of whole commands on 442 records, kernels in the cache.

    make bench-start                                  # five runs of each command, the median
    make bench-start ARGS="--runs 9 --beside ../old"  # beside the sources of another checkout

Each command runs in a process of its own, once with `PYTHONDONTWRITEBYTECODE` and once without, by
turns, after a first run that fills the kernel cache. The median is of user and system time, and so
nearly the same on a busy machine.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import coterie
from benchmarks.measured import Sheet

ABOUT = """Processor seconds, user and system, of whole commands on 442 records with four keys,
kernels compiled: with the bytecode of Python kept, and with `PYTHONDONTWRITEBYTECODE` ([what to
do](../how-to/start-fast.md)). The median of the runs; *most* is the bound that we hold ourselves
to."""
KEYS = ["-q", "age", "-q", "sex", "-q", "bmi", "-q", "bp"]
PARTITION = """
import numpy as np
import coterie
coterie.partition(np.random.default_rng(0).normal(size=(442, 4)), k=5)
"""


def commands(folder):
    """Name, arguments of Python, and the most seconds that it should take."""
    table = folder / "diabetes.csv"
    coterie.datasets.diabetes().to_csv(table, index=False)
    protect = ["-m", "coterie", "anonymize", table, "-o", folder / "out.csv", "-k", "5", *KEYS]
    return {
        "python": (["-c", "pass"], None),
        "coterie --help": (["-m", "coterie", "--help"], 0.5),
        "coterie verify": (["-m", "coterie", "verify", table, "-k", "2", "-q", "sex"], 0.6),
        "coterie anonymize, mdav": ([*protect, "--method", "mdav"], 1.2),
        "coterie anonymize, auto": ([*protect, "--seed", "1"], 1.6),
        "coterie.partition": (["-c", PARTITION], 0.9),
    }


def seconds(arguments, source, *, keep):
    """CPU seconds of one process; `keep` says whether it may write bytecode."""
    env = {**os.environ, "PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
    if keep:
        del env["PYTHONDONTWRITEBYTECODE"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, *map(str, arguments)], env=env, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise RuntimeError(done.stderr.decode())
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5, metavar="N", help="of each command")
    parser.add_argument("--beside", type=Path, metavar="FOLDER", help="another checkout")
    parser.add_argument("--keep", action="store_true", help="leave results and page")
    given = parser.parse_args(arguments)
    sheet = Sheet("start", "Starting up, measured", "start", ABOUT)
    told = sheet.table(
        f"Medians of {given.runs}",
        {"command": "", "bytecode kept": ".2f", "not kept": ".2f", "most": ".1f"},
    )
    ours = Path(coterie.__file__).parent.parent
    sources = [*([given.beside / "src"] if given.beside else []), ours]
    print(
        f"{'CPU seconds, median of ' + str(given.runs):<28}{'kept':>8}{'not kept':>10}{'most':>7}"
    )
    with tempfile.TemporaryDirectory() as folder:
        for name, (words, most) in commands(Path(folder)).items():
            taken = {(source, keep): [] for source in sources for keep in (True, False)}
            for run in range(given.runs + 1):
                for (source, keep), found in taken.items():
                    took = seconds(words, source, keep=keep)
                    if run:  # the first one compiles
                        found.append(took)
            for source in sources:
                kept, not_kept = (statistics.median(taken[source, keep]) for keep in (True, False))
                where = name if source == ours else f"{name} (beside)"
                bound = f"{most:>7.1f}" if most and source == ours else ""
                told.add(where, kept, not_kept, most if source == ours else None)
                print(f"{where:<28}{kept:>8.2f}{not_kept:>10.2f}{bound}", flush=True)
    if given.keep:
        sheet.keep()


if __name__ == "__main__":
    main()
