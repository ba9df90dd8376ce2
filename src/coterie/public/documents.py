"""What the documents of a release look like: JSON Schemas of evidence and report, with a version.

The shipped files (`schemas/`) are made from the lists of `coterie.public.names`, which decide what
a public document may hold, from the types below and from `coterie.public.descriptions`;
``python -m coterie.public.documents`` writes them. `FORMAT` stands in every document and is raised
when a reader of it must change.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coterie.public.descriptions import DESCRIPTIONS
from coterie.public.names import ANY, EVIDENCE, REPORT

__all__ = ["FORMAT", "SCHEMAS", "document_schema", "read_schema"]

FORMAT = 3
SCHEMAS = Path(__file__).parent / "schemas"
DIALECT = "https://json-schema.org/draft/2020-12/schema"

INTEGER, NUMBER, TEXT = {"type": "integer"}, {"type": "number"}, {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
MAPPING = {"type": "object"}
# A number of the original is told in steps, as a limit ("fewer than 5"), or not at all.
GUARDED = {"type": ["number", "string", "null"]}
GUARDED_BY_NAME = {"type": "object", "additionalProperties": GUARDED}

TYPES: dict[str, dict[str, Mapping[str, Any]]] = {
    "evidence": {
        "format": INTEGER,
        "claim": TEXT,
        "truthful": {"type": "boolean"},
        "recoded": MAPPING,
        "k": INTEGER,
        "keys": {"type": "object", "additionalProperties": TEXT},
        "strata": TEXTS,
        "unit": {"type": ["string", "null"]},
        "unit_members": TEXT,
        "confidential": TEXTS,
        "method": TEXT,
        "aggregation": TEXT,
        "records_released": INTEGER,
        "groups": INTEGER,
        "group_sizes": {"type": "object", "additionalProperties": INTEGER},
        "records_dropped": GUARDED,
        "records_in_merged_strata": GUARDED,
        "information_loss_percent": GUARDED,
        "information_loss_percent_by_key": GUARDED_BY_NAME,
        "changed_percent_by_key": GUARDED_BY_NAME,
        "pooled_strata": {"type": "object", "additionalProperties": TEXTS},
        "measures": MAPPING,
        "rounded_to": MAPPING,
        "versions": {"type": "object", "additionalProperties": TEXT},
    },
    "report": {
        "format": INTEGER,
        "about": TEXT,
        "kind": {"const": "public"},
        "created": TEXT,
        "version": TEXT,
        "standing": TEXT,
        "verdict": TEXT,
        "claim": TEXTS,
        "bound": TEXT,
    },
}
REQUIRED = {
    "evidence": ["format", "claim", "k", "keys", "method", "records_released", "groups"],
    "report": ["format", "about", "kind", "version", "verdict", "figures", "claim", "measures"],
}
LISTS = {"evidence": EVIDENCE, "report": REPORT}


def document_schema(name: str) -> dict[str, Any]:
    """The JSON Schema of the public ``"evidence"`` or ``"report"``.

    Examples
    --------
    >>> from coterie.public.documents import document_schema
    >>> document_schema("evidence")["properties"]["k"]
    {'description': 'The least number of units that ...', 'type': 'integer'}
    """
    names, says = LISTS[name], DESCRIPTIONS[name]
    schema = _schema(names, says)
    for key, kind in {**TYPES[name], "format": {"const": FORMAT}}.items():
        held = _schema(names[key], says, f"{key}.")
        schema["properties"][key] = {"description": says[key], **held, **kind}
    title = f"Public {name} of a release made by coterie"
    return {"$schema": DIALECT, "title": title, **schema, "required": REQUIRED[name]}


def _schema(
    names: Mapping[str, Any] | None, says: Mapping[str, str], above: str = ""
) -> dict[str, Any]:
    """What a list allows: its names and no others, in a mapping or in each of a sequence.

    `says` describes what stands under each name, after those `above` it.
    """
    if names is None:
        return {}
    named = {name: deeper for name, deeper in names.items() if name != ANY}
    properties = {name: _held(deeper, says, above + name) for name, deeper in named.items()}
    others = _schema(names[ANY], says, above) if ANY in names else False
    schema = {"type": "object", "properties": properties, "additionalProperties": others}
    return schema if named else {"type": "object", "additionalProperties": others}


def _held(names: Mapping[str, Any] | None, says: Mapping[str, str], path: str) -> dict[str, Any]:
    """What may stand under a name."""
    schema = _schema(names, says, f"{path}.")
    if schema:
        schema = {"anyOf": [schema, {"type": "array", "items": schema}, {"type": "null"}]}
    return {"description": says[path], **schema}


def read_schema(name: str) -> dict[str, Any]:
    """The shipped JSON Schema of the evidence, or of what a report tells.

    Parameters
    ----------
    name : str
        "evidence" or "report".

    Examples
    --------
    >>> from coterie.public.documents import FORMAT, read_schema
    >>> read_schema("evidence")["properties"]["format"]["const"] == FORMAT
    True
    """
    found: dict[str, Any] = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    return found


def main() -> None:
    """Write the schemas."""
    SCHEMAS.mkdir(exist_ok=True)
    for name in LISTS:
        text = json.dumps(document_schema(name), indent=1) + "\n"
        (SCHEMAS / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
