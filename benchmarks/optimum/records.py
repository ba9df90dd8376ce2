"""Records: the best partitions of the reference tables that are known, and files that prove it.

    make bench-records                                     the records as they are kept
    make bench-records ARGS="--run --seconds 60 --seeds 5" look for better ones, all cells
    make bench-records ARGS="--run --cells Census:3,EIA-10:5 --write FOLDER"
    make bench-records ARGS="--dive --cells Census:4,Census:5 --seconds 600"
    make bench-records ARGS="--check FOLDER/Census-3.csv --cell Census:3"

A record is kept in results/records.json: SSE, information loss, a hash of the groups, the highest
bound proved, seconds, seed and version (seed -1: `--dive`, from the relaxation with all its cuts,
without a seed). `--write` leaves the partition as a CSV file of one column,
`group`, one line for each record in the table's order; `--check` computes everything anew from such
a file of anybody's making. Partitions are not kept here: with the centroids they would tell the
reference data, which are not ours to give.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import math
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

import coterie
from benchmarks.measured import DIGITS, by_processor, machine, shown
from benchmarks.measured import RESULTS as SHEETS
from benchmarks.optimum.diving import dive
from benchmarks.optimum.published import PUBLISHED
from benchmarks.search import tables
from coterie.errors import CoterieError, DataError
from coterie.numbers.renumber import renumber
from coterie.partitioning.core import Outcome
from coterie.partitioning.driver import Run
from coterie.partitioning.exact.beginning import cost_of, first_outcome
from coterie.partitioning.exact.bounding import raise_bound
from coterie.partitioning.exact.relaxation import Relaxation
from coterie.partitioning.problem import Problem

RESULTS = Path(__file__).parent / "results" / "records.json"
PAGE = Path(__file__).parents[2] / "docs" / "measured" / "records.md"
NAMES = {"EIA-10": "EIA, ten attributes", "EIA": "EIA, eleven attributes"}
BOUNDING = 0.75  # of the seconds of a dive: for the bound before it
SAME = 1e-9  # relative: two SSE of one partition, summed on different machines

HEAD = """# Records

Made by `make bench-records` from `benchmarks/optimum/results/records.json`; not written by hand.
The best partition of each reference table that `optimize` has found so far, its columns
standardized. *Groups* are their number and the hash of the partition: the first 12 digits of the
SHA-256 of its labels, numbered by first appearance, as text between commas. *No partition is below*
is the highest bound that a run has proved, or [bounds alone](bounds.md), rounded down; *within* is
how far the record can be from the optimum at most, rounded up. Seconds are the time limit of the
run that found it.

