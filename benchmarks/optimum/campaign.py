"""`optimize` in every published cell, seed by seed: how often it is at or below the published loss.

    make bench-campaign ARGS="--processor"                    all cells, 20 and 60 s, five seeds
    make bench-campaign ARGS="--processor --seconds 20 --seeds 1"
    make bench-campaign ARGS="--processor --cells Tarragona:4,Census:4 --others"
    make bench-campaign ARGS="--page"                         the page anew, from what is kept

A whole campaign takes hours, so every run is kept as it ends (results/campaign.json), and one that
was kept is not made again: a run is known by cell, limit, seed, workers, clock and a hash of the
search's source. With `--others` runs of another source count, too.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import statistics
from dataclasses import asdict, dataclass
from pathlib import Path

import coterie
from benchmarks.measured import ROOT, by_processor, page, stamp
from benchmarks.optimum import records
from benchmarks.optimum.published import PUBLISHED
from benchmarks.search import tables

RESULTS = Path(__file__).parent / "results" / "campaign.json"
PAGE = ROOT / "docs" / "measured" / "campaign.md"
SOURCES = ("partitioning", "kernels")  # whose change makes another search
ABOUT = """[`optimize`](../explanation/optimizer.md) on standardized reference tables, several seeds
for each cell and limit, beside the best published loss. A run is *at or below* it if its loss,
rounded to the two decimals that are published, is not above it; *slowest* is when the last seed to
get there did so, in seconds. Losses are in percent."""
COLUMNS = {
    "table": "",
    "k": "",
    "published": ".2f",
    "worst": ".4f",
    "median": ".4f",
    "best": ".4f",
    "at or below": "",
    "slowest": ".1f",
}


@dataclass(frozen=True)
class Kept:
    """One run of one cell: what it came to, and when it was at or below the published loss."""

    table: str
    k: int
    limit: float
    seed: int
    workers: int
    clock: str
    source: str
    percent: float
    reached: float | None
    bound: float | None
    version: str
    python: str
    machine: str
    date: str
    seconds: float

    @property
    def place(self) -> tuple:
        """What it is a run of: the newest one stays."""
        return self.table, self.k, self.limit, self.seed, self.workers, self.clock


def source_hash(folder: Path = ROOT / "src" / "coterie") -> str:
    """Of the rooms that decide what a search does."""
    digest = hashlib.sha256()
    for room in SOURCES:
        for path in sorted((folder / room).rglob("*.py")):
            digest.update(f"\0{path.relative_to(folder).as_posix()}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def kept(path: Path = RESULTS) -> dict[tuple, Kept]:
    """The runs by what they are runs of."""
    if not path.exists():
        return {}
    runs = (Kept(**one) for one in json.loads(path.read_text(encoding="utf-8")))
    return {one.place: one for one in runs}


def keep(run: Kept, path: Path = RESULTS) -> None:
    """Add a run to those that are kept, or put it in place of an older one."""
    runs = {**kept(path), run.place: run}
    order = list(PUBLISHED)
    ranked = sorted(
        runs.values(), key=lambda one: (one.limit, order.index((one.table, one.k)), one.seed)
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(asdict(one)) for one in ranked)
    rough = path.with_suffix(".part")
    rough.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    rough.replace(path)


def at_or_below(percent: float, published: float) -> bool:
    """Whether a loss is not above a published one, in its two decimals."""
    return round(percent, 2) <= published


def reached(p, published: float) -> float | None:
    """When a search first was at or below a published loss."""
    for point in p.trace:
        if at_or_below(100.0 * point.sse / p.sst, published):
            return round(point.seconds, 2)
    return None


def run(X, table: str, k: int, limit: float, seed: int, workers: int, clock: str) -> Kept:
    """One run, kept, and its partition noted where it is a record."""
    p = coterie.partition(X, k, "optimize", time_limit=limit, random_state=seed, workers=workers)
    new, _ = records.note(table, p, limit, workers, seed)
    made = Kept(
        table=table,
        k=k,
        limit=limit,
        seed=seed,
        workers=workers,
        clock=clock,
        source=source_hash(),
        percent=new.percent,
        reached=reached(p, PUBLISHED[table, k]),
        bound=new.bound,
        **{**stamp(), "seconds": round(p.runtime, 1)},
    )
    keep(made)
    return made


def cells_of(runs: list[Kept]) -> list[list]:
    """A row for each cell, the seeds together."""
    rows = []
    for (table, k), published in PUBLISHED.items():
        mine = [one for one in runs if (one.table, one.k) == (table, k)]
        if not mine:
            continue
        losses = [one.percent for one in mine]
        there = [one for one in mine if at_or_below(one.percent, published)]
        slowest = max((one.reached for one in there if one.reached is not None), default=None)
        of = f"{len(there)} of {len(mine)}"
        row = [table, k, published, max(losses), statistics.median(losses), min(losses)]
        rows.append([*row, of, slowest])
    return rows


def text(runs: dict[tuple, Kept]) -> str:
    """The page, a table for each limit; it names the newest of the runs."""
    by_limit: dict[tuple, list[Kept]] = {}
    for one in runs.values():
        by_limit.setdefault((one.limit, one.clock, one.workers), []).append(one)
    found = []
    for (limit, clock, workers), some in sorted(by_limit.items()):
        rows = cells_of(some)
        whole = sum(row[6].split(" of ")[0] == row[6].split(" of ")[1] for row in rows)
        hits = sum(int(row[6].split(" of ")[0]) for row in rows)
        sources = len({one.source for one in some})
        told = (
            f"{whole} of {len(rows)} cells are at or below the published loss with every seed that "
            f"was run; {hits} of {len(some)} runs are."
        )
        if sources > 1:
            told += f" The runs were made by {sources} states of the source."
        title = f"{limit:g} {clock} seconds, workers: {workers}"
        found.append({"title": title, "columns": COLUMNS, "text": told, "rows": rows})
    newest = max(runs.values(), key=lambda one: one.date)
    return page(
        {
            **asdict(newest),
            "seconds": sum(one.seconds for one in runs.values()),
            "title": "The published losses, seed by seed",
            "about": " ".join(ABOUT.split()),
            "command": 'make bench-campaign ARGS="--processor"',
            "file": "benchmarks/optimum/results/campaign.json",
            "pictures": {},
            "tables": found,
        }
    )


def write() -> None:
    """Make the page anew."""
    PAGE.write_text(text(kept()), encoding="utf-8")
    records.write()


def main(arguments=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--cells", help="for example Census:3,EIA-10:5; all by default")
    parser.add_argument("--seconds", type=float, nargs="*", default=[20.0, 60.0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first", type=int, default=0, help="first seed")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--processor", action="store_true", help="count processor seconds")
    parser.add_argument("--others", action="store_true", help="runs of other sources are done")
    parser.add_argument("--page", action="store_true", help="the page alone")
    args = parser.parse_args(arguments)
    if args.page:
        write()
        return
    if args.processor:
        by_processor()
    clock = "processor" if args.processor else "clock"
    data = tables()
    source = source_hash()
    for k in (3, 6):  # compile: a time limit does not count it
        coterie.partition(data["Census"][:80], k, "optimize", random_state=0, time_limit=1.0)
    wanted = args.cells.split(",") if args.cells else [f"{t}:{k}" for t, k in PUBLISHED]
    for seed in range(args.first, args.first + args.seeds):
        for limit in args.seconds:
            for cell in wanted:
                table, _, number = cell.partition(":")
                k = int(number)
                done = kept().get((table, k, limit, seed, args.workers, clock))
                if done is not None and (args.others or done.source == source):
                    continue
                made = run(data[table], table, k, limit, seed, args.workers, clock)
                published = PUBLISHED[table, k]
                when = "" if made.reached is None else f", there after {made.reached:.1f} s"
                miss = "" if at_or_below(made.percent, published) else "  ABOVE"
                print(
                    f"{cell:>12} {limit:g} s, seed {seed}: {made.percent:.4f} "
                    f"({published:.2f}{when}){miss}",
                    flush=True,
                )
                write()


if __name__ == "__main__":
    main()
