"""Columns that look like identifiers and are about to be released as they are."""

from __future__ import annotations

from dataclasses import dataclass

from coterie.table.schema import Schema
from coterie.table.source import Source

__all__ = ["Suspect", "suspects"]


@dataclass(frozen=True)
class Suspect:
    """A column that looks like an identifier, why, and what to do about it."""

    column: str
    reason: str
    remedy: str

    def __str__(self) -> str:
        return f"Column {self.column!r} {self.reason}: {self.remedy}"


def suspects(source: Source, schema: Schema) -> list[Suspect]:
    """Stub."""
    return []