A file of your own, one line a record in the table's order under the heading `group`, is checked by
`make bench-records ARGS="--check FILE --cell Census:3"`: group sizes, SSE, hash, beside the record.
Groups may be named by anything. A file that is no partition of the table is refused in one line.
"""


@dataclass(frozen=True)
class Record:
    """The best partition known of one table and k."""

    table: str
    k: int
    sse: float
    percent: float
    groups: int
    hash: str
    bound: float | None  # percent
    seconds: float
    workers: int
    seed: int
    version: str
    date: str
    machine: str

    @property
    def name(self) -> str:
        """As on the command line."""
        return f"{self.table}:{self.k}"

    @property
    def gap(self) -> float | None:
        """Percent by which it may lie above the optimum."""
        return None if self.bound is None else max(0.0, 100.0 * (1.0 - self.bound / self.percent))


def groups_hash(labels) -> str:
    """The same for the same groups, however they are numbered."""
    _, first, inverse = np.unique(np.asarray(labels), return_index=True, return_inverse=True)
    number = np.argsort(np.argsort(first))
    text = ",".join(map(str, number[inverse].tolist()))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:12]


def kept(path: Path = RESULTS) -> dict[str, Record]:
    """The records by cell."""
    if not path.exists():
        return {}
    made = (Record(**one) for one in json.loads(path.read_text(encoding="utf-8")))
    return {record.name: record for record in made}


def proved(path: Path = SHEETS / "bounds.json") -> dict[str, float]:
    """The bounds of `make bench-exact.bounds` by cell, in percent."""
    if not path.exists():
        return {}
    (found,) = json.loads(path.read_text(encoding="utf-8"))["tables"]
    table, k, bound = (list(found["columns"]).index(name) for name in ("table", "k", "bound"))
    return {f"{row[table]}:{row[k]}": row[bound] * (1 - DIGITS) for row in found["rows"]}


def best_known(table: str, k: int) -> float:
    """The least loss known, in percent: ours, or the best published, of which two decimals are."""
    return min(kept()[f"{table}:{k}"].percent, PUBLISHED[table, k] + 0.005)


def keep(records: Mapping[str, Record], path: Path = RESULTS) -> None:
    """Write the records, in the order of the published cells."""
    order = [f"{table}:{k}" for table, k in PUBLISHED]
    ranked = sorted(records.values(), key=lambda one: order.index(one.name))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps([asdict(r) for r in ranked], indent=1) + "\n", encoding="utf-8")


def better(old: Record | None, new: Record) -> Record:
    """The lower SSE with all that belongs to it, and the higher bound of the two."""
    if old is None:
        return new
    bounds = [one.bound for one in (old, new) if one.bound is not None]
    best = new if new.sse < old.sse * (1 - SAME) else old
    return replace(best, bound=max(bounds, default=None))


def record_of(table: str, p, limit: float, workers: int, seed: int) -> Record:
    """What is kept of a partition."""
    bound = None if p.lower_bound is None else 100.0 * p.lower_bound / p.sst
    return Record(
        table=table,
        k=p.k,
        sse=round(p.sse, 6),
        percent=round(p.information_loss, 6),
        groups=len(p.sizes),
        hash=groups_hash(p.labels),
        bound=None if bound is None else float(np.floor(bound * 1e6) / 1e6),
        seconds=limit,
        workers=workers,
        seed=seed,
        version=coterie.__version__,
        date=time.strftime("%Y-%m-%d"),
        machine=machine(),
    )


def note(table: str, p, limit: float, workers: int, seed: int) -> tuple[Record, Record]:
    """Keep a partition if it is better than the record: what it is, and the record now."""
    known = kept()
    new = record_of(table, p, limit, workers, seed)
    known[new.name] = better(known.get(new.name), new)
    keep(known)
    return new, known[new.name]


def write() -> None:
    """Make the page anew."""
    PAGE.write_text(page(kept(), proved()), encoding="utf-8")


def write_labels(path: Path, labels) -> None:
    """A partition as a file that anybody can check."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["group"])
        writer.writerows([label] for label in np.asarray(labels).tolist())


def read_labels(path: Path) -> np.ndarray:
    """The labels of a file: its column `group`, whatever stands there."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file)
            if "group" not in (reader.fieldnames or ()):
                raise DataError(f"{path}: must have a column 'group'. Got {reader.fieldnames}.")
            names = [row["group"] for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path}: must be a CSV file in UTF-8. Got {error}.") from error
    for number, name in enumerate(names, 1):
        if not name:
            raise DataError(f"{path}: every record must have a group. Record {number} has none.")
    return renumber(np.array(names, dtype=str))


def check(path: Path, cell: str, X, known: Mapping[str, Record]) -> str:
    """What a partition file comes to, beside the record; a sentence."""
    labels = read_labels(path)
    if len(labels) != len(X):
        raise DataError(f"{path}: must have {len(X)} lines below its heading. Got {len(labels)}.")
    k = int(cell.partition(":")[2])
    smallest = int(np.bincount(labels).min())
    if smallest < k:
        raise DataError(f"{path}: every group must have {k} records. Got one of {smallest}.")
    p = coterie.Partition.from_labels(X, labels, k)
    made = groups_hash(labels)
    told = f"{cell}: SSE {p.sse:.6f}, {p.information_loss:.6f} %, {len(p.sizes)} groups, {made}"
    record = known.get(cell)
    if record is None:
        return told + "; no record is kept"
    if made == record.hash:
        return told + "; the groups of the record"
    if p.sse < record.sse * (1 - SAME):
        return told + f"; BETTER than the record's SSE {record.sse:.6f}"
    same = p.sse <= record.sse * (1 + SAME)
    return told + f"; {'as good as' if same else 'above'} the record's SSE {record.sse:.6f}"


def checked(path: Path, cell: str | None) -> str:
    """The same by the reference table that `cell` names."""
    cells = [f"{table}:{k}" for table, k in PUBLISHED]
    if cell not in cells:
        raise DataError(f"--cell must be one of {', '.join(cells)}. Got {cell}.")
    return check(path, cell, tables()[cell.partition(":")[0]], kept())


def page(known: Mapping[str, Record], bounds: Mapping[str, float]) -> str:
    """The page as text: the higher of a record's own bound and that of `bounds`."""
    lines = [
        HEAD,
        "| | information loss, % | SSE | groups | best published | no partition is below | within "
        "| seconds, workers | seed | version, date, machine |",
        "|" + " --- |" * 10,
    ]
    for (table, k), published in PUBLISHED.items():
        name = f"{NAMES.get(table, table)}, k = {k}"
        one = known.get(f"{table}:{k}")
        if one is None:
            lines.append(f"| {name} | not run |  |  | {published:.2f} |  |  |  |  |  |")
            continue
        both = [bound for bound in (one.bound, bounds.get(one.name)) if bound is not None]
        one = replace(one, bound=max(both, default=None))
        # Rounded to the nearest, it might not be proved.
        bound = "" if one.bound is None else f"{math.floor(one.bound * 1e4 + 1e-6) / 1e4:.4f}"
        gap = "" if one.gap is None else f"{shown(one.gap, '.2f up')} %"
        lines.append(
            f"| {name} | {one.percent:.4f} | {one.sse:.4f} | {one.groups}, `{one.hash}` "
            f"| {published:.2f} | {bound} | {gap} | {one.seconds:g}, {one.workers} | {one.seed} "
            f"| {one.version}, {one.date}, {one.machine} |"
        )
    reached = sum(round(one.percent, 2) <= PUBLISHED[one.table, one.k] for one in known.values())
    lines += ["", f"{reached} of {len(PUBLISHED)} are at or below the best published, rounded."]
    return "\n".join(lines) + "\n"


