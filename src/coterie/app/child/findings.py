"""What is found of a table before anything is declared: the one place where advice comes in.

`findings` gives a role and a reason for each column, and notes on the table as a whole, as
`coterie.look` has them and as the first settings file would propose them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coterie.advice.initial import Draft, proposed
from coterie.advice.rendering import lines, verdict
from coterie.errors import CoterieError
from coterie.table.infer import infer
from coterie.table.suspects import suspects

if TYPE_CHECKING:
    from coterie.table.schema import Attribute
    from coterie.table.source import Source

__all__ = ["findings"]

EMPTY: dict[str, Any] = {"columns": {}, "verdict": "", "uniques": None, "settings": {}}


def findings(source: Source) -> dict[str, Any]:
    """Proposals by column (role, type, reason), a sentence and notes about the table.

    Each proposal is a guess to be looked at by somebody who knows the table.
    """
    try:
        schema = infer(source)
        draft = proposed(schema, source)
        reasons = {one.column: one.reason for one in suspects(source, schema)}
    except CoterieError as error:
        return {**EMPTY, "notes": [str(error)]}
    columns = {a.name: _column(a, draft, reasons.get(a.name)) for a in draft.schema.attributes}
    found = draft.found
    assert found is not None
    return {
        "columns": columns,
        "notes": lines(found),
        "verdict": verdict(found),
        "uniques": None if found.uniques is None else list(found.uniques.on),
        "settings": _settings(draft),
    }


def _settings(draft: Draft) -> dict[str, Any]:
    """What goes with the proposed roles: how gaps are kept, and what a unit has in common."""
    assert draft.found is not None
    keys = draft.schema.keys
    if any(draft.found[name].gaps for name in keys):
        return {"missing": "pattern", "small_strata": "drop"}
    for unit in draft.found.units:
        if unit.column == draft.schema.unit:
            return {"unit_columns": [name for name in unit.constant if name in keys]}
    return {}


def _column(attribute: Attribute, draft: Draft, suspicion: str | None) -> dict[str, Any]:
    roles = sorted(attribute.roles)
    return {
        "role": "both" if len(roles) > 1 else roles[0] if roles else "other",
        "type": attribute.type,
        "reason": attribute.type_reason,
        "why": "; ".join(draft.notes.get(attribute.name, ())),
        "suspicion": suspicion,
    }
