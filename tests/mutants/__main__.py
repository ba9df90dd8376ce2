"""Which small changes of a room's source no test notices.

    make mutants ROOM=partitioning            a sample of the room's changes
    make mutants ROOM=partitioning ARGS="--files search/accept.py search/icsm.py --most 0"

Each change is tried in a process of its own that reads the changed file in place of the one on the
disk and runs the tests that belong to it, but for slow ones and those on reference data. A changed
kernel runs as plain Python, in the tests for that (`nojit`); kernels are compiled where another
file is changed. What was tried is kept in mutants-ROOM.jsonl and not tried again; delete it to
begin anew. --published takes the files alone that hold formulas and constants of publications.
"""

from __future__ import annotations

import argparse
import importlib.abc
import importlib.machinery
import json
import os
import random
import re
import sys
import time
from pathlib import Path

from tests.mutants.changes import Change, changed, changes

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "coterie"
KERNELS = {
    "partitioning": "base.draws base.groups constructive path search.accept search.cycles "
    "search.descent search.exchange search.iterated search.moves search.perturb",
    "centroids": "centroids.p3m centroids.quartics",
    "evaluation": "risk.linkage risk.propensity",
}
TIMES = 6  # as long as without a change, and what a start takes on a busy machine
ALSO = 60.0


# Tests of another name than the file: by the file's name, with its folder's or without, else by the
# folder's.
LIKE = {
    "path/groups": "paths",
    "p3m/release": "p3m/release",
    "p3m": "p3m/release",
    "quartics": "p3m/release",
    "accept": "iterated",
    "cycles": "icsm",
    "exchange": "icsm",
    "perturb": "iterated",
    "start": "iterated",
    "descent": "local_search",
    "forest": "mu_approx",
    "joining": "systematic",
    "leftovers": "md",
    "npn": "paths",
    "successive": "tsp",
    "exact": "exact",
    "partitioning": "invariants",
    "attacks": "attacks",
    "proximity": "knowledge",
    "evaluation": "measures tables",
    "risk": "measures tables",
    "utility": "measures tables",
}
# Files that hold formulas and constants of publications.
PUBLISHED = {
    "partitioning": "accept cbfs cycles descent exchange forest groups gsms icsm iterated joining "
    "leftovers local_search md mdav mhm moves mst mu_approx npn perturb start successive "
    "systematic tfrp tsp vmdav",
    "centroids": "dual p3m quartics release solver",
    "evaluation": "interval linkage loss moments probabilistic proximity tradeoff",
}


def files_of(room: str) -> list[Path]:
    """The files of a room and its kernels."""
    found = sorted((SOURCE / room).rglob("*.py"))
    for name in KERNELS[room].split():
        place = SOURCE / "kernels" / name.replace(".", "/")
        found += sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
    return found


def beside(path: Path, room: str) -> list[str]:
    """The tests of the room named like the file, or as `LIKE` has it; else all of the room."""
    folders = [ROOT / "tests" / room, ROOT / "tests" / "kernels"]
    names = [LIKE.get(path.stem), path.stem, LIKE.get(path.parent.name)]
    for name in filter(None, [LIKE.get(f"{path.parent.name}/{path.stem}"), *names]):
        patterns = [re.sub(r"([^/]+)$", r"test_\1.py", part) for part in name.split()]
        found = [str(one) for p in patterns for f in folders for one in sorted(f.rglob(p))]
        if found:
            return found
    return [str(folders[0])]


class Changed(importlib.abc.MetaPathFinder, importlib.abc.SourceLoader):
    """Loads one module from text instead of its file."""

    def __init__(self, path: Path, source: str) -> None:
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        self.name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        self.path, self.source = path, source

    def find_spec(self, name, path=None, target=None):
        if name != self.name:
            return None
        return importlib.machinery.ModuleSpec(name, self, origin=str(self.path))

    def get_filename(self, name):
        return str(self.path)

    def get_data(self, path):
        return self.source.encode()


def is_kernel(path: Path) -> bool:
    """Whether a file is compiled."""
    return SOURCE / "kernels" in path.parents


def attempt(path: Path, source: str | None, tests: list[str], limit: float) -> tuple[str, float]:
    """Run the tests in a child with the file changed: "killed", "survived" or "slow"."""
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, 1)
        os.dup2(sink, 2)
        if source is not None:
            sys.meta_path.insert(0, Changed(path, source))
        import numba
        import pytest

        numba.config.DISABLE_JIT = is_kernel(path)
        wanted = "nojit and not data" if is_kernel(path) else "not data and not slow"
        options = ["-x", "-q", "-n0", "-p", "no:cacheprovider", "-m", wanted]
        os._exit(int(pytest.main([*options, *tests])))
    while time.monotonic() - began < limit:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            code = os.waitstatus_to_exitcode(status)
            return ("survived" if code == 0 else "killed"), time.monotonic() - began
        time.sleep(0.05)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return "slow", limit


def sample(given: argparse.Namespace) -> list[tuple[Path, Change]]:
    """The changes to try, in an order that the seed gives."""
    found = []
    for path in files_of(given.room):
        if given.files and not any(str(path).endswith(name) for name in given.files):
            continue
        if given.published and path.stem not in PUBLISHED[given.room].split():
            continue
        of_file = changes(path.read_text(encoding="utf-8"))
        found += [(path, change) for change in of_file if re.search(given.match, str(change))]
    random.Random(given.seed).shuffle(found)
    return found[: given.most] if given.most else found


def main(arguments: list[str]) -> int:
    """Try the changes, keep what was found, list those that nobody noticed."""
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__.split("\n")[0])
    parser.add_argument("room", choices=sorted(KERNELS))
    parser.add_argument("--files", nargs="+", default=[], metavar="NAME", help="ends of names")
    parser.add_argument("--published", action="store_true", help="files of published formulas")
    parser.add_argument("--match", default="", metavar="REGEX", help="changes that look so")
    parser.add_argument("--most", type=int, default=60, help="changes tried; 0 for all")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    kept = ROOT / f"mutants-{given.room}.jsonl"
    known = {}
    if kept.exists():
        for line in kept.read_text(encoding="utf-8").splitlines():
            one = json.loads(line)
            known[one["file"], one["change"]] = one["found"]
    import numba  # noqa: F401  (what children need is loaded once; pytest's plugins are not)
    import pandas  # noqa: F401
    import pytest  # noqa: F401

    usual: dict[tuple[str, ...], float] = {}
    told = {"killed": 0, "survived": 0, "slow": 0}
    alive = []
    for path, change in sample(given):
        name, tests = str(path.relative_to(SOURCE)), beside(path, given.room)
        found = known.get((name, str(change)))
        if found is None:
            if tuple(tests) not in usual:
                found, usual[tuple(tests)] = attempt(path, None, tests, 3600.0)
                if found != "survived":
                    print(f"{name}: its tests fail without any change", file=sys.stderr)
                    return 1
            source = changed(path.read_text(encoding="utf-8"), change.number)
            found, _ = attempt(path, source, tests, TIMES * usual[tuple(tests)] + ALSO)
            with kept.open("a", encoding="utf-8") as file:
                row = {"file": name, "change": str(change), "found": found}
                file.write(json.dumps(row) + "\n")
        told[found] += 1
        if found == "survived":
            alive.append(f"{name} {change}")
            print(alive[-1], flush=True)
    print(f"{given.room}: {sum(told.values())} changes, {told['killed']} noticed, "
          f"{told['slow']} without end, {told['survived']} not noticed")  # fmt: skip
    return 0


if __name__ == "__main__":
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    sys.exit(main(sys.argv[1:]))