def search(args) -> None:
    """Look for better partitions, cell by cell; what is found is kept at once."""
    data = tables()
    for cell in args.cells.split(",") if args.cells else [f"{t}:{k}" for t, k in PUBLISHED]:
        table, _, k = cell.partition(":")
        for seed in range(args.first, args.first + args.seeds):
            p = coterie.partition(
                data[table],
                int(k),
                "optimize",
                time_limit=args.seconds,
                random_state=seed,
                workers=args.workers,
            )
            new, record = note(table, p, args.seconds, args.workers, seed)
            said = "record" if record.hash == new.hash else f"record {record.percent:.4f}"
            print(f"{cell:>12} seed {seed}: {p.information_loss:.4f} %, {said}", flush=True)
            if args.write and record.hash == new.hash:
                write_labels(Path(args.write) / f"{table}-{k}.csv", p.labels)


def dive_of(X, k: int, limit: float, workers: int):
    """The partition that the relaxation with all its cuts leads to, with the bound; None if none.

    The bound gets three quarters of the seconds.
    """
    problem = Problem.of(X, k, "records")
    run = Run(time_limit=limit, workers=workers)
    with run.counting():
        relaxation = Relaxation(problem, first_outcome(problem, run).labels)
        with run.within(BOUNDING * limit):
            raise_bound(relaxation, run)
        labels = dive(relaxation, run)
    if labels is None:
        return None
    bound = min(relaxation.bound, cost_of(problem, labels))
    return coterie.Partition.of(problem, Outcome(labels, lower_bound=bound))


def dive_all(args) -> None:
    """Dive for better partitions, cell by cell; what is found is kept at once."""
    data = tables()
    for cell in args.cells.split(",") if args.cells else [f"{t}:{k}" for t, k in PUBLISHED]:
        table, _, k = cell.partition(":")
        p = dive_of(data[table], int(k), args.seconds, args.workers)
        if p is None:
            print(f"{cell:>12} dive: no partition", flush=True)
            continue
        new, record = note(table, p, args.seconds, args.workers, -1)
        said = "record" if record.hash == new.hash else f"record {record.percent:.4f}"
        print(f"{cell:>12} dive: {new.percent:.4f} %, bound {new.bound:.4f} %, {said}", flush=True)
        if args.write and record.hash == new.hash:
            write_labels(Path(args.write) / f"{table}-{k}.csv", p.labels)


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--run", action="store_true", help="search for better ones")
    parser.add_argument("--dive", action="store_true", help="dive for better ones")
    parser.add_argument("--processor", action="store_true", help="count processor seconds")
    parser.add_argument("--cells", help="for example Census:3,EIA-10:5; all by default")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--write", help="leave partitions of records in this folder")
    parser.add_argument("--check", type=Path, help="check this partition file")
    parser.add_argument("--cell", help="what it is a partition of, for example Census:3")
    args = parser.parse_args(arguments)
    if args.check:
        try:
            print(checked(args.check, args.cell))
        except CoterieError as error:
            print(error, file=sys.stderr)
            return 2
        return 0
    if args.processor:
        by_processor()
    if args.run:
        search(args)
    if args.dive:
        dive_all(args)
    write()
    print(f"written: {PAGE.relative_to(Path.cwd()) if PAGE.is_relative_to(Path.cwd()) else PAGE}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
