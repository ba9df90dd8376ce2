"""Parts of the comparison and what they found: a file each, so that a long run can be resumed."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmarks.measured import stamp

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Cell:
    """One printed figure beside ours.

    `digits` is how many decimals are printed. `kind` is ``"figure"``; where only the order of
    magnitude can be compared, ``"seconds"`` (theirs are of another machine), ``"spread"`` (a
    standard deviation over other simulated tables) or ``"claim"``; ``"stand-in"`` where the table
    is ours in place of one that was not published; ``"reading"`` for how far a reading of a text is
    from its figures, which is no figure of theirs and not counted. `error` is how far theirs may
    be from the mean over all tables by their draw alone: the standard error of as many simulated
    tables as they took, 0 where the table is the published one.
    """

    row: str
    column: str
    theirs: float
    ours: float
    digits: int = 2
    kind: str = "figure"
    error: float = 0.0

    @property
    def percent(self) -> float:
        """Ours minus theirs in percent of theirs."""
        return 0.0 if self.ours == self.theirs else 100.0 * (self.ours / self.theirs - 1.0)

    @property
    def same(self) -> bool:
        """Agreement in every printed digit."""
        return round(self.ours, self.digits) == round(self.theirs, self.digits)


@dataclass(frozen=True)
class Part:
    """Some cells that are computed together: `compute` yields them and may tell its effort.

    `answers` is the number of cells, so that a part not yet run is counted as such.
    """

    name: str
    table: str
    answers: int
    compute: Callable[[], Iterator[Cell]]
    effort: str = ""


@dataclass(frozen=True)
class Many:
    """How many tables, runs or starts, and that in words."""

    count: int
    words: str


@dataclass(frozen=True)
class Effort:
    """All that a publication did; with `quick` some of it, or not more than `most` of anything."""

    quick: bool = False
    most: int | None = None
    iterations: int = 5000  # of an iterated search, as in Bierman (2020)

    def of(self, whole: int, some: int, what: str) -> Many:
        """As many as they took, or some."""
        count = some if self.quick else whole
        count = count if self.most is None else min(whole, self.most)
        return Many(count, f"{count:,} {what}")

    @property
    def shortened(self) -> str:
        """What is to be said of the iterations, if they are fewer."""
        return "" if self.iterations == 5000 else f" of {self.iterations:,} iterations"


@dataclass(frozen=True)
class Result:
    """What a part found, with its seconds and its effort in words."""

    name: str
    effort: str
    seconds: float
    cells: list[Cell] = field(default_factory=list)
    version: str = ""
    python: str = ""
    machine: str = ""
    date: str = ""

    @classmethod
    def of(cls, part: Part) -> Result:
        """Run a part."""
        began = time.process_time()
        cells = list(part.compute())
        counted = sum(cell.kind != "reading" for cell in cells)
        if counted != part.answers:
            raise SystemExit(f"{part.name} gave {counted} cells, {part.answers} are declared")
        named = {name: value for name, value in stamp().items() if name != "seconds"}
        return cls(part.name, part.effort, time.process_time() - began, cells, **named)

    @classmethod
    def kept(cls, name: str, folder: Path = RESULTS) -> Result | None:
        """The result of an earlier run, or None."""
        path = folder / f"{name}.json"
        if not path.exists():
            return None
        read = json.loads(path.read_text(encoding="utf-8"))
        return cls(**{**read, "cells": [Cell(**cell) for cell in read["cells"]]})

    def keep(self, folder: Path = RESULTS) -> None:
        """Write the result beside its target, then rename it: a part is there or not."""
        folder.mkdir(exist_ok=True)
        path = folder / f"{self.name}.json"
        rough = path.with_suffix(".part")
        text = asdict(self) | {"seconds": round(self.seconds, 2)}
        text["cells"] = [_short(cell) for cell in text["cells"]]
        lines = json.dumps(text, indent=None).replace('{"row"', '\n{"row"')
        rough.write_text(lines + "\n", encoding="utf-8")
        rough.replace(path)


def _short(cell: dict) -> dict:
    """A cell as it is written: to twelve digits, and without an error that is nought."""
    error = {"error": float(f"{cell.pop('error'):.4g}")}
    short = cell | {"ours": float(f"{cell['ours']:.12g}")}
    return short | error if error["error"] else short


@dataclass(frozen=True)
class Silent:
    """Printed figures that cannot be answered, and why."""

    paper: str
    table: str
    cells: int
    why: str
