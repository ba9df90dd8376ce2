"""A first settings file for a table: a guess for every column, to be read and corrected."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from coterie.plan.toml import comment, key, value_text
from coterie.table import columns
from coterie.table.schema import Attribute, Schema
from coterie.table.source import Source
from coterie.table.suspects import suspects

__all__ = ["settings_file"]


def settings_file(schema: Schema, source: Source) -> str:
    """A schema as a commented settings file; where it names no key, with a guess at them."""
    guessed = not schema.keys
    if guessed:
        schema, found = _guess(schema, source)
    else:
        found = {s.column: s.reason for s in suspects(source, schema)}
    lines = [
        f"# What the columns of {comment(source.origin)} are: {len(source.frame)} records. "
        "Check every line.",
        "",
        "k = 5  # every released combination of key values is shared by at least so many records",
        "",
        "# Keys: what others may know of a respondent. Grouped and released as centroids."
        + (" A guess: all that is not dropped." if guessed else ""),
        *_list("quasi_identifiers", schema.keys),
        "# Confidential: released as it is, and watched. A column may be a key as well.",
        *_list("confidential", schema.confidential),
        "# Dropped." + (" A guess, for the reasons given below." if guessed and found else ""),
        *_list("identifiers", schema.identifiers),
        "# Groups never mix values of these columns.",
        *_list("strata", schema.strata),
        "# Columns that may stay although they look like identifiers.",
        *_list("declared", [a.name for a in schema if a.declared]),
        "# The respondent, where one has several records; and sampling weights.",
        _single("unit", schema.unit),
        _single("sample_weight", schema.sample_weight),
        "# Promises beyond k, for every confidential column or by column: `coterie anonymize -h`.",
        "# min_distinct = 3",
        "# max_share = {NAME = 0.6}",
        "",
        "# Values that count as missing in every column. -999 stays -999 unless it is named here.",
        "# missing_codes = [-999]",
        "",
        "# A column's type is continuous, integer, ordinal, nominal, boolean, date or datetime.",
        '# Of a key also: transform = "log1p" (or asinh, rank), weight = 2.0.',
    ]
    for attribute in schema:
        lines += ["", *_column(attribute, found.get(attribute.name))]
    return "\n".join(lines) + "\n"


def _guess(schema: Schema, source: Source) -> tuple[Schema, dict[str, str]]:
    """What looks like an identifier is dropped, the rest are keys: rather too many than too few."""
    plain = [a for a in schema if a.roles <= {"other"} and not a.declared]
    # In a short table numbers may all differ by chance.
    numbers_may_differ = len(source.frame) < 100
    as_keys = {a.name: replace(a, roles=frozenset({"key"})) for a in plain}
    looked = as_keys if numbers_may_differ else {}
    found = suspects(source, Schema(tuple(looked.get(a.name, a) for a in schema)))
    reasons = {s.column: s.reason for s in found}
    made = []
    for attribute in schema:
        if attribute.name in as_keys and attribute.name in reasons:
            attribute = replace(attribute, roles=frozenset({"identifier"}))
        elif attribute.name in as_keys and _may_bekey(attribute, source):
            attribute = as_keys[attribute.name]
        made.append(attribute)
    return Schema(tuple(made)), reasons


def _may_bekey(attribute: Attribute, source: Source) -> bool:
    series = source.frame[attribute.name]
    kind = columns.kind_of(series)
    if kind in ("integer", "decimal") and not columns.exact(columns.present(series)):
        return False
    known = ("integer", "float", "decimal", "text", "boolean", "date", "datetime")
    return kind in known and len(columns.present(series)) > 0


def _column(attribute: Attribute, suspicion: str | None) -> list[str]:
    lines = [f"[columns.{key(attribute.name)}]"]
    if suspicion:
        lines.append(f"# looks like an identifier: it {comment(suspicion)}")
    reason = attribute.reason.rpartition("; ")[2].rpartition(": ")[2]
    lines.append(f"type = {value_text(attribute.type)}  # {comment(reason)}")
    if attribute.order is not None:
        lines.append(f"order = {value_text(attribute.order)}  # lowest first")
    if attribute.missing_codes:
        lines.append(f"missing_codes = {value_text(attribute.missing_codes)}")
    if attribute.transform != "none":
        lines.append(f"transform = {value_text(attribute.transform)}")
    if attribute.weight != 1.0:
        lines.append(f"weight = {value_text(attribute.weight)}")
    return lines


def _list(name: str, items: Iterable[str]) -> list[str]:
    items = list(items)
    line = f"{name} = {value_text(items)}"
    if len(line) <= 100:
        return [line, ""]
    return [f"{name} = [", *(f"    {value_text(item)}," for item in items), "]", ""]


def _single(name: str, value: str | None) -> str:
    return f'# {name} = ""' if value is None else f"{name} = {value_text(value)}"
