"""Large tables of Parquet parts: one process, two Dask workers, Spark local[2], a memory limit.

    make bench-scale ARGS="engines"                          5,000,000 x 10, every engine
    make bench-scale ARGS="engines --before PYTHON"          and another state, by its Python
    make bench-scale ARGS="limit --records 20000000"         one process with little memory, report
    make bench-scale ARGS="growth"                           what grows with the table
    make bench-scale ARGS="sources"                          lazy tables of other libraries
    make bench-scale ARGS="page"                             docs/measured/scale.md

Normal numbers in ten keys and a confidential column, k = 5, MDAV in tiles of 50,000. `--folder`
keeps the tables and releases, so that runs can be made one at a time (`--only here`). Processes are
watched from outside (tree.py): seconds of processors and the peak of each, Java's too.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.scale import page, source
from benchmarks.scale.tree import watch

KEYS = [f"x{i}" for i in range(10)]
ENGINES = {
    "here": {"engine": "tiles"},
    "dask": {"engine": "dask", "workers": 2},
    "spark": {"engine": "spark", "workers": 2},
}
GB = 1 << 30


def make(folder, records, parts=20):
    """Normal numbers and a confidential column, the same for any number of parts."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if folder.is_dir():
        return
    begun = folder.with_name(folder.name + ".begun")
    shutil.rmtree(begun, ignore_errors=True)
    begun.mkdir(parents=True)
    borders = np.linspace(0, records, parts + 1).astype(int)
    block = 1 << 16
    writer, part = None, -1
    for start in range(0, records, block):
        rng = np.random.default_rng([7, start])
        size = min(block, records - start)
        columns = {name: rng.normal(size=size) for name in KEYS}
        columns["spent"] = rng.integers(0, 1000, size)
        table = pa.table(columns)
        while table.num_rows:
            if start >= borders[part + 1]:
                part += 1
                if writer is not None:
                    writer.close()
                writer = pq.ParquetWriter(begun / f"part-{part}.parquet", table.schema)
            head = min(table.num_rows, borders[part + 1] - start)
            writer.write_table(table.slice(0, head))
            table, start = table.slice(head), start + head
    writer.close()
    begun.rename(folder)


def equal(one, other):
    """Whether two folders hold the same parts, value by value."""
    import pyarrow.parquet as pq

    names = sorted(p.name for p in one.iterdir())
    return names == sorted(p.name for p in other.iterdir()) and all(
        pq.read_table(one / name).equals(pq.read_table(other / name)) for name in names
    )


def run(title, folder, target, options, python=sys.executable, limits=None, report=None):
    """One job in processes of its own; prints and gives what it took."""
    shutil.rmtree(target, ignore_errors=True)
    told = target.with_name(target.name + ".json")
    asked = {
        "source": str(folder),
        "target": str(target),
        "keys": KEYS,
        "options": {"method": "mdav", "tile": 50_000, **options},
        "limits": limits or {},
        "report": None if report is None else str(report),
        "found": str(told),
    }
    script = Path(__file__).with_name("job.py")
    # The other state's Python must find its own package.
    env = {n: v for n, v in os.environ.items() if python == sys.executable or n != "PYTHONPATH"}
    seen = watch([str(python), str(script), json.dumps(asked)], cwd=target.parent, env=env)
    if seen.code:
        sys.exit(f"{title}: ended with code {seen.code}")
    found = {
        **json.loads(told.read_text(encoding="utf-8")),
        "title": title,
        "busy": seen.busy,
        "peaks": seen.peaks,
        "most": seen.most,
    }
    memory = ", ".join(f"{name} {mb:.0f}" for name, mb in found["peaks"])
    print(f"{title}: {found['seconds']:.1f} s, {seen.busy:.1f} s of processors; MB: {memory}")
    print("  " + ", ".join(f"{name} {took:.1f}" for name, took in found["stages"].items()))
    print(f"  IL {found['loss']:.6f} %; {found['proof']}", flush=True)
    return found


