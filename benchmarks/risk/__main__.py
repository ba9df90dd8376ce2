"""The three attacks on the health survey: k = 3, 5, 10, 20, with and without t-closeness.

    make bench-risk                                    ours, and the page docs/measured/risk.md
    make bench-risk ARGS="--other PYTHON"              anonymeter beside it, in its own environment
    make bench-risk ARGS="--size 1000"                 less of it, told and not kept

As many records as are released are held out by the seed before grouping: then nothing has to be
scaled, and two suites can be compared. The other suite pins packages that
are older than ours: `python3 -m venv E; E/bin/pip install anonymeter`, then --other E/bin/python.
It judges the very files that ours judged.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import coterie
from benchmarks.risk import page
from coterie.datasets import health
from coterie.evaluation.attacks.linkability import halves

KEYS = ["region", "age", "sex", "height", "weight", "income"]
SECRETS = ["diagnosis", "cost"]
ATTACKS = ["singling_out", "linkability", "inference"]
SIZES = (3, 5, 10, 20)
T = 0.3
WHOLE = 6000  # records released
OTHERS_ATTEMPTS = 600  # its predicates are counted one by one, and some fifty times


def judged(people, held_out, k, t):
    """A release without the control, and what the attacks find."""
    asked = {"t_closeness": {"diagnosis": t}} if t else {}
    began = time.process_time()
    release = coterie.anonymize(
        people,
        k,
        KEYS,
        confidential=SECRETS,
        method="mdav",
        random_state=0,
        row_order="keep",
        **asked,
    )
    made = time.process_time()
    found = coterie.evaluate(
        people, release.data, release.plan, aligned=True, measures=ATTACKS, control=held_out
    )
    row = {
        "k": k,
        "t": t,
        "loss": release.partition.information_loss,
        "grouping": made - began,
        "seconds": time.process_time() - made,
        "attacks": [vars(one) for name in ATTACKS for one in found[name].attacks],
    }
    for name in ATTACKS:
        parts = found[name].parts
        row[name] = [found[name].value, parts["low"], parts["high"]]
    return release, row


def told(row):
    figures = "  ".join(
        "{} {:5.1f} [{:5.1f}, {:5.1f}]".format(name, *row[name]) for name in ATTACKS
    )
    bound = "-" if row["t"] is None else row["t"]
    return f"k = {row['k']:2}  t = {bound!s:>3}  {figures}  {row['seconds']:.1f} s"


def other_suite(python, folder):
    """What anonymeter finds of the files in the folder."""
    script = Path(__file__).with_name("other.py")
    asked = {
        "columns": [*KEYS, *SECRETS],
        "keys": KEYS,
        "half": halves(KEYS, 0)[0],
        "sizes": SIZES,
        "attempts": OTHERS_ATTEMPTS,
    }
    (folder / "asked.json").write_text(json.dumps(asked), encoding="utf-8")
    alone = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    alone |= {"POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"}  # small tables: threads only wait
    subprocess.run([python, str(script), str(folder)], check=True, env=alone)
    return json.loads((folder / "other.json").read_text(encoding="utf-8"))


def main(arguments: list[str]) -> None:
    reader = argparse.ArgumentParser(prog="bench risk")
    reader.add_argument("--other", metavar="PYTHON", help="of an environment with anonymeter")
    reader.add_argument("--size", type=int, default=WHOLE, help="records released")
    given = reader.parse_args(arguments)
    # The respondents are persons: households are dropped.
    table = health(2 * given.size, random_state=1).drop(columns="household")
    table = table.sample(frac=1.0, random_state=0)
    people = table.iloc[: given.size].reset_index(drop=True)
    held_out = table.iloc[given.size :].reset_index(drop=True)
    print(f"health survey, {len(people)} records released, {len(held_out)} held out; risk, percent")
    rows = []
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        people.to_csv(folder / "original.csv", index=False)
        held_out.to_csv(folder / "control.csv", index=False)
        for t in (None, T):
            for k in SIZES:
                release, row = judged(people, held_out, k, t)
                rows.append(row)
                print(told(row), flush=True)
                if t is None:  # in any order: among equally near rows the other suite takes one
                    shuffled = release.data.sample(frac=1.0, random_state=k)
                    shuffled.to_csv(folder / f"released-{k}.csv", index=False)
        other = other_suite(given.other, folder) if given.other else None
    if given.size == WHOLE:
        page.keep(rows, other, len(people), len(held_out))
    elif other is not None:
        print("\n".join(page.beside(rows, other)))


if __name__ == "__main__":
    main(sys.argv[1:])
