"""Tries changes: everything is imported and collected once, each change costs a fork.

Run by `tests.mutants` in a process of its own, once with compiled kernels and once with the JIT
off. First every test is run by itself under a profiler: which functions it reaches, and its
seconds (kept in `.venv/mutants` as long as the test's file is the same). Then each change is made
in a child, which runs the tests that reach the changed function until one fails: first the one that
noticed another change there, then those named like the file, the short ones first.
"""

from __future__ import annotations

import contextlib
import cProfile
import hashlib
import importlib
import json
import math
import os
import resource
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.mutants.changes import changed, changes
from tests.mutants.results import SURVIVING
from tests.mutants.swapping import NotRunnableError, put

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "coterie"
EACH = 2.0  # processor seconds: a test that takes longer is left out
PATIENCE = 3.0  # processor seconds beyond five times what a test takes: then it never ends
LOADED = {
    *("coterie", "numpy", "scipy", "sklearn", "joblib", "numba", "llvmlite", "highspy", "pandas"),
    *("polars", "pyarrow", "narwhals", "matplotlib", "jinja2", "hypothesis"),
}
STRICT = ("oracle", "equation", "by_hand", "enumeration")  # tests that are tried before others
MEMORY = 6 * 2**30  # of addresses beyond what there is already
NOT_RUNNABLE, NOT_MADE = 3, 4  # exit codes of a child: the changed file fails, or none was made
FIRST = 10  # exit code of a child whose first test failed, 11 the second, and so on
SURVIVED, KILLED, SLOW, UNREACHED = "survived", "killed", "slow", "unreached"


@dataclass
class Reach:
    """What a test takes and which functions it calls; without a verdict it is left out."""

    seconds: float
    passed: bool
    functions: set[str] = field(default_factory=set)


class Trial:
    """A plugin of pytest that tries changes instead of running the collected tests once."""

    def __init__(self, job: dict[str, Any]) -> None:
        self.job = job
        self.failed = False
        self.killers: dict[str, list[str]] = {}  # of a function, of a file: who noticed a change
        self.out = os.dup(1)
        self.ends = time.monotonic() + job["seconds"]

    def say(self, text: str) -> None:
        os.write(self.out, f"{text}\n".encode())

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed = self.failed or report.failed

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for path in sorted({change["file"] for change in self.job["changes"]}):
            importlib.import_module(module_of(path))
        items = {item.nodeid: item for item in session.items}
        reach = self.measured(items)
        usable = {name: one for name, one in reach.items() if one.passed}
        left_out = sorted(set(items) - set(usable))
        self.say(f"{len(usable)} tests, {len(left_out)} left out (too long, or they fail)")
        running: dict[int, tuple[dict, float, list[str]]] = {}
        kept = Path(self.job["kept"])
        kept.parent.mkdir(exist_ok=True)
        queue = list(self.job["changes"])
        while queue or running:
            while queue and len(running) < self.job["workers"] and time.monotonic() < self.ends:
                change = queue.pop(0)
                tests = self.chosen(change, usable)
                if tests:
                    child = self.started(change, [items[name] for name in tests], usable)
                    running[child] = change, time.monotonic(), tests
                else:
                    self.note(kept, change, UNREACHED, 0)
            if not running:
                break
            self.collect(running, kept)
        self.say(f"{len(queue)} left")
        spent = [resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        took = round(sum(one.ru_utime + one.ru_stime for one in spent), 1)
        with kept.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"seconds": took, "mode": self.job["mode"]}) + "\n")
        return True

    def collect(self, running: dict[int, tuple[dict, float, list[str]]], kept: Path) -> None:
        """Wait for a child; one that sleeps for ever is ended."""
        child, status = os.waitpid(-1, os.WNOHANG)
        if child in running:
            change, _, tests = running.pop(child)
            code = os.waitstatus_to_exitcode(status)
            if code == NOT_MADE:
                self.say(f"not made, so not tried: {change['file']} {change['change']}")
                return
            found = SURVIVED if code == 0 else KILLED if code > 0 else SLOW
            if FIRST <= code < FIRST + len(tests):
                name = tests[code - FIRST]
                for place in (place_of(change), change["file"]):
                    others = [one for one in self.killers.get(place, []) if one != name]
                    self.killers[place] = [name, *others]
            self.note(kept, change, found, len(tests))
            return
        for child, (_, began, _) in running.items():
            if time.monotonic() - began > 180.0:
                os.kill(child, 9)
        time.sleep(0.01)

    def note(self, kept: Path, change: dict, found: str, tests: int) -> None:
        """Keep a verdict, but for one that the tests with compiled kernels have yet to give."""
        later = self.job["mode"] == "plain" and not change["file"].startswith("kernels/")
        if not (later and found in SURVIVING):
            note(kept, change, found, tests)

    def chosen(self, change: dict, usable: dict[str, Reach]) -> list[str]:
        """Tests that reach the change, those likely to notice it first, as many as fit."""
        file, wanted = change["file"], place_of(change)
        reaching = [n for n, one in usable.items() if wanted in one.functions]
        if not reaching:  # a constant or a class: whoever runs anything of the file
            below = f"{file}:"
            reaching = [
                n for n, one in usable.items() if any(f.startswith(below) for f in one.functions)
            ]
        noticed = [*self.killers.get(wanted, []), *self.killers.get(file, [])]
        rank = {name: place for place, name in reversed(list(enumerate(noticed)))}

        def order(name: str) -> tuple[int, bool, bool, float]:
            strict = any(word in name for word in STRICT)
            here = Path(file).stem in name
            return rank.get(name, len(noticed)), not strict, not here, usable[name].seconds

        reaching.sort(key=order)
        found, total = [], 0.0
        for name in reaching:
            total += usable[name].seconds
            if found and total > self.job["together"]:
                break
            found.append(name)
        return found

    def started(self, change: dict, tests: list[pytest.Item], usable: dict[str, Reach]) -> int:
        """A child that makes the change and runs the tests."""
        child = os.fork()
        if child:
            return child
        self.confine(int(5 + 5 * sum(usable[test.nodeid].seconds for test in tests)))
        path = SOURCE / change["file"]
        text = path.read_text(encoding="utf-8")
        try:
            (one,) = [c for c in changes(text) if c.key == change["change"]]
            module = sys.modules[module_of(change["file"])]
            put(module, path, changed(text, one.number), one)
        except NotRunnableError:
            os._exit(NOT_RUNNABLE)
        except Exception:
            os._exit(NOT_MADE)
        for number, test in enumerate(tests):
            hold(PATIENCE + 5 * usable[test.nodeid].seconds)
            if not self.passes(test):
                os._exit(min(FIRST + number, 255))
        os._exit(0)

    def confine(self, seconds: int) -> None:
        """Silence, and limits to what a child may use."""
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, 1)
        os.dup2(sink, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, most))

    def passes(self, item: pytest.Item) -> bool:
        self.failed = False
        try:
            item.ihook.pytest_runtest_protocol(item=item, nextitem=None)
        except BaseException:
            return False
        return not self.failed

    def measured(self, items: dict[str, pytest.Item]) -> dict[str, Reach]:
        """What each test reaches: kept from an earlier run, or measured in a child."""
        folder = ROOT / ".venv" / "mutants"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.job['room']}-{self.job['mode']}.json"
        known = json.loads(path.read_text()) if path.exists() else {}
        found: dict[str, Reach] = {}
        stamps: dict[Path, str] = {}
        new = []
        for row in known.values():
            load(row)
        for name, item in items.items():
            if item.path not in stamps:
                stamps[item.path] = hashlib.sha256(item.path.read_bytes()).hexdigest()[:16]
            if known.get(name, {}).get("stamp") != stamps[item.path]:
                new.append(item)
        for at in range(0, len(new), self.job["workers"]):
            if time.monotonic() > self.ends:
                break
            some = new[at : at + self.job["workers"]]
            for item, pipe in [(item, self.profiled(item)) for item in some]:
                known[item.nodeid] = {"stamp": stamps[item.path], **read(*pipe)}
                load(known[item.nodeid])
        path.write_text(json.dumps(known))
        for name, item in items.items():
            row = known.get(name, {})
            if row.get("stamp") == stamps[item.path]:
                found[name] = Reach(row["seconds"], row["passed"], set(row["functions"]))
        return found

    def profiled(self, item: pytest.Item) -> tuple[int, int]:
        """A child that runs one test and writes into a pipe what `read` gives."""
        read, write = os.pipe()
        child = os.fork()
        if child:
            os.close(write)
            return child, read
        self.confine(int(EACH) + 1)
        before = set(sys.modules)
        profile = cProfile.Profile()
        began = time.process_time()
        profile.enable()
        passed = self.passes(item)
        profile.disable()
        called = set()
        for entry in profile.getstats():
            if not isinstance(entry.code, str) and str(SOURCE) in entry.code.co_filename:
                name = entry.code.co_qualname.partition(".<locals>")[0]
                called.add(f"{Path(entry.code.co_filename).relative_to(SOURCE)}:{name}")
        seconds = time.process_time() - began
        row = {"seconds": seconds, "passed": passed, "functions": sorted(called),
               "modules": [name for name in sys.modules if name not in before]}  # fmt: skip
        with os.fdopen(write, "w") as pipe:
            json.dump(row, pipe)
        os._exit(0)


