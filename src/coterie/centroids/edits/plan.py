"""What rules ask of a table: everything that can be seen to be wrong is told before any work.

Rules over keys are kept by the groups' released values. Columns that are no keys are released as
they are: a rule over them alone holds if the original keeps it; in an inequality that mixes both
kinds, a group's keys must suit all its members; an equation that mixes them is refused, since one
value cannot equal several.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.centroids.edits.check import Check, Figures, RuleBroken, broken, check, figures, whole
from coterie.centroids.edits.feasible import refuse_contradictions
from coterie.centroids.edits.rule import Rule, read_rules
from coterie.errors import CoterieError, DataError, ParameterError, listed

if TYPE_CHECKING:
    from coterie.table.problems import Problems
    from coterie.table.schema import Schema
    from coterie.table.source import Source

__all__ = ["NUMBERS", "Edits", "largest", "plan", "tell_wide"]

NUMBERS = ("continuous", "integer", "date")
WIDEST = 1e140


@dataclass(frozen=True, eq=False)
class Edits:
    """Rules that suit a table, and how the original keeps them.

    Attributes
    ----------
    rules : tuple of Rule
        What must hold in every record of the release.
    found : tuple of Check
        What the original, all its records, says to them.
    codes : mapping of column to values
        Values that mean missing.
    others : mapping of column to Figures
        Columns in rules that are no keys, of all records.
    breakers : (n,) bool array or None
        Records to drop because they break a rule.
    largest : mapping of column to float
        The largest number of each column without its sign, where these are a part of a table.
    """

    rules: tuple[Rule, ...] = ()
    found: tuple[Check, ...] = ()
    codes: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    others: Mapping[str, Figures] = field(default_factory=dict)
    breakers: NDArray[np.bool_] | None = None
    largest: Mapping[str, float] = field(default_factory=dict)

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that a rule names."""
        return tuple(dict.fromkeys(name for rule in self.rules for name in rule.columns))

    def of(
        self, keys: Collection[str], rows: NDArray[np.int64]
    ) -> tuple[list[Rule], dict[str, Figures]]:
        """The rules that name one of `keys`, and the other columns of the records `rows`."""
        some = {
            name: replace(known, values=known.values[rows], missing=known.missing[rows])
            for name, known in self.others.items()
        }
        return [rule for rule in self.rules if set(rule.columns) & set(keys)], some

    def seen(self, source: Source, keys: Collection[str]) -> Edits:
        """The same rules with what a table, or a part of it, says to them."""
        known = {
            name: replace(one, largest=self.largest.get(name, 0.0))
            for name, one in figures(source, self.rules, self.codes).items()
        }
        breakers = np.zeros(len(source.frame), dtype=bool)
        found = []
        for rule in self.rules:
            bad = broken(rule, known)
            found.append(Check(rule.text, int(whole(rule, known).sum()), int(bad.sum())))
            breakers |= bad
        others = {name: known[name] for name in known if name not in keys}
        return replace(self, found=tuple(found), others=others, breakers=breakers)

    def settled(self, on_broken: str, schema: Schema, problems: Problems) -> Edits:
        """What `seen` found in all records, judged: told, or records to be dropped for it."""
        pairs = list(zip(self.rules, self.found, strict=True))
        _tell_broken(pairs, on_broken, schema, problems)
        drop = on_broken == "drop" and self.breakers is not None and self.breakers.any()
        return self if drop else replace(self, breakers=None)

    def prove(self, table: Source) -> None:
        """Count the records of a release, or of a file that was read back, that break a rule.

        Raises
        ------
        RuleBroken
            If there is any.
        """
        self.refuse(check(table, self.rules, self.codes))

    def refuse(self, found: Sequence[Check]) -> None:
        """Raise `RuleBroken` if a record of a release breaks a rule."""
        if any(one.broken for one in found):
            raise RuleBroken(found, "Nothing was released; leave a rule out, or make it a key's.")


def plan(
    texts: Iterable[str] | str,
    on_broken: str,
    source: Source,
    schema: Schema,
    sets: Sequence[Sequence[str]],
    problems: Problems,
    *,
    all_records: bool = True,
) -> Edits:
    """Read the rules and see whether they can be kept; what speaks against it goes to `problems`.

    Parameters
    ----------
    texts : str or iterable of str
        The rules.
    on_broken : {"error", "repair", "drop"}
        What is done about records of the original that break a rule.
    source, schema, sets
        The table, what its columns are, and the keys that are grouped together.
    problems : Problems
        Takes one line for each thing that is wrong.
    all_records : bool
        Whether the source is all of the table: of a sample, records that break a rule say nothing.
    """
    rules: list[Rule] = []
    for text in [texts] if isinstance(texts, str) or not isinstance(texts, Iterable) else texts:
        try:
            rules += read_rules([text], schema.names)
        except ParameterError as error:
            problems.add(str(error))
    rules = list({rule.text: rule for rule in rules}.values())
    suited = [rule for rule in rules if _suits(rule, schema, sets, problems)]
    codes = {a.name: a.missing_codes for a in schema.attributes if a.missing_codes}
    known: dict[str, Figures] = {}
    usable = []
    for rule in suited:
        try:
            known.update(figures(source, [rule], codes))
        except DataError as error:
            problems.add(str(error), data=True, columns=rule.columns)
            continue
        found = {name: largest(known[name]) for name in rule.columns}
        if not tell_wide(rule, found, schema.keys, problems):
            usable.append(rule)
    whole_numbers = [a.name for a in schema.attributes if a.type in ("integer", "date")]
    try:
        refuse_contradictions(usable, whole_numbers)
    except ParameterError as error:
        problems.add(str(error))
    edits = Edits(tuple(usable), codes=codes)
    if not all_records:
        return edits
    return edits.seen(source, schema.keys).settled(on_broken, schema, problems)


