"""What the child has on its desk: one table and one release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.app.child.wire import Controls, Wire
from coterie.errors import DataError
from coterie.plan import Plan

if TYPE_CHECKING:
    from coterie.pipeline.release import Release
    from coterie.table.source import Source

__all__ = ["Desk"]


@dataclass
class Desk:
    """The state of the child between two commands.

    Attributes
    ----------
    table : mapping
        Path and reading options of the table that is held.
    profile : dict or None
        What was found of the table alone (`coterie.app.child.profile`).
    releases : dict
        The last release, by the number of its run: others are made again where they are wanted.
    """

    wire: Wire
    controls: Controls
    table: dict[str, Any] = field(default_factory=dict)
    source: Source | None = None
    profile: dict[str, Any] | None = None
    releases: dict[int, Release] = field(default_factory=dict)

    def read(self, table: Mapping[str, Any]) -> Source:
        """The table, read again only if it is another one or has changed on the disk."""
        from coterie.table.read import read

        wanted = {**table, "stamp": _stamp(table["path"])}
        if self.source is None or self.table != wanted:
            self.source = self.profile = None
            self.releases.clear()
            options = {name: value for name, value in table["options"].items() if value}
            self.source = read(table["path"], **options)
            self.table = wanted
        return self.source

    def release(self, number: int) -> Release:
        """The release of a run."""
        if number not in self.releases:
            raise DataError(
                "The release is no longer held: its process was ended, or another run came after "
                "it. Run the plan again; with a seed and iterations it gives the same."
            )
        return self.releases[number]


def plan_of(command: Mapping[str, Any]) -> Plan:
    """The plan of a command, as far as it goes: a draft may lack its keys."""
    from coterie.plan import toml
    from coterie.plan.plan import of_columns, options

    asked, _ = toml.load(command["plan"], of_columns(), options())
    return Plan.gather(asked, draft=True)[0]


def _stamp(path: str) -> list[int]:
    """What changes when a file does."""
    try:
        found = Path(path).stat()
    except OSError:
        return []
    return [found.st_mtime_ns, found.st_size]
