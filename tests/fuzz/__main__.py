"""``python -m tests.fuzz`` (``make fuzz``): random tables for a while, and what was found.

Prints how many cases of each kind and format were tried and how they ended, and every finding once
with the file of a case that shows it. The exit code is 1 if anything was found.
"""

from __future__ import annotations

import argparse
import os
import secrets
import signal
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fuzz import cases
from tests.fuzz.watch import HANGS, ROOT, Worker

KEPT = 3  # files for findings that look alike
OUTCOMES = ("released", "refused", "found")


@dataclass
class Tally:
    """What was tried and found so far."""

    folder: Path
    kinds: list[str] | None
    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    formats: Counter[str] = field(default_factory=Counter)
    cpu: Counter[str] = field(default_factory=Counter)
    findings: dict[str, list[str]] = field(default_factory=dict)
    files: dict[str, list[str]] = field(default_factory=dict)

    @property
    def tried(self) -> int:
        """Cases so far."""
        return sum(self.outcomes.values())

    def take(self, said: dict[str, Any]) -> None:
        """What a worker tells of one case."""
        if "end" not in said:
            return
        lost = "kind" not in said  # with its worker: the case is made again from its seed
        case = cases.generate(said["end"], self.kinds) if lost else {}
        kind = case["kind"] if lost else said["kind"]
        self.outcomes[kind, said["outcome"]] += 1
        self.formats[said.get("what") or case.get("library") or case.get("format") or "csv"] += 1
        self.cpu[kind] += said["cpu"]
        for found in said["findings"]:
            known = found["signature"]
            if known not in self.findings:
                print(f"\n{said['end']}: {found['text'].splitlines()[0][:300]}", flush=True)
            self.findings.setdefault(known, []).append(found["text"])
            if len(self.files.setdefault(known, [])) < KEPT:
                small = cases.read(found["case"]) if "case" in found else case
                if small:
                    self.keep(known, said["end"], small, found["text"])

    def keep(self, known: str, seed: str, case: cases.Case, text: str) -> None:
        """Write a case that shows a finding."""
        self.folder.mkdir(exist_ok=True)
        word = "".join(c if c.isalnum() else "-" for c in known)[:60].strip("-")
        path = self.folder / f"{word}-{seed}.case"
        cases.save(case, path, [text])
        self.files[known].append(os.path.relpath(path, ROOT))

    def table(self) -> str:
        """Counts by kind and by format, then the findings."""
        kinds = sorted({kind for kind, _ in self.outcomes}, key=lambda k: -self.count(k))
        head = f"{'kind':<10}{'tried':>9}" + "".join(f"{o:>10}" for o in OUTCOMES)
        lines = [head + f"{'ms CPU':>9}"]
        for kind in [*kinds, ""]:
            counts = [self.count(kind, outcome) for outcome in OUTCOMES]
            cpu = self.cpu[kind] if kind else sum(self.cpu.values())
            each = 1000 * cpu / max(1, sum(counts))
            lines.append(
                f"{kind or 'all':<10}{sum(counts):>9,}"
                + "".join(f"{c:>10,}" for c in counts)
                + f"{each:>9.1f}"
            )
        pairs = sorted(self.formats.items(), key=lambda pair: -pair[1])
        lines.append("by library or format: " + ", ".join(f"{n} {c:,}" for n, c in pairs))
        lines.append(f"findings: {sum(map(len, self.findings.values())):,}")
        for known, texts in sorted(self.findings.items(), key=lambda pair: -len(pair[1])):
            lines.append(f"  {len(texts):>6,}  {known}")
            lines.append(f"          {texts[0].splitlines()[0][:200]}")
            lines += [f"          {path}" for path in self.files.get(known, [])]
        return "\n".join(lines)

    def count(self, kind: str, outcome: str | None = None) -> int:
        """Cases of a kind, or of all if it is empty, that ended so."""
        return sum(
            n for (k, o), n in self.outcomes.items() if kind in ("", k) and outcome in (None, o)
        )


def again(path: Path) -> int:
    """Run one case from its file, with everything that it says."""
    from tests.fuzz.attempts import attempt

    made = attempt(cases.load(path))
    print(made.outcome, made.message)
    for found in made.findings:
        print(found)
    return 1 if made.findings else 0


def run(asked: argparse.Namespace) -> int:
    """Try cases until the time is over or so many are done."""
    kinds = asked.kinds.split(",") if asked.kinds else None
    tally = Tally(Path(asked.folder), kinds)
    workers = [
        Worker(asked.seed, asked.first + n, asked.workers, asked.kinds)
        for n in range(asked.workers)
    ]
    print(
        f"seed {asked.seed}, {asked.workers} worker(s), a case hangs after {HANGS:.0f} s",
        flush=True,
    )
    for one in (signal.SIGINT, signal.SIGTERM):  # what was tried is told, however it ends
        signal.signal(one, signal.default_int_handler)
    began = told = time.monotonic()
    start: float | None = None  # once all are warm
    warm = 0
    try:
        for worker in workers:
            worker.start()
        while start is None or (
            time.monotonic() - start < asked.seconds
            and (asked.cases is None or tally.tried < asked.cases)
        ):
            time.sleep(0.05)
            for worker in workers:
                for said in worker.news():
                    warm += "warm" in said
                    tally.take(said)
            if start is None and warm >= len(workers):
                start = time.monotonic()
                print(f"kernels loaded after {start - began:.0f} s", flush=True)
            if time.monotonic() - told > 30:
                told = time.monotonic()
                print(f"{tally.tried:,} cases, {len(tally.findings)} kinds of findings", flush=True)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    finally:
        for worker in workers:
            if worker.process is not None:
                worker.end()
    seconds = time.monotonic() - (start or began)
    spent = sum(tally.cpu.values())
    rate = tally.tried / max(spent, 1e-9)
    print(f"\n{tally.tried:,} cases in {seconds:,.0f} s, {rate:.1f} a CPU second")
    print(tally.table(), flush=True)
    return 1 if tally.findings else 0


def main() -> int:
    """Read the options and run."""
    options = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    options.add_argument("--seconds", type=float, default=60.0, help="how long (60)")
    options.add_argument("--seed", default=None, help="the same seed tries the same cases")
    options.add_argument("--first", type=int, default=0, help="number of the first case")
    options.add_argument("--cases", type=int, help="end after so many")
    options.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options.add_argument("--kinds", help=f"some of {', '.join(cases.NAMED)}")
    options.add_argument("--folder", default=str(ROOT / "fuzz-cases"), help="for cases that fail")
    options.add_argument("--case", help="run this file again")
    asked = options.parse_args()
    if asked.case:
        path = Path(asked.case)
        return again(path if path.exists() else Path(asked.folder) / path)
    unknown = [kind for kind in (asked.kinds or "").split(",") if kind and kind not in cases.NAMED]
    if unknown:
        options.error(f"no kind {unknown[0]!r}; known: {', '.join(cases.NAMED)}")
    asked.seed = asked.seed or secrets.token_hex(4)
    return run(asked)


if __name__ == "__main__":
    sys.exit(main())