def tell_wide(
    rule: Rule, found: Mapping[str, float], keys: Collection[str], problems: Problems
) -> bool:
    """Whether a key is so large that the rule cannot be kept; `found` is the largest of each."""
    wide = [name for name in rule.columns if name in keys and found.get(name, 0.0) > WIDEST]
    for name in wide:
        problems.add(
            f"Key {name!r} in rule {rule.text!r} must lie within {WIDEST:g}, so that squares "
            f"of its changes can be represented. Got {found[name]:g}: divide the "
            "column, or leave the rule out",
            data=True,
            columns=[name],
        )
    return bool(wide)


def _tell_broken(
    counted: Sequence[tuple[Rule, Check]], on_broken: str, schema: Schema, problems: Problems
) -> None:
    """What the original breaks, in one line; with ``"repair"`` only what has no key to repair."""
    broken_ones = [(rule, found) for rule, found in counted if found.broken]
    text = "The original must keep every rule"
    remedy = (
        "correct those records, or use broken_rules='repair' (--broken-rules repair) to release "
        "values that keep the rules, or 'drop'"
    )
    if on_broken == "repair":
        broken_ones = [pair for pair in broken_ones if not set(pair[0].columns) & set(schema.keys)]
        text = "The original must keep every rule that has no key"
        remedy = (
            "columns that are no keys stay as they are; use broken_rules='drop' "
            "(--broken-rules drop), or leave the rule out"
        )
    if broken_ones and on_broken != "drop":
        reported = [f"{f.rule!r} ({f.broken:,} of {f.records:,} records)" for _, f in broken_ones]
        problems.add(f"{text}. Got records that break {listed(reported, 20)}: {remedy}", data=True)


def largest(figures: Figures) -> float:
    """The largest finite number of a column, without its sign."""
    finite = figures.values[np.isfinite(figures.values)]
    return float(np.abs(finite).max(initial=0.0))


def _suits(rule: Rule, schema: Schema, sets: Sequence[Sequence[str]], problems: Problems) -> bool:
    """Whether a rule's columns are released, are numbers, and can be kept together."""
    before = len(problems.texts)
    what = f"in rule {rule.text!r}"
    keys = [name for name in rule.columns if name in schema.keys]
    for name in rule.columns:
        attribute = schema[name]
        hidden = name == schema.unit and not attribute.declared
        if "identifier" in attribute.roles or hidden:
            problems.add(
                f"Column {name!r} {what} must be released. Got one that is left out: leave the "
                "rule out, or release the column",
                columns=[name],
            )
        elif name in keys and attribute.generalized:
            problems.add(
                f"Column {name!r} {what} must be released as a number. Got release "
                f"{attribute.release!r}: use 'mean' or 'median', or leave the rule out",
                columns=[name],
            )
        elif name in keys and attribute.type not in NUMBERS:
            problems.add(
                f"Column {name!r} {what} must be of type {', '.join(NUMBERS)}. Got "
                f"{attribute.type}: declare another type, or leave the rule out",
                columns=[name],
            )
    if keys and not any(set(keys) <= set(names) for names in sets):
        problems.add(
            f"The keys of rule {rule.text!r} must be grouped together. Got them in several "
            "attribute_groups: put them in one",
            columns=keys,
        )
    for part in rule.parts:
        plain = [name for name in part.coefficients if name not in keys]
        if part.equal and plain and len(plain) < len(part.coefficients):
            problems.add(
                f"Equation {rule.text!r} must have keys only, or none. Got {plain[0]!r}, which is "
                "released as it is: make it a key too, or leave the rule out",
                columns=plain,
            )
    return len(problems.texts) == before


def impossible(groups: int, rules: Sequence[Rule]) -> CoterieError:
    """The one line for groups whose members' other columns leave no value for the keys."""
    texts = ", ".join(repr(rule.text) for rule in rules[:3])
    return DataError(
        f"Every group must have values that keep all rules. Got {groups} group(s) for which none "
        f"do ({texts}): columns that are no keys leave no room there; make them keys, or leave a "
        "rule out."
    )
