"""Tables whose rounding once made descents run in circles: seconds of every method, the loss.

    python3 dev.py bench hangs                                 # 1,000 tables, every method, units
    python3 dev.py bench hangs --tables 100 --against OLD/src  # the same under another version
    python3 dev.py bench hangs --seeds 8 --methods ls lsc --against OLD/src
    python3 dev.py bench hangs --each 3                        # three methods a table, in turn

A table is a few clusters that are tiny beside their distance (longitudes of three cities, zeros
beside values near a million) or integers, with ties; each record belongs to a unit, of which a
group needs k. Every run has a process of its own, which a timer of processor seconds ends: a method
that does not come back is counted, not waited for.

Beside another version, runs of the same table, method and seed are compared where both ended: ours
is run where that one ended, or everywhere with `--whole`. All methods draw at random once groups
have to be repaired, so a single pair says little: `--seeds` makes several, and what counts is their
mean. `--quick` leaves annealing out, which only lowers a loss, and puts it back where the loss
would be higher than the other's.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

CITIES = (-0.1276, 2.3522, 13.405)
KINDS = ("cities", "streets", "zeros", "integers")
SAME = 1e-9  # relative: a loss that differs by less is the same
NOTHING = 1e-20  # of a record: a loss below is that of groups of equal records, rounded


def column(kind, n, rng):
    """One key of n records."""
    if kind == "cities":
        return rng.choice(CITIES, n) + rng.integers(-5, 6, n) * 1e-6
    if kind == "streets":
        return np.round(rng.choice(CITIES, n) + rng.normal(0.0, 1e-6, n), 6)
    if kind == "zeros":
        return np.where(rng.random(n) < 0.5, 0.0, 1e6 + rng.integers(-5, 6, n))
    return rng.integers(-(10**6), 10**6 + 1, n).astype(float)


def table(number):
    """The standardized points, the units and k of table `number`."""
    rng = np.random.default_rng(number)
    kind = KINDS[number % len(KINDS)]
    n = int(rng.integers(30, 301))
    keys = int(rng.choice([1, 1, 2]))
    points = np.column_stack([column(kind, n, rng) for _ in range(keys)])
    spread = points.std(axis=0)
    points = (points - points.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    units = rng.integers(0, max(n // int(rng.integers(1, 6)), 8), n)
    return points, units, int(rng.integers(2, 7))


def solved(points, units, k, method, seed, effort):
    """Processor seconds and loss of a record, or the name of the refusal."""
    import coterie

    try:
        from coterie.guarantees.constraints import Constraints
    except ImportError:  # of an older version, beside ours
        from coterie.partitioning.constraints import Constraints

    began = time.process_time()
    try:
        given = {"effort": effort} if hasattr(Constraints, "effort") else {}
        rules = Constraints(units=units, **given)
        found = coterie.partition(points, k, method, random_state=seed, constraints=rules)
        loss = found.sse / len(points)
    except coterie.CoterieError as error:
        loss = type(error).__name__
    return time.process_time() - began, loss


def apart(seconds, number, method, seed, effort):
    """What `solved` says of a table within so many processor seconds; None if it says nothing.

    In a fork: what is loaded and compiled stays with the parent, and a run that has to be ended
    costs its limit alone.
    """
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)  # ends the process, wherever it is
        signal.setitimer(signal.ITIMER_PROF, seconds)
        os.write(sink, json.dumps(solved(*table(number), method, seed, effort)).encode())
        os._exit(0)
    os.close(sink)
    with open(source) as answer:
        said = answer.read()
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if ended not in (0, -signal.SIGPROF):
        raise SystemExit(f"{method} on table {number} ended with {ended}, not by the timer")
    return json.loads(said) if ended == 0 else None


def work():
    """Answer one line for each line ``SECONDS NUMBER METHOD SEED EFFORT`` of standard input."""
    import coterie

    print(json.dumps([method.name for method in coterie.methods()]), flush=True)
    warmed = set()
    for line in sys.stdin:
        seconds, number, method, seed, effort = line.split()
        if method not in warmed:
            warmed.add(method)
            for keys in (1, 2):
                points = np.random.default_rng(0).normal(size=(60, keys))
                for k in (2, 4):
                    solved(np.sort(points, axis=0), np.arange(60) // 3, k, method, 0, 1.0)
        answer = apart(float(seconds), int(number), method, int(seed), float(effort))
        print(json.dumps(answer), flush=True)


class Worker:
    """A process that runs the methods of one version."""

    def __init__(self, source, cache):
        here = {**os.environ, "PYTHONPATH": str(source), "NUMBA_CACHE_DIR": str(cache)}
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--work"],
            env=here,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.methods = json.loads(self.process.stdout.readline())

    def ask(self, seconds, number, method, seed, effort=1.0):
        """Seconds and loss of one method on one table; None if it did not come back."""
        self.process.stdin.write(f"{seconds} {number} {method} {seed} {effort}\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def quickly(self, seconds, number, method, seed, loss):
        """The same without annealing, unless that is refused or comes out above `loss`."""
        found = self.ask(seconds, number, method, seed, 0.0)
        above = found is None or isinstance(found[1], str) or isinstance(loss, str)
        if above or found[1] > max(loss, NOTHING) * (1.0 + SAME):
            return self.ask(seconds, number, method, seed)
        return found

    def end(self):
        self.process.stdin.close()
        self.process.wait()


@dataclass
class Losses:
    """The losses of one method beside those of another version."""

    counts: Counter = field(default_factory=Counter)
    ours: float = 0.0
    theirs: float = 0.0
    tables: dict = field(default_factory=lambda: defaultdict(list))

    def note(self, number, ours, theirs):
        """Count one pair of losses, or of refusals; return the word for it."""
        if isinstance(ours, str) or isinstance(theirs, str):
            word = "refused" if ours == theirs else "refused by one"
        else:
            ours, theirs = max(ours, NOTHING), max(theirs, NOTHING)
            self.ours += ours
            self.theirs += theirs
            self.tables[number].append(math.log(ours / theirs))
            if abs(ours - theirs) <= SAME * theirs:
                word = "equal"
            else:
                word = "lower" if ours < theirs else "higher"
        self.counts[word] += 1
        return word

    def __str__(self):
        counts = ", ".join(f"{self.counts[word]} {word}" for word in ("equal", "lower", "higher"))
        if not self.tables:
            return counts
        means = np.array([np.mean(logs) for logs in self.tables.values()])
        above, below = int((means > SAME).sum()), int((means < -SAME).sum())
        every = np.concatenate([list(logs) for logs in self.tables.values()])
        return (
            f"{counts}; by tables' means {below} lower, {above} higher; mean log ratio "
            f"{every.mean():+.3g}, median {np.median(every):+.3g}; sum of losses "
            f"{self.ours / self.theirs:.4f} of the other's"
        )


def turn(methods, number, count):
    """So many of the methods, for this table: others for the next table of its kind."""
    first = number // len(KINDS) * count
    return [methods[(first + i) % len(methods)] for i in range(count)]


def main(arguments=None):
    """Run every method on every table and count those beyond the limit."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="number of the first table")
    parser.add_argument("--seconds", type=float, help="begin no table after so long")
    parser.add_argument("--methods", nargs="*", help="all by default")
    parser.add_argument("--each", type=int, help="so many methods a table, in turn")
    parser.add_argument("--seeds", type=int, default=1, help="runs of each method on a table")
    parser.add_argument("--limit", type=float, default=5.0, help="processor seconds of a run")
    parser.add_argument("--against", type=Path, help="source folder of another version")
    parser.add_argument("--other-limit", type=float, default=1.0, help="the same, of that version")
    parser.add_argument("--cache", type=Path, help="folder for that version's compiled kernels")
    parser.add_argument("--quick", action="store_true", help="anneal only where the loss is higher")
    parser.add_argument("--whole", action="store_true", help="run ours where theirs ended not, too")
    parser.add_argument("--higher", action="store_true", help="print each run with a higher loss")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    if asked.work:
        return work()
    if asked.quick and not asked.against:
        parser.error("--quick needs --against: the loss that decides is the other version's")
    theirs = None
    with tempfile.TemporaryDirectory() as cache:
        own = os.environ.get("NUMBA_CACHE_DIR") or f"{cache}/ours"
        ours = Worker(Path(__file__).parent.parent / "src", own)
        if asked.against:
            theirs = Worker(asked.against.resolve(), (asked.cache or Path(cache)).resolve())
        beyond, beyond_theirs = Counter(), Counter()
        losses = defaultdict(Losses)
        slowest, runs = (0.0, "", 0), 0
        # Of all methods, those that both know: an older version has fewer.
        known = ours.methods if theirs is None else theirs.methods
        methods = asked.methods or [name for name in ours.methods if name in known]
        for name in methods:
            if name not in ours.methods or name not in known:
                parser.error(f"--methods: {name!r} is not known to both versions")
        began, tables = time.monotonic(), 0
        for number in range(asked.first, asked.first + asked.tables):
            if asked.seconds is not None and time.monotonic() - began > asked.seconds:
                break
            tables += 1
            for method in turn(methods, number, asked.each or len(methods)):
                for seed in range(asked.seeds):
                    other = None
                    if theirs is not None:
                        other = theirs.ask(asked.other_limit, number, method, seed)
                        if other is None:
                            beyond_theirs[method] += 1
                            if not asked.whole:
                                continue
                    runs += 1
                    if asked.quick and other is not None:
                        found = ours.quickly(asked.limit, number, method, seed, other[1])
                    else:
                        found = ours.ask(asked.limit, number, method, seed)
                    if found is None:
                        beyond[method] += 1
                        print(f"table {number}, {method}: beyond {asked.limit} s", flush=True)
                        continue
                    slowest = max(slowest, (found[0], method, number))
                    if other is None:
                        continue
                    word = losses[method].note(number, found[1], other[1])
                    if asked.higher and word == "higher":
                        pair = f"{found[1]:.12g} against {other[1]:.12g}"
                        print(f"table {number}, {method}, seed {seed}: {pair}", flush=True)
            if tables % 50 == 0:
                print(f"{tables} tables, {runs} runs", flush=True)
        ours.end()
        if theirs is not None:
            theirs.end()
    print(f"tables {asked.first} to {asked.first + tables - 1}: ", end="")
    print(f"{runs} runs, {sum(beyond.values())} beyond {asked.limit} s {dict(beyond) or ''}")
    print(f"slowest: {slowest[0]:.2f} s, {slowest[1]} on table {slowest[2]}")
    if asked.against:
        count = sum(beyond_theirs.values())
        print(f"beyond {asked.other_limit} s with the other version: {count} {dict(beyond_theirs)}")
        every = Counter()
        for method in methods:
            every += losses[method].counts
            print(f"{method}: {losses[method]}")
        print(f"loss beside the other version: {dict(every)}")
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
