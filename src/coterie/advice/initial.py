"""A first settings file for a table: a plan that runs as it stands, to be read and corrected."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from coterie.advice.findings import ColumnLook, Look
from coterie.advice.guards import Objection, objections
from coterie.advice.looking import look
from coterie.plan.toml import comment, key, value_text
from coterie.table import columns
from coterie.table.schema import Attribute, Schema
from coterie.table.source import Source
from coterie.table.suspects import suspects

__all__ = ["Draft", "proposed", "settings_file"]

K = 5
ROUNDS = 5  # of moving columns that would give others away


@dataclass
class Draft:
    """What will stand in the file: a schema, and what to say about each column."""

    schema: Schema
    notes: dict[str, list[str]] = field(default_factory=dict)
    codes: dict[str, list[str]] = field(default_factory=dict)
    found: Look | None = None

    def note(self, name: str, text: str) -> None:
        """Say something about a column."""
        self.notes.setdefault(name, []).append(text)


def settings_file(schema: Schema, source: Source) -> str:
    """A schema as a commented settings file; where it names no key, with proposals for all."""
    if schema.keys:
        draft = Draft(schema)
        for s in suspects(source, schema):
            draft.note(s.column, f"looks like an identifier: it {s.reason}")
    else:
        draft = proposed(schema, source)
    drafted = draft.schema
    lines = [
        f"# What the columns of {comment(source.origin)} are: {len(source.frame)} records. "
        "Check every line.",
        "",
        f"k = {K}  # every released combination of key values is shared by at least so many "
        "records",
        "",
        *_gaps(draft),
        "# Keys: what others may know of a respondent. Grouped and released as centroids."
        + (" A guess." if draft.found else ""),
        *_list("quasi_identifiers", drafted.keys),
        "# Confidential: released as it is, and watched. A column may be a key as well.",
        *_list("confidential", drafted.confidential),
        "# Dropped." + (" A guess, for the reasons given below." if draft.found else ""),
        *_list("identifiers", drafted.identifiers),
        "# Groups never mix values of these columns.",
        *_list("strata", drafted.strata),
        *_strata(draft),
        "# Columns that may stay although they look like identifiers.",
        *_list("declared", [a.name for a in drafted if a.declared]),
        "# The respondent, where one has several records; and sampling weights.",
        *_units(draft, gaps=bool(_gaps(draft))),
        *_weights(draft),
        "# Guarantees beyond k, for every confidential column or by column:",
        "# min_distinct = 3",
        "# max_share = {NAME = 0.6}",
        "",
        "# Values that count as missing in every column. -999 stays -999 unless it is named here.",
        "# missing_codes = [-999]",
        "",
        "# A column's type is continuous, integer, ordinal, nominal, boolean, date or datetime.",
        '# Of a key also: transform = "log1p" (or asinh, rank), weight = 2.0. What is true of all',
        '# of a group: hierarchy = {prefix = [1, 3]}, or release = "interval" with step = 5, for',
        '# dates step = "month".',
    ]
    for attribute in drafted:
        lines += ["", *_column(attribute, draft)]
    return "\n".join(lines) + "\n"


def proposed(schema: Schema, source: Source) -> Draft:
    """Roles as a look proposes them, and as the guards let them stand."""
    found = look(source, k=K)
    draft = Draft(schema, found=found)
    columns = []
    for attribute in schema.attributes:
        column = found[attribute.name]
        role = column.role if attribute.roles <= {"other"} and not attribute.declared else None
        if role == "key" and not _may_be_key(attribute, source):
            role = "identifier"
            draft.note(attribute.name, "dropped: no key can hold such values")
        if role is not None:
            attribute = replace(attribute, roles=frozenset({role}))
            draft.note(attribute.name, _said(column, role))
            draft.codes[attribute.name] = _codes(column)
        columns.append(attribute)
    draft.schema = Schema(tuple(columns))
    for _ in range(ROUNDS):
        against = objections(source, draft.schema)
        if not against:
            break
        for one in against:
            _move(draft, one, source)
    return draft


def _said(column: ColumnLook, role: str) -> str:
    """Role, reason and, where it is doubtful, what else it may be."""
    text = f"{role}, {column.sure}: {column.reason}"
    if role == "identifier":
        text = f"looks like an identifier, {column.sure}: {column.reason}"
    if column.sure == "doubtful":
        other = "identifiers" if role == "key" else "quasi_identifiers"
        text += f"; else name it in {other}"
    return text


def _move(draft: Draft, against: Objection, source: Source) -> None:
    """A column that would give something away becomes a key, or is dropped if it cannot be one."""
    name, reason = against.columns[0], against.reason
    attribute = draft.schema[name]
    keyed = "weight" not in attribute.roles and attribute.type not in ("nominal", "ordinal")
    role = "key" if keyed and _may_be_key(attribute, source) else "identifier"
    if against.kind == "unit":
        role = "unit"
    done = {"key": "a key", "identifier": "dropped", "unit": "the unit"}[role]
    roles = frozenset({role})
    if "weight" in attribute.roles and role == "identifier":
        roles |= {"weight"}
        done = "used and dropped (round it until many share each value to release it)"
    draft.note(name, f"{done}, since it {reason}")
    changed = replace(attribute, roles=roles)
    draft.schema = Schema(tuple(changed if a.name == name else a for a in draft.schema.attributes))


def _may_be_key(attribute: Attribute, source: Source) -> bool:
    if attribute.name in source.odd:
        return False
    series = source.frame[attribute.name]
    kind = columns.kind_of(series)
    values = columns.present(series)
    if columns.infinite(values):
        return False
    if kind in ("integer", "decimal") and not columns.exact(values):
        return False
    known = ("integer", "float", "decimal", "text", "boolean", "date", "datetime")
    return kind in known and len(values) > 0


def _codes(column: ColumnLook) -> list[str]:
    """Lines on values that look like missing codes: set where a label says so, else proposed."""
    seen = [one for one in column.missing_like if one[0] is not None]
    if not seen or column.role not in ("key", "confidential"):
        return []
    values = value_text([value for value, _, _ in seen])
    why = comment("; ".join(f"{value!r} in {many} records, {why}" for value, many, why in seen))
    return [f"{'' if _sets_codes(column) else '# '}missing_codes = {values}  # {why}"]


def _sets_codes(column: ColumnLook) -> bool:
    """Whether the plan takes what its labels call no answer for missing."""
    return column.labeled and column.role == "key"


def _gaps(draft: Draft) -> list[str]:
    """How records with gaps among their keys are kept, where there are some."""
    if draft.found is None:
        return []
    gaps = [name for name in draft.schema.keys if draft.found[name].gaps]
    labeled = any(
        name in draft.codes and _sets_codes(draft.found[name]) for name in draft.schema.keys
    )
    own = any(a.missing_codes for a in draft.schema.key_attributes)
    if not gaps and not labeled and not own:
        return []
    return [
        f"# Gaps among the keys ({comment(', '.join(gaps)) or 'missing codes'}): records that miss "
        "the same are",
        "# grouped with each other, and those that too few share are left out.",
        'missing = "pattern"',
        'small_strata = "drop"',
        "",
    ]


def _strata(draft: Draft) -> list[str]:
    found = draft.found.strata if draft.found else ()
    return [f"# strata = {value_text([s.column])}  # {comment(s.reason)}" for s in found]


def _units(draft: Draft, *, gaps: bool) -> list[str]:
    lines = [_single("unit", draft.schema.unit)]
    lines += [
        f"# unit = {value_text(one.column)}  # {one.sure}: {comment(one.reason)}"
        for one in (draft.found.units if draft.found else ())
        if one.column != draft.schema.unit
    ]
    found = () if draft.found is None else draft.found.units
    for one in found:
        same = [name for name in one.constant if name in draft.schema.keys]
        if one.column != draft.schema.unit or not same:
            continue
        lines.append(f"# The same for all records of a {comment(one.column)}, and released so.")
        named = _list("unit_columns", same)
        # Records of a unit with different gaps are not grouped with each other.
        lines += [f"# {line}".rstrip() for line in named] if gaps else named
    return lines


def _weights(draft: Draft) -> list[str]:
    lines = [_single("sample_weight", draft.schema.sample_weight)]
    for one in draft.found.weights if draft.found else ():
        if one.column != draft.schema.sample_weight:
            name, why = value_text(one.column), comment(one.reason)
            lines.append(f"# sample_weight = {name}  # {one.sure}: {why}")
    return lines


def _column(attribute: Attribute, draft: Draft) -> list[str]:
    lines = [f"[columns.{key(attribute.name)}]"]
    lines += [f"# {comment(text)}" for text in draft.notes.get(attribute.name, ())]
    reason = attribute.type_reason
    if attribute.coded:
        reason = f"taken for a code: {attribute.coded}; integer if it is a number"
    lines.append(f"type = {value_text(attribute.type)}  # {comment(reason)}")
    if attribute.order is not None:
        lines.append(f"order = {value_text(attribute.order)}  # lowest first")
    if attribute.missing_codes:
        lines.append(f"missing_codes = {value_text(attribute.missing_codes)}")
    else:
        lines += draft.codes.get(attribute.name, [])
    levels = draft.found[attribute.name].levels if draft.found else ()
    if levels and "key" in attribute.roles and attribute.type == "nominal":
        rule = value_text({"prefix": levels})
        lines.append(f"hierarchy = {rule}  # groups release the deepest prefix that they share")
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
