"""What the benchmarks of codes and advice found: a JSON file each, beside them."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.measured import stamp

RESULTS = Path(__file__).parent / "results"


def keep(name, found, folder=RESULTS):
    """Write what a benchmark found; figures to six digits."""
    folder.mkdir(exist_ok=True)
    text = json.dumps({**stamp(), **_short(found)}, indent=1)
    (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def kept(name, folder=RESULTS):
    """What a benchmark found when it was last run, or None."""
    path = folder / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def _short(value):
    if isinstance(value, dict):
        return {str(name): _short(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_short(one) for one in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value