def hold(seconds: float) -> None:
    """End this process after so many more seconds of the processor, or at its limit."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    spent = time.process_time() + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (min(math.ceil(spent), hard), hard))


def read(child: int, pipe: int) -> dict[str, Any]:
    """Seconds of a test, whether it passed in time, and the functions of ours that it called."""
    with os.fdopen(pipe) as file:
        text = file.read()
    os.waitpid(child, 0)
    nothing = {"seconds": EACH, "passed": False, "functions": [], "modules": []}
    row = json.loads(text) if text else nothing
    return {**row, "passed": row["passed"] and row["seconds"] <= EACH}


def load(row: dict[str, Any]) -> None:
    """Import what a test has imported, so that no other child has to."""
    for name in row.get("modules", ()):
        if name.partition(".")[0] in LOADED:
            with contextlib.suppress(Exception):
                importlib.import_module(name)


def place_of(change: dict) -> str:
    """File and function of a change."""
    return f"{change['file']}:{change['owner']}"


def module_of(file: str) -> str:
    """The module that a file of the source is."""
    parts = ("coterie", *Path(file).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def note(kept: Path, change: dict, found: str, tests: int) -> None:
    """Append a verdict to the room's file."""
    row = {"file": change["file"], "change": change["change"], "found": found, "tests": tests}
    with kept.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row, ensure_ascii=False) + "\n")


def main(name: str) -> int:
    job = json.loads(Path(name).read_text())
    # What runs as plain Python in reasonable time is marked so.
    wanted = "nojit and not data" if job["mode"] == "plain" else "not slow and not data"
    wanted += " and not browser"
    options = ["-q", "-s", "-p", "no:xdist", "-p", "no:cacheprovider", "-m", wanted]
    return int(pytest.main([*options, *job["tests"]], plugins=[Trial(job)]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
