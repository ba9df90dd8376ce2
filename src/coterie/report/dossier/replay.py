"""How to do it again: the settings as a file, and the commands that use it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.pipeline.release import Release
from coterie.pipeline.written import Written
from coterie.table.read import STDIN

if TYPE_CHECKING:
    from coterie.pipeline.release import ReleaseFacts

__all__ = ["SETTINGS", "replay"]

SETTINGS = "settings.toml"


def replay(release: ReleaseFacts, output: str = "") -> dict[str, Any]:
    """Settings, commands and what they cannot promise."""
    command, target = (
        _in_parts(release) if isinstance(release, Written) else _in_memory(release, output)
    )
    keys = " ".join(f"-q {shlex.quote(name)}" for name in release.schema.keys)
    strata = " ".join(f"--strata {shlex.quote(name)}" for name in release.schema.strata)
    rules = release.evidence.internal.get("rules", {"checked": []})["checked"]
    ruled = " ".join(f"--rule {shlex.quote(one['rule'])}" for one in rules)
    check = " ".join(
        part for part in (f"coterie verify {target} -k {release.k}", keys, strata, ruled) if part
    )
    return {
        "settings": release.plan.to_toml(),
        "command": command,
        "verify": check,
        "notes": _notes(release),
        "input_hash": release.evidence.internal.get("input_hash"),
        "versions": release.evidence.internal["versions"],
    }


def _in_memory(release: ReleaseFacts, output: str) -> tuple[str, str]:
    """The command for a table in memory, and the name of what it writes."""
    assert isinstance(release, Release)
    source = release.source
    from_file = Path(source.origin).suffix != ""
    target = shlex.quote(output or "released" + (Path(source.origin).suffix or ".csv"))
    if source.origin == STDIN:
        form = "" if source.format == "csv" else f" --format {source.format}"
        return f"coterie anonymize -{form} --config {SETTINGS} -o {target} < the table", target
    if from_file:
        where = shlex.quote(source.origin)
        return f"coterie anonymize {where} --config {SETTINGS} -o {target}", target
    command = (
        "import coterie\n"
        f'plan = coterie.Plan.from_toml("{SETTINGS}")\n'
        f"coterie.anonymize(table, plan).write({target!r})"
    )
    return command, target


def _in_parts(release: Written) -> tuple[str, str]:
    """The command for a table in parts: its tiles decide, no matter which engine."""
    reported = release.evidence.internal
    command = (
        "import coterie\n"
        f'plan = coterie.Plan.from_toml("{SETTINGS}")\n'
        f"coterie.distributed.anonymize(table, {release.target!r}, plan, "
        f"tile={reported['asked']['tile']}, engine={reported['engine']['name']!r})"
    )
    return command, shlex.quote(release.target)


def _notes(release: ReleaseFacts) -> list[str]:
    plan = release.plan
    notes = []
    if "random_state" in plan.beyond_file:
        notes.append(
            "The seed was a generator in the caller's memory: the groups cannot be made again."
        )
    if plan.time_limit is not None:
        epochs = release.evidence.internal["epochs"]
        reported = "" if epochs is None else f" (this one ended after {epochs} epochs)"
        notes.append(
            f"The search ended by a time limit{reported}: a faster or slower machine may end "
            "elsewhere."
        )
    if release.evidence.internal["interrupted"]:
        notes.append("The search was interrupted by hand and will not end there again.")
    if release.schema.unit is not None:
        notes.append("The file does not hold the unit: verify counts records, not units.")
    lacking = plan.beyond_file
    if "previous" in lacking:
        notes.append(
            "The earlier release was given from memory: write its crosswalk and name it as "
            "previous in the settings."
        )
    elif lacking and "random_state" not in lacking:
        notes.append(f"The settings cannot hold {', '.join(lacking)}: give it by hand.")
    if not notes:
        notes.append("The same table, settings and versions give the same release.")
    return notes
