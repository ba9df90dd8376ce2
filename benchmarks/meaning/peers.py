"""Beside Mondrian (anonypyx) and full-domain search (anjana): the same table, k and truthful loss.

Run: python3 dev.py bench peers [RECORDS] [FOLDER]

The peers are installed into an environment of their own in FOLDER, nowhere else. Each makes groups;
what a group releases and loses (deepest shared label, interval rounded outwards) is then measured
for all in the same way, by the oracle of the tests. That is never more than what a peer releases.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

import numpy as np

import coterie
from benchmarks.meaning.store import keep
from benchmarks.meaning.tables import HEALTH, health
from tests import naive_hierarchy as naive

PEERS = ("mondrian", "full-domain")
CUTS = {"icd": (9, 3, 2, 1), "nace": (9, 3, 2, 1), "nuts": (9, 4, 3, 2)}


def environment(folder):
    """The Python of the peers' own environment, made if need be."""
    python = Path(folder) / "env" / "bin" / "python"
    if not python.exists():
        venv.create(Path(folder) / "env", with_pip=True)
    if subprocess.run([python, "-c", "import anonypyx, anjana"], capture_output=True).returncode:
        subprocess.run([python, "-m", "pip", "install", "-q", "anonypyx", "anjana"], check=True)
    return python


def losses(table, groups):
    """Percent lost of each key, by the oracle."""
    found = {}
    for name, cuts in CUTS.items():
        codes = table[name].to_numpy()
        lost = 0.0
        for rows in groups:
            paths = [tuple(codes[row][:n] for n in cuts) for row in rows]
            shared = naive.ancestor(paths)
            lost += sum(float(naive.loss(path, shared)) for path in paths)
        found[name] = 100.0 * lost / len(table)
    months = (12 * table.born.dt.year + table.born.dt.month).to_numpy()
    for name, values, step in (("born", months, 1), ("income", table.income.to_numpy(), 1000)):
        whole = naive.interval([int(values.min()), int(values.max())], step)
        wide = 0.0
        for rows in groups:
            some = values[rows]
            ends = naive.interval([int(some.min()), int(some.max())], step)
            wide += len(rows) * (ends[1] - ends[0])
        found[name] = 100.0 * wide / (len(table) * (whole[1] - whole[0]))
    return found


def main(n="20000", folder="", *sizes):
    table = health(int(n))
    folder = Path(folder or tempfile.mkdtemp())
    python = environment(folder)
    path = folder / "table.csv"
    table.to_csv(path, index=False)
    rows = []
    for k in map(int, sizes or (5, 10)):
        began = time.process_time()
        out = coterie.anonymize(
            table, k=k, **HEALTH, method="mdav", random_state=1, row_order="keep"
        )
        took = time.process_time() - began
        labels = out.partition.labels
        ours = [np.flatnonzero(labels == group) for group in range(int(labels.max()) + 1)]
        own = losses(table, ours)
        rows.append(_show("coterie", k, own, own, took))
        for peer in PEERS:
            script = Path(__file__).with_name("peer_groups.py")
            done = folder / f"{peer}-{k}.json"
            made = subprocess.run(
                [python, script, peer, str(k), path, done], capture_output=True, text=True
            )
            if made.returncode:
                print(f"k = {k}: {peer} failed: {made.stderr.strip().splitlines()[-1]}")
                continue
            found = json.loads(done.read_text())
            if min(map(len, found["groups"])) < k:
                print(f"k = {k}: {peer} made a group of fewer than k")
            lost = losses(table, found["groups"])
            rows.append(_show(peer, k, lost, own, found["seconds"]))
    keep("peers", {"records": len(table), "rows": rows})


def _show(title, k, lost, own, seconds):
    cells = "  ".join(f"{name} {value:6.2f}" for name, value in lost.items())
    mean = float(np.mean(list(lost.values())))
    ratio = mean / float(np.mean(list(own.values())))
    print(
        f"k = {k:<3} {title:<12} {cells}  mean {mean:6.2f}  x{ratio:.2f}  {seconds:.1f} s",
        flush=True,
    )
    return {"title": title, "k": k, "loss": lost, "mean": mean, "ratio": ratio, "seconds": seconds}


if __name__ == "__main__":
    main(*sys.argv[1:])
