"""Columns that look like identifiers and would be released.

A look at names and values, not a proof: what it flags is to be dropped or declared by somebody who
knows the table; what it does not flag may still identify.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from coterie.table import columns
from coterie.table.naming import WEAK, direct_word, words
from coterie.table.schema import Attribute, Schema
from coterie.table.source import Source

__all__ = ["Suspect", "shape_of", "suspects"]

SHAPES = {
    "e-mail addresses": r"^[^@\s]+@[^@\s]+\.[^@\s]+$",
    "telephone numbers": r"^\+[0-9][0-9 ()/-]{6,}$",
    "UUIDs": r"^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
}
SAMPLE = 200


@dataclass(frozen=True)
class Suspect:
    """A column that looks like an identifier, why, and what to do about it."""

    column: str
    reason: str
    remedy: str

    def __str__(self) -> str:
        return f"Column {self.column!r} {self.reason}: {self.remedy}"


def suspects(source: Source, schema: Schema, *, declared: bool = False) -> list[Suspect]:
    """Columns about to be released that look like identifiers; `declared` ones only where asked.

    Among columns kept as they are: names such as id, e-mail or phone (also where ids repeat), names
    of people or places that hardly repeat, values that look like e-mail addresses, telephone
    numbers or UUIDs, text and integers of which no two are equal, and text of which nine in ten are
    not. A key is released as centroids, so integers may differ there, and codes with a hierarchy;
    of a confidential column only the name and what its values look like count. The unit is not
    released at all.

    Examples
    --------
    >>> import pandas as pd
    >>> from coterie.table import infer, read, suspects
    >>> source = read(pd.DataFrame({"patient_id": [1, 1], "age": [30, 30]}))
    >>> [s.column for s in suspects(source, infer(source))]
    ['patient_id']
    """
    found = []
    for attribute in schema.attributes:
        if attribute.declared and not declared:
            continue
        if not attribute.roles & {"other", "key", "weight", "confidential"}:
            continue
        if "identifier" in attribute.roles:  # a weight that counts and is dropped
            continue
        reason = _reason(source.frame[attribute.name], attribute)
        if reason:
            remedy = (
                f"drop it with identifiers=[{attribute.name!r}] (--drop), or say that it may stay "
                f"with declared=[{attribute.name!r}] (--declare)"
            )
            found.append(Suspect(attribute.name, reason, remedy))
    return found


def shape_of(values: Sequence[Any]) -> str | None:
    """What more than half of some texts look like, if it is something that points at one person."""
    sample = [str(value) for value in values]
    for what, pattern in SHAPES.items():
        if 2 * sum(bool(re.match(pattern, value)) for value in sample) > len(sample):
            return what
    return None


def _reason(series: Any, attribute: Attribute) -> str | None:
    values = columns.present(series, attribute.missing_codes)
    if not len(values):
        return None
    kind = columns.kind_of(series)
    direct = direct_word(attribute.name)
    if direct:
        return f"is named like an identifier ({direct!r})"
    whole = kind == "float" and columns.whole(values)
    if kind not in ("text", "integer", "decimal") and not whole:
        return None
    if kind == "text":
        shape = shape_of(values.head(SAMPLE).to_list())
        if shape:
            return f"holds what looks like {shape}"
    if attribute.roles == {"confidential"}:
        return None  # such values may well differ from person to person
    distinct = values.n_unique()
    if len(values) < 2:
        return None
    weak = sorted(words(attribute.name) & WEAK)
    if weak and 10 * distinct > len(values) and distinct > 1:
        return f"is named like an identifier ({weak[0]!r}) and its values hardly repeat"
    if "key" in attribute.roles and (kind != "text" or attribute.generalized):
        return None  # a centroid, or a label that a whole group shares
    if distinct == len(values):
        return f"has {distinct} values, no two of them equal"
    if kind == "text" and 10 * distinct >= 9 * len(values):
        return f"has {distinct} different values in {len(values)} records"
    return None
