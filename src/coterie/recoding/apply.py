"""The recoded table: columns replaced, and what each recoding did.

`looked` says what must be known of a part, `settled` what is to be done to all of them, and
`applied` does it to one; `recode` is all three for a table that is one part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from coterie.errors import unknown_name
from coterie.hierarchy import Hierarchy
from coterie.hierarchy.rungs import Flat
from coterie.recoding.cells import Cells
from coterie.recoding.numbers import NumberRule, Numbers
from coterie.recoding.rule import NUMERIC
from coterie.recoding.texts import TextRule, TextValues
from coterie.table.problems import Problems
from coterie.table.restore import replace_columns
from coterie.table.schema import Attribute, Schema
from coterie.table.source import Source

__all__ = ["Looked", "Recoded", "Rule", "applied", "judged_schema", "looked", "recode", "settled"]

Looked = TextValues | Numbers
Rule = TextRule | NumberRule


@dataclass(frozen=True, eq=False)
class Recoded:
    """What a recoding did to one column.

    Attributes
    ----------
    settled : Rule
        What was done to each value.
    changed : int
        Records whose value is another one.
    """

    settled: Rule
    changed: int

    @property
    def asked(self) -> Mapping[str, Any]:
        """The rule as the plan has it."""
        return self.settled.asked

    @property
    def rule(self) -> Mapping[str, Any]:
        """The same with the ends that were found for "auto": values of the table."""
        return self.settled.rule

    @property
    def distinct(self) -> tuple[int, int] | None:
        """Different values before and after; None if they were too many to be counted."""
        return self.settled.distinct

    @property
    def reported(self) -> dict[str, Any]:
        """For the internal evidence: of the records read, whatever became of them."""
        reported = {"rule": dict(self.rule), "records_changed": self.changed}
        if self.distinct is not None:
            before, after = self.distinct
            reported |= {"values_before": before, "values_after": after}
        return reported


class Asked(Protocol):
    """What is asked of a recoding: a plan."""

    @property
    def recodings(self) -> Mapping[str, Mapping[str, Any]] | None:
        """The rules, by column."""

    @property
    def k(self) -> int:
        """Least units beyond a top or bottom code."""

    @property
    def unit(self) -> str | None:
        """What tells units apart."""

    @property
    def identifiers(self) -> Sequence[str]:
        """Columns that are dropped."""

    @property
    def missing_codes(self) -> Any:
        """By column: values that mean missing."""


def looked(source: Source, asked: Asked) -> dict[str, Looked]:
    """What must be known of a part before it can be recoded; that of parts adds up."""
    found: dict[str, Looked] = {}
    for name, rule in (asked.recodings or {}).items():
        if name in source.frame.columns:
            cells = _cells(source, name, asked, asked.unit)
            numeric = set(rule) & set(NUMERIC)
            found[name] = Numbers.of(cells, rule, asked.k) if numeric else TextValues.of(cells)
    return found


def settled(
    found: Mapping[str, Looked], asked: Asked, names: Sequence[str]
) -> tuple[dict[str, Rule], Problems]:
    """What is done to each column of a table with these names, and what speaks against it."""
    problems = Problems()
    rules = asked.recodings or {}
    for name in rules:
        if name in asked.identifiers or name == asked.unit:
            problems.add(
                f"The recoding of {name!r} would have no effect: it is not released", columns=[name]
            )
    settled_rules: dict[str, Rule] = {}
    for name, rule in rules.items():
        if name not in names:
            problems.add(str(unknown_name("column in recodings:", name, names)))
            continue
        with problems.about(name):
            done = found[name].settled(name, rule, asked.k, problems)
        if done is not None:
            settled_rules[name] = done
    return settled_rules, problems


def applied(source: Source, rules: Mapping[str, Rule], asked: Asked) -> tuple[Source, Counter[str]]:
    """A part with its columns recoded, and how many records of each changed.

    Values that mean missing stay as they are.
    """
    changed: Counter[str] = Counter()
    if not rules:
        return source, changed
    arrays: dict[str, Any] = {}
    for name, rule in rules.items():
        arrays[name], changed[name] = rule.applied(_cells(source, name, asked))
    frame = replace_columns(source.frame, arrays, retyped=True)
    spelled = {name: cells for name, cells in source.spelled.items() if name not in rules}
    return replace(source, frame=frame, spelled=spelled), changed


def recode(source: Source, asked: Asked) -> tuple[Source, dict[str, Recoded], Problems]:
    """The table with columns recoded, what was done to each, and what speaks against it."""
    rules, problems = settled(looked(source, asked), asked, source.frame.columns)
    recoded, changed = applied(source, rules, asked)
    return recoded, {name: Recoded(rule, changed[name]) for name, rule in rules.items()}, problems


def _cells(source: Source, name: str, asked: Asked, unit: str | None = None) -> Cells:
    codes = asked.missing_codes or {}
    return Cells.of(source, name, (*codes.get(name, ()), *codes.get("*", ())), unit)


def judged_schema(schema: Schema, rules: Mapping[str, Rule]) -> Schema:
    """The schema as a judge sees it: values as they were lie below the recoded ones."""
    if not rules:
        return schema
    return Schema(
        tuple(_judged(a, rules[a.name]) if a.name in rules else a for a in schema.attributes)
    )


def _judged(attribute: Attribute, rule: Rule) -> Attribute:
    if not rule.values or "key" not in attribute.roles:
        return attribute
    above = attribute.hierarchy or Hierarchy(Flat())
    return replace(attribute, hierarchy=above.extended(rule.values).closed(rule.values))
