"""Which small changes of a room's source no test notices.

    make mutants ROOM=partitioning ARGS=--published     formulas and constants of publications
    make mutants ROOM=partitioning ARGS="--rest 100"    a sample of all others, drawn by --seed
    make mutants ROOM=partitioning ARGS="--published --again"   those not noticed so far
    make mutants ROOM=all ARGS=--page                   docs/measured/mutants.md from what is kept

All tests of a room are imported and collected once; each change is then made in a fork, which runs
the tests that reach the changed function (tests/mutants/trial.py). Kernels run as plain Python
first, which is quick on few records; a change outside of kernels that goes unnoticed so is tried
with all tests and compiled kernels. What was tried is kept in tests/mutants/kept and not tried
again, so that a run can be made in pieces (--seconds); the first verdict on a change stays beside
the last one.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.mutants.changes import Change, changes
from tests.mutants.published import PUBLISHED
from tests.mutants.results import EQUIVALENT, SURVIVING, kept_in, verdicts

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "coterie"
KERNELS = {
    "partitioning": "base.draws base.figures base.groups base.lists base.shadows constructive path "
    "search.accept search.cycles search.descent search.exchange search.iterated search.moves "
    "search.perturb search.visits",
    "centroids": "centroids.p3m centroids.quartics",
    "evaluation": "risk.linkage risk.propensity",
}
TESTS = {
    "partitioning": "partitioning kernels",
    "centroids": "centroids kernels",
    "evaluation": "evaluation kernels",
}


def files_of(room: str) -> list[Path]:
    """The files of a room and its kernels."""
    found = sorted((SOURCE / room).rglob("*.py"))
    for name in KERNELS[room].split():
        place = SOURCE / "kernels" / name.replace(".", "/")
        found += sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
    return found


def is_published(room: str, file: str, owner: str) -> bool:
    """Whether a change is in a published formula or constant: a class counts with its methods."""
    return any(f"{file}:{owner}".startswith((f"{one.where}.", f"{one.where}:")) or
               f"{file}:{owner}" == one.where for one in PUBLISHED[room])  # fmt: skip


def every(room: str) -> list[tuple[str, Change]]:
    """All changes of a room, each with its file."""
    return [
        (path.relative_to(SOURCE).as_posix(), change)
        for path in files_of(room)
        for change in changes(path.read_text(encoding="utf-8"))
    ]


def chosen(given: argparse.Namespace) -> list[tuple[str, Change]]:
    """The changes to try: published ones, or a sample of the others; none that is known."""
    found = [
        (file, change)
        for file, change in every(given.room)
        if is_published(given.room, file, change.owner) == bool(given.published)
        and re.search(given.match, f"{file} {change.key}")
    ]
    if given.rest:
        random.Random(given.seed).shuffle(found)
        found = found[: given.rest]
    known = verdicts(given.room)
    same = EQUIVALENT.get(given.room, {})
    if given.again:
        return [
            (file, change)
            for file, change in found
            if known.get((file, change.key), ("", ""))[1] in SURVIVING
            and (file, change.key) not in same
        ]
    return [(file, change) for file, change in found if (file, change.key) not in known]


def tried(
    given: argparse.Namespace, mode: str, wanted: list[tuple[str, Change]], left: float
) -> None:
    """Try changes in a process with the JIT off, or with compiled kernels, for so many seconds."""
    job = {
        "room": given.room,
        "mode": mode,
        "seconds": left,
        "together": given.together,
        "workers": given.workers,
        "kept": str(kept_in(given.room)),
        "tests": [str(ROOT / "tests" / name) for name in TESTS[given.room].split()],
        "changes": [{"file": f, "change": c.key, "owner": c.owner} for f, c in wanted],
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "job.json"
        path.write_text(json.dumps(job))
        command = [sys.executable, "-m", "tests.mutants.trial", str(path)]
        jit = "1" if mode == "plain" else "0"
        own = {"NUMBA_DISABLE_JIT": jit, "HYPOTHESIS_PROFILE": "few",
               "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # fmt: skip
        subprocess.run(command, env={**os.environ, **own}, cwd=ROOT, check=False)


def main(arguments: list[str]) -> int:
    """Try the changes, keep what was found, list those that nobody noticed."""
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__.split("\n")[0])
    parser.add_argument("room", choices=[*sorted(KERNELS), "all"])
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--published", action="store_true", help="formulas and constants")
    which.add_argument("--rest", type=int, default=60, help="a sample of so many others")
    which.add_argument("--page", action="store_true", help="only make the page")
    parser.add_argument("--match", default="", metavar="REGEX", help="changes that look so")
    parser.add_argument("--again", action="store_true", help="those not noticed so far")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=3600.0, help="begin nothing after so many")
    parser.add_argument("--together", type=float, default=12.0, help="of a change's tests")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args(arguments)
    if given.page:
        from benchmarks import mutants

        mutants.main()
        return 0
    if given.room == "all":
        parser.error("ROOM=all goes with --page alone; name one of " + ", ".join(KERNELS))
    given.rest = 0 if given.published else given.rest
    began, wanted = time.monotonic(), chosen(given)
    part = wanted
    for mode in ("plain", "compiled"):
        left = given.seconds - (time.monotonic() - began)
        if part and left > 0:
            print(f"{given.room}, {mode}: {len(part)} changes", flush=True)
            tried(given, mode, part, left)
        known = verdicts(given.room)
        part = [
            (file, change)
            for file, change in wanted
            if not file.startswith("kernels/")
            and known.get((file, change.key), ("", SURVIVING[0]))[1] in SURVIVING
        ]
    told = dict.fromkeys(("killed", "slow", "survived", "unreached"), 0)
    for file, change in wanted:
        found = known.get((file, change.key), ("", ""))[1]
        if found:
            told[found] += 1
        if found in SURVIVING:
            print(f"{found}: {file} {change.key}")
    print(f"{given.room}: {told['killed']} noticed, {told['slow']} without end, "
          f"{told['survived']} not noticed, {told['unreached']} that no test reaches")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
