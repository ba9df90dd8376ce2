"""The three attacks on the health survey: k = 3, 5, 10, 20, with and without t-closeness.

    make bench-risk                                 ours, and the page docs/measured/risk.md
    make bench-risk ARGS="--other PYTHON"           anonymeter beside it, in its own environment
    make bench-risk ARGS="--only speed --again"     100,000 records, everything that is told of risk
    make bench-risk ARGS="--again"                  what was found before, once more
    make bench-risk ARGS="--page"                   the page alone, from what was found

Each piece leaves a file in results/ and is not run again while that is there, so a run can be
stopped at any time. As many records as are released are held out by the seed before grouping: then
nothing has to be scaled. The other suite pins packages that are older than ours: `python3 -m venv
E; E/bin/pip install anonymeter`, then --other E/bin/python. It judges the very files that ours did.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import coterie
from benchmarks.meaning.store import keep, kept
from benchmarks.risk import page
from benchmarks.risk.hundred import everything
from coterie.datasets import health
from coterie.evaluation.attacks.linkability import halves

KEYS = ["region", "age", "sex", "height", "weight", "income"]
SECRETS = ["diagnosis", "cost"]
ATTACKS = ["singling_out", "linkability", "inference"]
SINGLING = ["singling out, three columns"]
T = 0.3
SIZE = 6000  # records released, and as many held out
CONTROLS = (750, 1500, 3000, 12000)  # other numbers held out, at k = 5
LARGE = 120_000  # held out: singling out all but without the chance of the control
OTHERS_ATTEMPTS = 500  # its default


def survey(size: int, seed: int):
    """Persons: who lives with whom is dropped."""
    return health(size, random_state=seed).drop(columns="household")


def halves_of(size: int):
    """A survey in two parts of so many persons; those of a household are in the same part.

    Else the control would know the region and the income of people who are in the release. The
    household at the cut may be in both: the other suite scales whatever is not equally large.
    """
    table = health(2 * size, random_state=1)
    place = np.random.default_rng(0).permutation(table["household"].max() + 1)
    table = table.iloc[np.argsort(place[table["household"]], kind="stable")]
    table = table.drop(columns="household").reset_index(drop=True)
    return table[:size], table[size:].reset_index(drop=True)


def release_of(people, k, t=None):
    asked = {"t_closeness": {"diagnosis": t}} if t else {}
    return coterie.anonymize(
        people,
        k,
        KEYS,
        confidential=SECRETS,
        method="mdav",
        random_state=0,
        row_order="keep",
        **asked,
    )


def judged(people, held_out, k, t, attacks=ATTACKS):
    """A release without the control, and what the attacks find."""
    began = time.process_time()
    release = release_of(people, k, t)
    made = time.process_time()
    found = coterie.evaluate(
        people, release.data, release.plan, aligned=True, measures=attacks, control=held_out
    )
    row = {
        "k": k,
        "t": t,
        "released": len(people),
        "held_out": len(held_out),
        "loss": release.partition.information_loss,
        "grouping": made - began,
        "seconds": time.process_time() - made,
        "attacks": [vars(one) for name in attacks for one in found[name].attacks],
    }
    for name in attacks:
        parts = found[name].parts
        row[name] = [found[name].value, parts["low"], parts["high"]]
    return row


def other_suite(python, people, held_out, k, attacks):
    """What anonymeter finds of the release."""
    script = Path(__file__).with_name("other.py")
    # In any order: among equally near rows it takes the first.
    shuffled = release_of(people, k).data.sample(frac=1.0, random_state=k)
    asked = {
        "columns": [*KEYS, *SECRETS],
        "keys": KEYS,
        "half": halves(KEYS, 0)[0],
        "attempts": OTHERS_ATTEMPTS,
        "attacks": attacks,
    }
    alone = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    alone |= {"POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"}  # small tables: threads only wait
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for name, table in (("original", people), ("control", held_out), ("released", shuffled)):
            table.to_csv(folder / f"{name}.csv", index=False)
        (folder / "asked.json").write_text(json.dumps(asked), encoding="utf-8")
        subprocess.run([python, str(script), str(folder)], check=True, env=alone)
        found = json.loads((folder / "found.json").read_text(encoding="utf-8"))
    return {"k": k, "held_out": len(held_out), "attempts": OTHERS_ATTEMPTS, **found}


def pieces(python: str | None) -> dict[str, Callable[[], dict]]:
    """What there is to find, by the name of its file."""
    people, held_out = halves_of(SIZE)
    made = {page.SPEED: everything}
    for t in (None, T):
        for k in page.SIZES:
            name = page.ours(k, t)
            made[name] = lambda k=k, t=t: judged(people, held_out, k, t)
    for m in (*CONTROLS, LARGE):  # other people of the same kind
        made[page.controlled(m)] = lambda m=m: judged(
            people, survey(m, 2), page.UNEQUAL, None, ATTACKS[:1]
        )
    if python is not None:
        for k in page.SIZES:
            made[page.theirs(k)] = lambda k=k: other_suite(python, people, held_out, k, None)
        for m in CONTROLS:
            made[page.theirs(page.UNEQUAL, m)] = lambda m=m: other_suite(
                python, people, survey(m, 2), page.UNEQUAL, SINGLING
            )
    return made


def main(arguments: list[str]) -> None:
    reader = argparse.ArgumentParser(prog="bench risk")
    reader.add_argument("--other", metavar="PYTHON", help="of an environment with anonymeter")
    reader.add_argument("--only", metavar="NAME", default="", help="pieces whose names begin so")
    reader.add_argument("--again", action="store_true", help="also what was found before")
    reader.add_argument("--page", action="store_true", help="make the page, run nothing")
    given = reader.parse_args(arguments)
    todo = {} if given.page else pieces(given.other)
    for name, run in todo.items():
        done = kept(name, page.RESULTS) is not None and not given.again
        if done or not name.startswith(given.only):
            continue
        began = time.perf_counter()
        keep(name, run(), page.RESULTS)
        print(f"{name}: {time.perf_counter() - began:.1f} s", flush=True)
    page.make()


if __name__ == "__main__":
    main(sys.argv[1:])
