"""What was tried: each change with its first verdict and its last."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
SURVIVING = ("survived", "unreached")


def kept_in(room: str) -> Path:
    """The file with a room's verdicts, one a line, in the order in which they were given."""
    return HERE / "kept" / f"{room}.jsonl"


def verdicts(room: str) -> dict[tuple[str, str], tuple[str, str]]:
    """For each change that was tried, by file and name, the first verdict and the last."""
    found: dict[tuple[str, str], tuple[str, str]] = {}
    path = kept_in(room)
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        row = json.loads(line)
        if "file" not in row:
            continue  # what a run took
        key = row["file"], row["change"]
        found[key] = (found.get(key, (row["found"],))[0], row["found"])
    return found


def _equivalent() -> dict[str, dict[tuple[str, str], str]]:
    read = tomllib.loads((HERE / "equivalent.toml").read_text(encoding="utf-8"))
    return {
        room: {
            (file, key): reason
            for file, entries in files.items()
            for key, reason in entries.items()
        }
        for room, files in read.items()
    }


# Changes that no test can notice, because nothing that is promised changes, each with the reason.
EQUIVALENT = _equivalent()


def seconds(room: str) -> float:
    """Processor seconds of all that was tried, with finding out what each test reaches."""
    path = kept_in(room)
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else ()
    return sum(json.loads(line).get("seconds", 0.0) for line in lines)
