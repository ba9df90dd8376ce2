"""``make faults``: kills, limits and concurrent writers on the command line of coterie.

    make faults SEED=1 COUNT=200
    python3 dev.py faults --seed 1 --count 16 --kinds kills --engines stdin,tiles

Prints what was tried and found; cases with a finding are kept in a folder. Linux only.
"""

from __future__ import annotations

import argparse
import random
import resource
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.faults import job, kills, limits, writers

KINDS = ("kills", "memory", "disk", "read-only", "writers")
EVERY = {"memory": 10, "disk": 10, "read-only": 25, "writers": 20}  # kills for one of these


def main() -> int:
    """Run the cases asked for; 1 if one of them has a finding."""
    parser = argparse.ArgumentParser(prog="faults", description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200, help="kills; other cases by share")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--engines", default=",".join(job.ENGINES), help="of the kills")
    parser.add_argument("--keep", type=Path, default=job.ROOT / "faults-found")
    asked = parser.parse_args()
    if sys.platform != "linux":
        parser.error("faults needs Linux: it asks /proc which processes are left")
    kinds, engines = asked.kinds.split(","), tuple(asked.engines.split(","))
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="coterie-faults-") as name:
        run = Run(Path(name), asked.keep)
        print(f"seed {asked.seed}, cases {asked.count}; findings go to {asked.keep}", flush=True)
        wanted = {*(engines if "kills" in kinds else ())}
        wanted |= {*(limits.ENGINES if {"memory", "disk"} & {*kinds} else ())}
        known = {e: kills.learned(run.folder, run.inputs, e) for e in sorted(wanted)}
        if "kills" in kinds:
            run.kills(kills.drawn(asked.seed, asked.count, engines), known)
        for kind, function in (
            ("memory", limits.memory),
            ("disk", limits.disk),
            ("read-only", limits.read_only),
        ):
            if kind in kinds:
                run.others(kind, function, asked, known)
        if "writers" in kinds:
            alone = writers.references(run.folder / "alone", run.inputs)
            run.others("writers", writers.together, asked, alone)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"{run.tried} cases in {time.monotonic() - began:.0f} s "
        f"({used.ru_utime + used.ru_stime:.0f} s of processors); findings: {run.findings}"
    )
    return 1 if run.findings else 0


class Run:
    """The cases of one command, and what was found."""

    def __init__(self, folder: Path, keep: Path) -> None:
        self.folder, self.keep = folder, keep
        self.inputs = folder / "inputs"
        self.inputs.mkdir()
        job.table(self.inputs)
        self.tried = self.findings = 0

    def kills(self, cases: list[kills.Kill], known: dict[str, kills.Known]) -> None:
        """Kill by kill, then a line for each engine and signal."""
        counts: dict[tuple[str, str], Counter[str]] = {}
        try:
            for case in cases:
                if case.number and case.number % 10 == 0:
                    print(f"{case.number} kills, findings {self.findings}", flush=True)
                place = self.folder / f"kill-{case.number}"
                found = kills.attempt(case, place, self.inputs, known[case.engine])
                self._note(str(case), place, found.problems)
                line = counts.setdefault((case.engine, case.signal.name), Counter())
                line.update(
                    kills=1,
                    ended=int(found.code != 0),
                    on_disk=int(found.hit),
                    torn=int(found.torn),
                    left=int(bool(found.left)),
                )
        except KeyboardInterrupt:
            print("interrupted; so far:")
        print(f"{'engine':8}{'signal':9}{'kills':>6}{'ended':>7}{'with files':>12}", end="")
        print(f"{'torn':>6}{'left behind':>13}")
        for (engine, name), line in sorted(counts.items()):
            print(
                f"{engine:8}{name:9}{line['kills']:6}{line['ended']:7}{line['on_disk']:12}"
                f"{line['torn']:6}{line['left']:13}"
            )
        total = sum(counts.values(), Counter[str]())
        print(f"{'all':17}{total['kills']:6}{total['ended']:7}{total['on_disk']:12}", end="")
        print(f"{total['torn']:6}{total['left']:13}", flush=True)

    def others(self, kind: str, function: Callable[..., list[str]], asked: Any, known: Any) -> None:
        """Cases of another kind, each drawn by the seed and its number."""
        many = max(1, asked.count // EVERY[kind])
        before = self.findings
        for number in range(many):
            place = self.folder / f"case-of-{kind}-{number}"
            place.mkdir()
            draw = random.Random(f"{asked.seed} {kind} {number}")
            try:
                problems = function(draw, place, self.inputs, known)
            except limits.NotHere as reason:
                print(f"{kind}: left out: {reason}", flush=True)
                return
            case = place / "case.txt"
            told = case.read_text().strip() if case.exists() else ""
            self._note(f"{kind} {number}: {told}", place, problems)
        print(f"{kind}: {many} cases, findings {self.findings - before}", flush=True)

    def _note(self, case: str, place: Path, problems: list[str]) -> None:
        self.tried += 1
        if problems:
            self.findings += 1
            text = f"{case}\n" + "\n".join(problems) + "\n"
            print(f"FOUND {case}: {'; '.join(problems)}", flush=True)
            self.keep.mkdir(exist_ok=True)
            kept = self.keep / f"{int(time.time())}-{place.name}"
            shutil.copytree(place, kept, symlinks=True, ignore_dangling_symlinks=True)
            (kept / "found.txt").write_text(text)
        shutil.rmtree(place, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
