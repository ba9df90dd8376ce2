"""How to do it again: the settings as a file, and the commands that use it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.table.read import STDIN

if TYPE_CHECKING:
    from coterie.release import Release

__all__ = ["SETTINGS", "replay"]

SETTINGS = "settings.toml"


def replay(release: Release, output: str = "") -> dict[str, Any]:
    """Settings, commands and what they cannot promise."""
    source = release.source
    from_file = Path(source.origin).suffix != ""
    target = shlex.quote(output or "released" + (Path(source.origin).suffix or ".csv"))
    if source.origin == STDIN:
        form = "" if source.format == "csv" else f" --format {source.format}"
        made = f"coterie anonymize -{form} --config {SETTINGS} -o {target} < the table"
    elif from_file:
        made = f"coterie anonymize {shlex.quote(source.origin)} --config {SETTINGS} -o {target}"
    else:
        made = (
            "import coterie\n"
            f'plan = coterie.Plan.from_toml("{SETTINGS}")\n'
            f"coterie.anonymize(table, plan).write({target!r})"
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
        "command": made,
        "verify": check,
        "notes": _notes(release),
        "input_hash": release.evidence.internal["input_hash"],
        "versions": release.evidence.internal["versions"],
    }


def _notes(release: Release) -> list[str]:
    plan = release.plan
    notes = []
    if "random_state" in plan.beyond_file:
        notes.append(
            "The seed was a generator in the caller's memory: the groups cannot be made again."
        )
    if plan.time_limit is not None:
        epochs = release.evidence.internal["epochs"]
        told = "" if epochs is None else f" (this one ended after {epochs} epochs)"
        notes.append(
            f"The search ended by a time limit{told}: a faster or slower machine may end elsewhere."
        )
    if release.partition.interrupted:
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