def engines(folder, records, before, only, rounds):
    """Every engine, and another state beside it; interleaved."""
    table = folder / f"table-{records}"
    make(table, records)
    jobs = [(name, name, sys.executable) for name in ENGINES]
    if before is not None:
        jobs += [(f"before, {name}", name, before) for name in ("here", "dask")]
    jobs = [job for job in jobs if only is None or job[0] in only]
    known = page.kept("engines") or {}
    runs = dict(known.get("runs", {})) if known.get("records") == records else {}
    for _ in range(rounds):
        for title, name, python in jobs:
            target = folder / f"released {title}".replace(", ", "-")
            found = run(title, table, target, ENGINES[name], python)
            same = True if title == "here" else equal(folder / "released here", target)
            print(f"  values equal to those of one process: {same}", flush=True)
            runs.setdefault(title, []).append({**found, "equal": same})
    size = sum(part.stat().st_size for part in table.iterdir())
    page.keep("engines", {"records": records, "bytes": size, "runs": runs})


def limit(folder, records, limits):
    """One process that may not have as much memory as the table would take, with a report."""
    table = folder / f"table-{records}"
    make(table, records, 80)
    found = run(
        f"{records:,} records within a limit",
        table,
        folder / "released-limit",
        ENGINES["here"],
        limits=limits,
        report=folder / "report.html",
    )
    size = sum(part.stat().st_size for part in table.iterdir())
    held = records * (len(KEYS) + 1) * 8
    report = (folder / "report.html").stat().st_size
    kept = {"records": records, "bytes": size, "held": held, "limits": limits, "page": report}
    page.keep("limit", {**kept, "run": found})


def growth(folder, sizes):
    """One process and larger and larger tables of parts that are as large."""
    runs = []
    for records in sizes:
        table = folder / f"table-{records}"
        make(table, records)
        report = folder / "report.html"
        runs.append(
            {
                "records": records,
                **run(f"{records:,}", table, folder / "grown", ENGINES["here"], report=report),
            }
        )
    page.keep("growth", {"runs": runs})


def sources(folder, sizes):
    """Lazy tables of other libraries, streamed into parts: what they take at most."""
    rows = []
    for kind in source.KINDS:
        for records in sizes:
            table = folder / f"table-{records}"
            make(table, records)
            command = [sys.executable, source.__file__, kind, str(table)]
            told = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
            rows.append({"kind": kind, "records": records, **told})
            print(rows[-1], flush=True)
    page.keep("sources", {"rows": rows})


def main():
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("what", choices=["engines", "limit", "growth", "sources", "page"])
    asked.add_argument("--records", type=int, default=5_000_000)
    asked.add_argument("--before", help="Python of an environment with another state")
    asked.add_argument("--only", nargs="*", help="names of runs")
    asked.add_argument("--rounds", type=int, default=1)
    asked.add_argument("--data", type=float, help="GB of RLIMIT_DATA: what it may write to")
    asked.add_argument("--virtual", type=float, help="GB of RLIMIT_AS, as ulimit -v")
    asked.add_argument("--folder", type=Path, help="where tables and releases stay")
    given = asked.parse_args()
    with contextlib.ExitStack() as stack:
        folder = given.folder
        if folder is None and given.what != "page":
            made = tempfile.TemporaryDirectory(prefix="coterie-bench-", dir=os.getcwd())
            folder = Path(stack.enter_context(made))
        if given.what == "engines":
            engines(folder, given.records, given.before, given.only, given.rounds)
        elif given.what == "limit":
            named = {"RLIMIT_DATA": given.data, "RLIMIT_AS": given.virtual}
            limits = {name: int(gb * GB) for name, gb in named.items() if gb is not None}
            limit(folder, given.records, limits or {"RLIMIT_AS": 3 * GB})
        elif given.what == "sources":
            sources(folder, [given.records // 5, given.records])
        elif given.what == "growth":
            growth(folder, [given.records // 5, given.records])
        page.make()


if __name__ == "__main__":
    main()
