"""A table in Parquet parts on a local cluster of two processes, with and without a lost worker.

    make bench-cluster                                5,000,000 x 10, MDAV in tiles of 50,000
    make bench-cluster ARGS="500000 auto 50000"       records, method, tile
    make bench-cluster ARGS="20000000 mdav 50000 3"   one process that may have 3 GB, with report

Three runs are compared value by value with the same job in one process: one on two Dask workers,
one on two Dask workers that reads another layout of the parts and loses a worker in the middle of
the partition, and one on Spark, local[2], where pyspark and Java are installed.
"""

from __future__ import annotations

import importlib.util
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

KEYS = [f"x{i}" for i in range(10)]


def make(folder, records, parts):
    """Normal numbers and a confidential column, the same for any number of parts."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir()
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
                writer = pq.ParquetWriter(folder / f"part-{part}.parquet", table.schema)
            head = min(table.num_rows, borders[part + 1] - start)
            writer.write_table(table.slice(0, head))
            table, start = table.slice(head), start + head
    writer.close()


def equal(one, other):
    """Whether two folders hold the same parts, value by value."""
    import pyarrow.parquet as pq

    names = sorted(p.name for p in one.iterdir())
    return names == sorted(p.name for p in other.iterdir()) and all(
        pq.read_table(one / name).equals(pq.read_table(other / name)) for name in names
    )


def job(source, target, method, tile, queue, report=None, limit=None, **options):
    """One run, told through a queue: its seconds, stages, loss, proof and memory."""
    if limit is not None:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (limit << 30, limit << 30))
    import coterie

    began = time.perf_counter()
    done = coterie.distributed.anonymize(
        source, target, 5, KEYS, method=method, tile=tile, random_state=1, **options
    )
    seconds = time.perf_counter() - began
    if report is not None:
        done.report(report)
    queue.put(
        (
            seconds,
            sum(os.times()[:4]),
            dict(done.evidence.internal["seconds"]),
            done.information_loss,
            str(done.verification),
            dict(done.peak_memory),
        )
    )


def job_with_a_loss(source, target, method, tile, queue):
    """The same on two workers, one of which is killed when four tenths of the tiles are done."""
    from distributed import Client, LocalCluster

    killed = []
    with (
        LocalCluster(2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster,
        Client(cluster) as client,
    ):
        workers = sorted(client.run(os.getpid).values())

        def kill(progress):
            if progress.phase == "partition" and progress.fraction >= 0.4 and not killed:
                killed.append(workers[0])
                os.kill(workers[0], signal.SIGKILL)

        job(source, target, method, tile, queue, client=client, callback=kill)
        after = sorted(client.run(os.getpid).values())
    assert killed, "the job ended before a worker was lost"
    assert killed[0] not in after, "the worker was not killed"


def run(title, function, *arguments, **options):
    """Run in a process of its own, so that its memory is its own; print what it tells."""
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=function, args=(*arguments, queue), kwargs=options)
    process.start()
    process.join()
    if process.exitcode:
        sys.exit(f"{title}: ended with code {process.exitcode}")
    seconds, busy, stages, loss, proof, peaks = queue.get()
    memory = ", ".join(f"{mb:.0f}" for mb in peaks.values())
    # Spark's processes are Java's children, and not counted.
    print(f"\n{title}: {seconds:.1f} s ({busy:.1f} s of processors); ", end="")
    print(f"peak of each process {memory} MB")
    print("  " + ", ".join(f"{name} {took:.1f} s" for name, took in stages.items()))
    print(f"  IL {loss:.6f} %; {proof}", flush=True)


def main(records="5000000", method="mdav", tile="50000", limit=None):
    n, tile = int(records), int(tile)
    with tempfile.TemporaryDirectory(prefix="coterie-bench-", dir=os.getcwd()) as name:
        folder = Path(name)
        make(folder / "many", n, 20)
        size = sum(p.stat().st_size for p in (folder / "many").iterdir())
        print(f"{n:,} x 10 and a confidential column, {size / 2**20:.0f} MB in 20 parts;", end=" ")
        print(f"{method} in tiles of at most {tile:,}, k = 5; {os.cpu_count()} cores")
        one = (folder / "many", folder / "tiles", method, tile)
        if limit is not None:
            how = {"engine": "tiles", "limit": int(limit), "report": folder / "report.html"}
            run(f"one process with {limit} GB of memory, and its report", job, *one, **how)
            return
        make(folder / "few", n, 3)
        run("one process", job, *one, engine="tiles")
        two = (folder / "many", folder / "dask", method, tile)
        run("two workers", job, *two, workers=2)
        lossy = (folder / "few", folder / "loss", method, tile)
        run("two workers, 3 parts, one worker killed in the middle", job_with_a_loss, *lossy)
        others = ["dask", "loss"]
        if importlib.util.find_spec("pyspark") and shutil.which("java"):
            executors = (folder / "many", folder / "spark", method, tile)
            run("Spark, local[2]", job, *executors, engine="spark", workers=2)
            others.append("spark")
        print()
        for other in others:
            same = equal(folder / "tiles", folder / other)
            print(f"released values of '{other}' equal to those of one process: {same}")


if __name__ == "__main__":
    main(*sys.argv[1:])
