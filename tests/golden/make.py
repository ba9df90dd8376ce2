"""Golden releases: `python -m tests.golden.make` writes releases.json anew.

A release is known by the SHA-256 of its CSV. Numbers are written with twelve digits, so that the
last bits, in which processors and libraries of linear algebra may differ, do not count. The file is
written anew only for a difference that is wanted; README.md lists each one with its reason.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pandas as pd

from tests.golden.plans import PLANS

FILE = Path(__file__).with_name("releases.json")


def fingerprint(table: pd.DataFrame) -> dict[str, object]:
    """Rows, columns and the SHA-256 of the CSV."""
    text = table.to_csv(index=False, float_format="%.12g", lineterminator="\n")
    digest = hashlib.sha256(text.encode()).hexdigest()
    return {"rows": len(table), "columns": list(table.columns), "sha256": digest}


def main() -> None:
    """Write the fingerprints of all plans, and say which ones changed."""
    before = json.loads(FILE.read_text()) if FILE.exists() else {}
    after = {name: fingerprint(make()) for name, make in PLANS.items()}
    for name in sorted({*before, *after}):
        if before.get(name) != after.get(name):
            print("changed:", name)
    FILE.write_text(json.dumps(after, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
