"""Beside Mondrian (anonypyx) and full-domain search (anjana): the same table, k and truthful loss.

Run: python3 dev.py bench peers [RECORDS] [FOLDER] [K ...]

The peers are installed into an environment of their own in FOLDER, nowhere else; their groups of a
table stay there as well. Each makes groups; what a group releases and loses (deepest shared label,
interval rounded outwards) is then measured for all in the same way, by the oracle of the tests.
That is never more than what a peer releases.

Two plans of ours, each the same for every k: keys that weigh alike, which gives the least mean; and
weights, found by trying some, that ask for more of what Mondrian spends its groups on, so that no
single key loses more than with a peer.
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
WEIGHTS = {"icd": 1.25, "nace": 1.05, "born": 4.0, "income": 4.0}
PLANS = {"coterie": None, "coterie, weighted": WEIGHTS}
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


def ours(table, k, weights):
    """Our groups, and processor seconds of the whole release."""
    began = time.process_time()
    out = coterie.anonymize(
        table,
        k=k,
        **HEALTH,
        attribute_weights=weights,
        method="mdav",
        random_state=1,
        row_order="keep",
    )
    took = time.process_time() - began
    labels = out.partition.labels
    order = np.argsort(labels, kind="stable")
    return np.split(order, np.cumsum(np.bincount(labels))[:-1]), took


def theirs(python, folder, peer, k, path):
    """The groups of a peer, those of an earlier run where there was one on this table."""
    done = folder / f"{peer}-{k}.json"
    if not done.exists():
        script = Path(__file__).with_name("peer_groups.py")
        made = subprocess.run(
            [python, script, peer, str(k), path, done], capture_output=True, text=True
        )
        if made.returncode:
            raise SystemExit(f"k = {k}: {peer} failed: {made.stderr.strip().splitlines()[-1]}")
    found = json.loads(done.read_text())
    if min(map(len, found["groups"])) < k:
        print(f"k = {k}: {peer} made a group of fewer than k")
    return found["groups"], found["seconds"]


def main(n="20000", folder="", *sizes):
    table = health(int(n))
    folder = Path(folder or tempfile.mkdtemp())
    python = environment(folder)
    path, text = folder / "table.csv", table.to_csv(index=False)
    if not path.exists() or path.read_text() != text:
        for old in folder.glob("*.json"):
            old.unlink()
        path.write_text(text)
    rows, lower = [], {}
    for k in map(int, sizes or (5, 10)):
        peers = {}
        for peer in PEERS:
            groups, took = theirs(python, folder, peer, k, path)
            peers[peer] = (losses(table, groups), took)
        for title, weights in PLANS.items():
            groups, took = ours(table, k, weights)
            own = losses(table, groups)
            if weights is None:
                first = own
            rows.append(_show(title, k, own, first, took))
            cells = [own[key] < lost[key] for lost, _ in peers.values() for key in own]
            means = [_mean(own) < _mean(lost) for lost, _ in peers.values()]
            lower[f"{title}, k = {k}"] = {
                "keys": [sum(cells), len(cells)],
                "means": [sum(means), len(means)],
            }
        rows += [_show(peer, k, lost, first, took) for peer, (lost, took) in peers.items()]
    print(lower)
    keep("peers", {"records": len(table), "rows": rows, "weights": PLANS, "lower": lower})


def _mean(lost):
    return float(np.mean(list(lost.values())))


def _show(title, k, lost, own, seconds):
    cells = "  ".join(f"{name} {value:7.3f}" for name, value in lost.items())
    mean, ratio = _mean(lost), _mean(lost) / _mean(own)
    print(
        f"k = {k:<3} {title:<17} {cells}  mean {mean:6.2f}  x{ratio:.2f}  {seconds:.1f} s",
        flush=True,
    )
    return {"title": title, "k": k, "loss": lost, "mean": mean, "ratio": ratio, "seconds": seconds}


if __name__ == "__main__":
    main(*sys.argv[1:])
