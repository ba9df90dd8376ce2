"""Guarantees: what every class of the release must keep beyond k, and what is given up for it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from coterie.partitioning.options import field, integer, number, one_of
from coterie.plan.limits import Limits
from coterie.plan.option import Flag, column, names, option, text

if TYPE_CHECKING:
    from coterie.plan.plan import Plan

__all__ = ["Guarantees"]

# What leaving records out would break, and why.
UNSPARED = {
    "attribute_groups": "sets of keys have groups of their own; leave one out",
    "unit_columns": "they have groups of their own; leave one out",
    "previous": "records that leave can be told from earlier releases; leave one out",
    "t_closeness": "it compares with the whole table, which would change; leave one out",
    "beta_likeness": "it compares with the whole table, which would change; leave one out",
    "delta_disclosure": "it compares with the whole table, which would change; leave one out",
}


def _sets(value: Any) -> tuple[tuple[str, ...], ...] | None:
    if value is None:
        return None
    if isinstance(value, (str, Mapping)):
        raise TypeError
    sets = tuple((one,) if isinstance(one, str) else tuple(one) for one in value)
    if not all(isinstance(name, str) for one in sets for name in one):
        raise TypeError
    return sets


def _path(value: Any) -> Any:
    if value is not None and not (isinstance(value, (str, os.PathLike)) and os.fspath(value)):
        raise TypeError
    return value


def _several(value: Any) -> tuple[Any, ...]:
    """One release or path, or several."""
    if value is None:
        return ()
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


@dataclass(frozen=True, kw_only=True)
class Guarantees(Limits):
    """Beyond k: units, diversity, dominance, strata and gaps, rules, earlier releases."""

    k_map: int | None = option(
        integer(None, 1),
        "int, optional",
        """Every released class is the nearest one of at least so many people of `population`.
        Checked on the file, and refused where it is not so.""",
        Flag(("--k-map",), "Least people of --population who fit a class.", "INTEGER", "number"),
    )
    population: Any = option(
        field(None, "the path of a table", _path),
        "path, optional",
        "People whom the records may stand for, with the keys and strata: for `k_map`.",
        Flag(("--population",), "Table of the population, for --k-map.", "FILE"),
    )
    on_violation: str = option(
        one_of("repair", "refuse"),
        '{"repair", "refuse"}',
        "Groups that miss one of these are repaired at the least loss, or the table is refused.",
        Flag(("--on-violation",), "repair, or refuse: groups that miss one of these.", "WORD"),
        anywhere=True,
    )
    attribute_groups: Sequence[Sequence[str]] | None = option(
        field(None, "disjoint sets that hold every key once", _sets),
        "sequence of sequences of str, optional",
        """Disjoint sets of keys, each grouped by itself (one key a set: individual ranking). Less
        is lost, but the release is masked, not k-anonymous on all keys together, and says so.""",
        anywhere=True,
    )
    missing: str = option(
        one_of("error", "drop", "pattern"),
        '{"error", "drop", "pattern"}',
        "Records with missing keys are refused, dropped, or grouped with those that miss the same.",
        Flag(("--missing",), "error, drop or pattern.", "WORD"),
        anywhere=True,
    )
    small_strata: str = option(
        one_of("error", "merge", "drop"),
        '{"error", "merge", "drop"}',
        "Strata of fewer than k units are refused, pooled, or dropped.",
        Flag(("--small-strata",), "error, merge or drop.", "WORD"),
        anywhere=True,
    )
    suppress_at_most: float = option(
        number(0.0, 0.0, 0.5),
        "float",
        """Share of the records (units) that may be suppressed, so that the others lose less: the
        groups that cost most, counted in the evidence. 0 by default.""",
        Flag(
            ("--suppress-at-most",),
            "Share of the records that may be suppressed, so that the others lose less.",
            "NUMBER",
            "number",
        ),
        anywhere=True,
    )
    pooled: str | None = option(
        text(),
        "str, optional",
        """What pooled strata release in place of their codes; by default the prefix that the codes
        share, or ``other``.""",
        Flag(("--pooled",), "What pooled strata release; 'other' by default.", "TEXT"),
        anywhere=True,
    )
    rules: Sequence[str] = option(
        names(what="rule"),
        "sequence of str",
        """What every record of the release must keep: bounds, sums and comparisons of columns,
        such as ``"income >= 0"`` or ``"total == a + b"``. Proven on the file.""",
        Flag(
            ("--rule",),
            "What every record must keep: 'total == a + b', 'age >= 0'.",
            "RULE",
            "names",
        ),
        adds=True,
        anywhere=True,
    )
    broken_rules: str = option(
        one_of("error", "repair", "drop"),
        '{"error", "repair", "drop"}',
        """Records of the original that break a rule are refused with their number, released
        within a group whose values keep it, or dropped.""",
        Flag(("--broken-rules",), "error, repair or drop: originals that break a rule.", "WORD"),
        anywhere=True,
    )
    previous: Any = option(
        field((), "releases or paths of crosswalks", _several),
        "Release, path of a crosswalk, or sequence of these, optional",
        """Earlier releases of these records. Groups become parts or unions of their classes, so
        that who has all releases still finds every record among at least k units.""",
        Flag(
            ("--previous",),
            "Of an earlier release: both stay safe together.",
            "CROSSWALK",
            "names",
        ),
        adds=True,
    )
    match: str | None = option(
        column(),
        "str, optional",
        """Column that names each record, where the table has changed since; may be an
        identifier.""",
        Flag(("--match",), "Names each record in the tables of all releases.", "COLUMN"),
    )
    departed: str | None = option(
        one_of("error", "drop", "tell"),
        '{"error", "drop", "tell"}',
        """Old classes that some records, fewer than k, have left are refused, left out with the
        records that stay of them, or told in the evidence.""",
        Flag(("--departed",), "error, drop or tell: old classes that a few have left.", "WORD"),
    )

    def contradictions(self: Plan) -> Iterator[str]:  # type: ignore[misc]
        """What cannot be asked together, or would have no effect."""
        if (self.k_map is None) != (self.population is None):
            given, other = ("k_map", "population")[:: -1 if self.k_map is None else 1]
            yield f"{given} must come with {other}. Got it alone; give both or leave it out"
        for name in ("departed", "match"):
            if name in self.given and not self.previous:
                value = getattr(self, name)
                yield f"{name} must come with previous. Got {value!r} alone; leave it out"
        if self.previous and self.attribute_groups is not None:
            yield (
                "attribute_groups must not be used with previous. Got both: sets of keys that are "
                "grouped apart make cells of any size; leave one out"
            )
        if self.suppress_at_most:
            for name, why in UNSPARED.items():
                if getattr(self, name):
                    yield f"suppress_at_most must not be used with {name}. Got both: {why}"
        if self.broken_rules != "error" and not self.rules:
            yield _idle("broken_rules", self.broken_rules, "rules", "name some")
        parted = self.strata or self.previous or self.missing == "pattern"
        if self.small_strata != "error" and not parted:
            yield _idle(
                "small_strata",
                self.small_strata,
                "strata, previous or missing='pattern'",
                "name some",
            )
        along = [name for name in self.strata if name in (self.hierarchies or {})]
        if along and self.small_strata != "merge":
            yield (
                f"The hierarchy of stratum {along[0]!r} has no effect without "
                "small_strata='merge': small strata are pooled along it. Ask for that, or leave "
                "it out"
            )
        if self.pooled is not None and self.small_strata != "merge":
            yield _idle("pooled", self.pooled, "small_strata='merge'", "ask for it")
        if self.unit is None and self.unit_members == "together":
            yield "unit_members='together' needs a unit. Got none; name its column"
        asked = [name for name, value in self.limits.items() if value is not None]
        if self.unit_columns and self.unit is None:
            yield "unit_columns needs a unit. Got none; name its column"
        if self.unit_columns and self.unit_members != "together":
            conflicting = {
                "rules": self.rules,
                "previous": self.previous,
                asked[0] if asked else "": asked,
            }
            conflicting["attribute_groups"] = self.attribute_groups
            conflicting["aggregation='p3m'"] = self.aggregation == "p3m"
            for name, value in conflicting.items():
                if value:
                    yield (
                        f"unit_columns must not be used with {name}, unless "
                        "unit_members='together'. Got both; ask for that, or leave one out"
                    )
        if self.unit is None and not asked and self.on_violation == "refuse":
            yield "on_violation='refuse' needs something to violate. Got no constraint"


def _idle(name: str, value: object, needs: str, remedy: str) -> str:
    return f"{name}={value!r} has no effect without {needs}. Got none; {remedy}, or leave it out"
