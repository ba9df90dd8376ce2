"""A worker: tries cases one after the other and tells its parent about each, line by line.

The parent (`tests.fuzz.watch`) kills a worker that works on one case for too long; until then
`faulthandler` has written where it stands.
"""

from __future__ import annotations

import argparse
import copy
import faulthandler
import json
import os
import re
import sys
import time
from pathlib import Path
from typing import Any, TextIO

from tests.fuzz import cases
from tests.fuzz.attempts import Attempt, attempt
from tests.fuzz.shrink import shrink

STANDS = 18  # seconds on one case, after which it is written down where it stands
SHRINKING = 8  # seconds spent on making a case smaller
RENEWED = 5000  # cases, after which a worker makes room for a fresh one


def signature(kind: str, found: Any) -> str:
    """Findings that look alike: names, numbers and values left out."""
    text = re.sub(r"'[^']*'|\"[^\"]*\"|-?\d+(\.\d+)?(e[+-]?\d+)?", "*", found.text)
    text = re.sub(r"\*(, \*)+", "*", text)  # lists of any length
    place = re.search(r" at (\S+:\d+)", found.text)
    return f"{kind} {found.rule}: {place.group(1) if place else text[:60]}"


def warm_up() -> None:
    """Load every method's compiled kernels, so that no case waits for them."""
    import pyarrow as pa

    import coterie

    values = [(7 * i) % 23 / 4 for i in range(24)]
    table = pa.table({"x": values, "y": values[::-1], "u": [i // 2 for i in range(24)]})
    for method in [one.name for one in coterie.methods()]:
        for more in ({"identifiers": ["u"]}, {"unit": "u"}):
            limit = {} if method in ("exact", "ls", "lsc") else {"iterations": 1}
            if method not in ("ilsm", "ilsmc", "icsm", "optimize", "auto"):
                limit = {}
            keys = ["x"] if method == "exact" else ["x", "y"]
            kept = [] if method != "exact" else ["y"]
            coterie.anonymize(
                table, 3, keys, method=method, random_state=0, declared=kept, **limit, **more
            )
    coterie.anonymize(
        table.drop_columns(["u"]), 3, ["x", "y"], method="mdav", aggregation="p3m", random_state=0
    )


def tell(parent: TextIO, **words: Any) -> None:
    """One line to the parent."""
    parent.write(json.dumps(words) + "\n")
    parent.flush()


def try_one(parent: TextIO, seed: str, kinds: list[str] | None, seen: dict[str, int]) -> None:
    """One case: told before, and after with what came of it."""
    began = time.process_time()
    case = cases.generate(seed, kinds)
    tell(parent, start=seed, kind=case["kind"])
    faulthandler.dump_traceback_later(STANDS, file=sys.stderr)
    made = attempt(copy.deepcopy(case))
    spent = time.process_time() - began
    faulthandler.cancel_dump_traceback_later()
    findings = []
    for found in made.findings:
        known = signature(case["kind"], found)
        seen[known] = seen.get(known, 0) + 1
        small = case
        if seen[known] == 1:
            tell(parent, shrinking=seed)
            small = shrink(case, lambda one, known=known: _still(one, known), SHRINKING)
        findings.append({"signature": known, "text": str(found), "case": ascii(small)})
        if seen[known] > 3:
            findings[-1].pop("case")
    tell(
        parent,
        end=seed,
        kind=case["kind"],
        what=made.what,
        outcome=made.outcome if not findings else "found",
        cpu=spent,
        findings=findings,
    )


def _still(case: cases.Case, known: str) -> bool:
    made: Attempt = attempt(copy.deepcopy(case))
    return any(signature(case["kind"], found) == known for found in made.findings)


def main() -> None:
    """Try the cases that the parent names."""
    options = argparse.ArgumentParser()
    options.add_argument("--seed", required=True)
    options.add_argument("--first", type=int, required=True)
    options.add_argument("--step", type=int, required=True)
    options.add_argument("--kinds")
    asked = options.parse_args()
    faulthandler.enable()
    # Nothing that a library prints may stand between the lines to the parent.
    parent = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    warm_up()
    tell(parent, warm=os.getpid())
    kinds = asked.kinds.split(",") if asked.kinds else None
    seen: dict[str, int] = {}
    for number in range(asked.first, asked.first + RENEWED * asked.step, asked.step):
        try_one(parent, f"{asked.seed}-{number}", kinds, seen)
    tell(parent, renew=number + asked.step)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    main()
