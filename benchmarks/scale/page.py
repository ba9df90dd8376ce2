"""The page docs/measured/scale.md, made from the kept results alone."""

from __future__ import annotations

import os
import statistics
from pathlib import Path

from benchmarks.meaning import store
from benchmarks.measured import stamped

__all__ = ["keep", "kept", "make", "text"]

RESULTS = Path(__file__).parent / "results"
PAGE = Path(__file__).parents[2] / "docs" / "measured" / "scale.md"

HEAD = """# Tables that no memory holds, measured

Made by `make bench-scale` from `benchmarks/scale/results`; not written by hand. Normal numbers in
ten keys and a confidential column, Parquet, k = 5, `mdav` in tiles of 50,000, on a machine that did
other things as well: compare seconds of processors. Memory is the peak of each process that held
more than 60 MB, seen from outside.
"""
NAMES = {
    "here": "one process",
    "dask": "Dask, two workers",
    "spark": "Spark, local[2]",
    "before, here": "one process, before",
    "before, dask": "Dask, two workers, before",
}


def keep(name, found):
    """Write what a benchmark found."""
    store.keep(name, {"cores": os.cpu_count(), **found}, RESULTS)


def kept(name, folder=RESULTS):
    """What a benchmark found when it was last run, or None."""
    return store.kept(name, folder)


def cells(rows):
    """Rows as a table, the first one above the line."""
    head, *rest = [[str(cell) for cell in row] for row in rows]
    lines = [head, ["---"] * len(head), *rest]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def memory(run):
    """The peaks of a run's processes, the largest first."""
    found = sorted(run["peaks"], key=lambda one: -one[1])
    return ", ".join(f"{'Java ' if name == 'java' else ''}{mb:.0f}" for name, mb in found)


def engines(found):
    """Every engine beside the others, and beside another state."""
    rows = [["", "seconds", "of processors", "peak MB of each process", "values"]]
    for name, title in NAMES.items():
        runs = found["runs"].get(name, [])
        if runs:
            middle = sorted(runs, key=lambda run: run["busy"])[len(runs) // 2]
            spread = [statistics.median(run[figure] for run in runs) for figure in FIGURES]
            same = "equal" if all(run["equal"] for run in runs) else "DIFFERENT"
            rows.append([title, *(f"{one:.1f}" for one in spread), memory(middle), same])
    one = found["runs"]["here"][0]
    note = f"{found['note']}. " if "note" in found else ""
    many = max(len(runs) for runs in found["runs"].values())
    return (
        f"{found['records']:,} records, {found['bytes'] / 2**20:.0f} MB in 20 parts; "
        f"{found['cores']} cores; {f'medians of {many} runs' if many > 1 else 'one run'}. "
        f"{note}{one['loss']:.4f} % lost; {one['proof']}\n\n{cells(rows)}"
    )


def limit(found):
    """One process with less memory than the table takes."""
    run = found["run"]
    said = {"RLIMIT_AS": "address space (`ulimit -v`)", "RLIMIT_DATA": "data (`RLIMIT_DATA`)"}
    limits = " and ".join(f"{gb / 2**30:g} GB of {said[n]}" for n, gb in found["limits"].items())
    stages = ", ".join(f"{name} {took:.0f} s" for name, took in run["stages"].items())
    return (
        f"{found['records']:,} records, {found['held'] / 2**30:.2f} GB as numbers in memory, "
        f"{found['bytes'] / 2**30:.2f} GB in Parquet, in one process that may have {limits}: "
        f"{run['seconds']:.0f} s, {run['busy']:.0f} s of processors, peak {memory(run)} MB; its "
        f"report ({found['page'] / 1000:.0f} kB) took {run['report']:.1f} s more. "
        f"{run['loss']:.4f} % lost; {run['proof']}\n\nBy stage: {stages}."
    )


def growth(found):
    """What grows with the table, and what does not."""
    names = list(found["runs"][0]["stages"])
    rows = [["records", "seconds of processors", "peak MB", *names, "report"]]
    for run in found["runs"]:
        took = [f"{run['stages'][name]:.1f}" for name in names]
        rows.append(
            [
                f"{run['records']:,}",
                f"{run['busy']:.1f}",
                memory(run),
                *took,
                f"{run['report']:.1f}",
            ]
        )
    return f"One process; stages in seconds by the clock.\n\n{cells(rows)}"


def sources(found):
    """Lazy tables of other libraries."""
    names = {"dataset": "PyArrow dataset", "polars": "Polars lazy frame", "duckdb": "DuckDB"}
    rows = [["", "records", "parts", "seconds of processors", "peak MB"]]
    for row in found["rows"]:
        figures = (f"{row['busy']:.1f}", f"{row['peak']:.0f}")
        rows.append([names[row["kind"]], f"{row['records']:,}", row["parts"], *figures])
    return f"Streamed into parts, which is all that is done with them as such.\n\n{cells(rows)}"


FIGURES = ("seconds", "busy")
PARTS = {
    "engines": ("Every engine", engines),
    "limit": ("Within a memory limit, with a report", limit),
    "growth": ("What grows with the table", growth),
    "sources": ("Lazy tables", sources),
}


def text(folder=RESULTS):
    """The page."""
    made = [HEAD]
    for name, (title, write) in PARTS.items():
        found = kept(name, folder)
        if found is not None:
            made.append(f"\n## {title}\n\n{write(found)}\n\n{stamped(found)}.\n")
    return "".join(made)


def make():
    """Write the page."""
    PAGE.write_text(text(), encoding="utf-8")
