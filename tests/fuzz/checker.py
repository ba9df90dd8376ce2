"""What a release must be, judged from the original, the plan and what was written.

Nothing here knows coterie. A class is a set of records whose keys and strata no reader can tell
apart. Where the table has a tag, a column of its own for every record that is released as it is,
records are found again by it, and classes are held against the originals of their members.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tests.fuzz.grid import Grid, number

FORMULA = ("=", "+", "-", "@")
OLD = "an older file\n"
SCALES = ("ordered", "cut", "Enum")


@dataclass(frozen=True)
class Finding:
    """A rule that is broken, and how."""

    rule: str
    text: str

    def __str__(self) -> str:
        return f"{self.rule}: {self.text}"


@dataclass
class Asked:
    """What was asked for, as far as the checks need it."""

    k: int
    keys: list[str]
    strata: list[str] = field(default_factory=list)
    unit: str | None = None
    identifiers: list[str] = field(default_factory=list)
    tag: str | None = None
    orders: dict[str, list[Any] | None] = field(default_factory=dict)
    secret: str = "SECRET-"
    plan: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, case: dict[str, Any], plan: dict[str, Any] | None = None) -> Asked:
        """What a case asks for."""
        plan = case["plan"] if plan is None else plan
        # A scale that the column itself declares is known to be one, not in which order.
        scales = [c["name"] for c in case["columns"] if c["dtype"].startswith(SCALES)]
        scales += [name for name, kind in (plan.get("types") or {}).items() if kind == "ordinal"]
        return cls(
            int(plan["k"]),  # a text on the command line
            list(plan["quasi_identifiers"]),
            list(plan.get("strata") or ()),
            plan.get("unit"),
            list(plan.get("identifiers") or ()),
            next(iter(case["roles"]["tag"]), None),
            orders={**dict.fromkeys(scales), **(plan.get("orders") or {})},
            plan=plan,
        )

    @property
    def key_sets(self) -> list[list[str]]:
        """Keys that are counted together, strata included."""
        apart = self.plan.get("attribute_groups")
        sets = [list(names) for names in apart] if apart else [self.keys]
        return [[*names, *self.strata] for names in sets]

    @property
    def hidden(self) -> set[str]:
        """Columns that must not be released."""
        declared = self.plan.get("declared") or ()
        unit = {self.unit} if self.unit and self.unit not in declared else set()
        return set(self.identifiers) | unit


def check(asked: Asked, before: Grid, after: Grid) -> list[Finding]:
    """Every rule that the release breaks."""
    found: list[Finding] = []
    wanted = [name for name in before.names if name not in asked.hidden]
    if after.names != wanted:
        return [Finding("columns", f"{after.names} instead of {wanted}")]
    if not 0 < after.rows <= before.rows:
        return [Finding("rows", f"{after.rows} of {before.rows}")]
    rows = _aligned(asked, before, after)
    if isinstance(rows, Finding):
        return [rows]
    for names in asked.key_sets:
        found += _anonymous(asked, names, before, after, rows)
    found += secrets(asked.secret, after)
    found += _categories(asked, before, after)
    found += _together(asked, after)
    found += _finite(asked, before, after)
    if rows is not None:
        found += _kept(asked, before, after, rows)
        found += _strata(asked, before, after, rows)
        if len(asked.key_sets) == 1:
            found += _centroids(asked, before, after, rows)
    elif not _drops(asked) and after.rows != before.rows:
        found.append(Finding("rows", f"{after.rows} of {before.rows}, though none may be dropped"))
    found += _limits(asked, after)
    found += _rules(asked, after)
    return found


def classes(grid: Grid, names: list[str]) -> dict[Any, list[int]]:
    """Rows by what is written in some columns."""
    made: dict[Any, list[int]] = defaultdict(list)
    for row, cells in enumerate(zip(*(grid.tokens[name] for name in names), strict=True)):
        made[cells].append(row)
    return made


def smallest(grid: Grid, names: list[str], units: list[Any] | None = None) -> int:
    """Units, or records, of the smallest class."""
    return min(
        len({units[row] for row in rows}) if units is not None else len(rows)
        for rows in classes(grid, names).values()
    )


def secrets(secret: str, grid: Grid) -> list[Finding]:
    """Values of identifiers, wherever they are."""
    found = []
    for name in grid.names:
        if any(isinstance(t[1], str) and secret in t[1] for t in grid.tokens[name]):
            found.append(Finding("identifier", f"released in column {name!r}"))
        if any(isinstance(v, str) and secret in v for v in grid.listed.get(name, ())):
            found.append(Finding("identifier", f"listed as a category of {name!r}"))
    if any(secret in text for text in grid.beside):
        found.append(Finding("identifier", "in metadata"))
    if any(text.startswith("index ") for text in grid.beside):
        found.append(Finding("index", "the rows tell where they came from"))
    return found


def _aligned(asked: Asked, before: Grid, after: Grid) -> list[int] | Finding | None:
    """Original row of each released one, by the tag; None where there is none."""
    if asked.tag is None or asked.tag not in after.names:
        return None
    place = {_plain(value): row for row, value in enumerate(before.values[asked.tag])}
    rows = [place.get(_plain(value), -1) for value in after.values[asked.tag]]
    if -1 in rows or len(set(rows)) < len(rows):
        return Finding("tag", "a record was changed, or released twice")
    return rows


def _plain(value: Any) -> Any:
    """A tag as a number, whatever a format made of it."""
    try:
        return int(value)
    except (TypeError, ValueError):
        return value


def _anonymous(
    asked: Asked, names: list[str], before: Grid, after: Grid, rows: list[int] | None
) -> list[Finding]:
    units = None
    if asked.unit is not None and asked.unit in after.names:
        units = after.tokens[asked.unit]
    elif asked.unit is not None and rows is not None:
        units = [before.tokens[asked.unit][row] for row in rows]
    least = smallest(after, names, units)
    if least >= asked.k:
        return []
    what = "records" if units is None else "units"
    return [Finding("k", f"a class of {names} has {least} {what}, k is {asked.k}")]


def _categories(asked: Asked, before: Grid, after: Grid) -> list[Finding]:
    """A list of categories, where it has no order, names none that no record has."""
    found = []
    for name, listed in after.listed.items():
        present = set(map(repr, after.values[name]))
        left = [value for value in listed if repr(value) not in present]
        if left:
            found.append(Finding("category", f"column {name!r} still lists {left[0]!r}"))
    return found


def _together(asked: Asked, after: Grid) -> list[Finding]:
    """Sorted by released values, equal ones stand together, whatever the order is."""
    if asked.plan.get("row_order") == "keep":
        return []
    for names in ([*asked.keys, *asked.strata], after.names):
        seen, last = set(), None
        for cells in zip(*(after.tokens[name] for name in names), strict=True):
            if cells != last and cells in seen:
                return [Finding("order", f"equal values of {names} do not stand together")]
            seen.add(cells)
            last = cells
    return []


def _finite(asked: Asked, before: Grid, after: Grid) -> list[Finding]:
    found = []
    for name in asked.keys:
        odd = [v for v in after.values[name] if isinstance(v, float) and math.isinf(v)]
        if odd and not any(isinstance(v, float) and math.isinf(v) for v in before.values[name]):
            found.append(Finding("finite", f"key {name!r} releases {odd[0]}"))
        gaps = [sum(v is None for v in grid.values[name]) for grid in (before, after)]
        if gaps[1] > gaps[0]:
            found.append(Finding("gap", f"key {name!r} has {gaps[1]} gaps, the original {gaps[0]}"))
    return found


def _kept(asked: Asked, before: Grid, after: Grid, rows: list[int]) -> list[Finding]:
    """Columns that are no keys are released as they are; no record is lost without leave."""
    found = []
    for name in after.names:
        if name in asked.keys or name in asked.strata:
            continue
        for new, old in zip(after.values[name], rows, strict=True):
            if not same(before.values[name][old], new):
                text = f"{before.values[name][old]!r} became {new!r} in column {name!r}"
                found.append(Finding("changed", text))
                break
    lost = before.rows - len(rows)
    if lost and not _drops(asked):
        found.append(Finding("rows", f"{lost} of {before.rows} are lost, though none may be"))
    return found


def same(old: Any, new: Any) -> bool:
    """Whether a cell means what it did; a cell of another type is not judged."""
    nothing = (None, "", "nan")  # the word of a text file too, where a number might stand
    if old in nothing or new in nothing:
        return old in nothing and new in nothing
    if old == new or str(old) == str(new):
        return True
    one, other = number(old), number(new)
    if one is not None and other is not None:
        return abs(one - other) <= abs(one) / 10**14  # seconds since 1582 are doubles in SPSS
    if isinstance(old, str) and isinstance(new, str):
        return old.startswith(FORMULA) and new.lstrip("'") == old
    return type(old) is not type(new)


def _drops(asked: Asked) -> bool:
    plan = asked.plan
    return (
        "drop" in (plan.get("missing"), plan.get("small_strata"), plan.get("broken_rules"))
        or plan.get("leavers") == "drop"
    )


def _strata(asked: Asked, before: Grid, after: Grid, rows: list[int]) -> list[Finding]:
    """Strata are released as they are, unless small ones were to be pooled."""
    if asked.plan.get("small_strata") == "merge":
        return []
    for name in asked.strata:
        for new, old in zip(after.values[name], rows, strict=True):
            if not same(before.values[name][old], new):
                return [Finding("stratum", f"{name!r} was changed")]
    return []


def _codes(asked: Asked) -> dict[str, Any]:
    """Values that mean missing, by column."""
    codes = asked.plan.get("missing_codes") or {}
    if isinstance(codes, dict) and "*" not in codes:
        return codes
    return dict.fromkeys(asked.keys, codes["*"] if isinstance(codes, dict) else codes)


def _centroids(asked: Asked, before: Grid, after: Grid, rows: list[int]) -> list[Finding]:
    """What a class releases lies among its members' originals, unless P3M or rules move it."""
    if asked.plan.get("aggregation") == "p3m" or asked.plan.get("rules"):
        return []
    codes = _codes(asked)
    for members in classes(after, [*asked.keys, *asked.strata]).values():
        for name in asked.keys:
            new = after.values[name][members[0]]
            old = [before.values[name][rows[row]] for row in members]
            if name in codes or new is None:
                if name not in codes and any(value is not None for value in old):
                    return [Finding("gap", f"a value of {name!r} became a gap")]
                continue
            if any(value is None for value in old):
                return [Finding("gap", f"a gap in {name!r} became {new!r}")]
            numbers = [number(value) for value in old]
            middle = number(new)
            if name in asked.orders:
                order = asked.orders[name]
                if order is not None and not _between(order, old, new):
                    return [Finding("centroid", f"{name!r} releases {new!r}, beyond its class")]
                continue
            if middle is None or None in numbers:
                if not any(same(value, new) for value in old):
                    return [Finding("centroid", f"{name!r} releases {new!r}, of none of its class")]
                continue
            known = [n for n in numbers if n is not None]
            low, high = min(known), max(known)
            room = max(abs(low), abs(high)) / 10**3 + 1  # whole numbers, days, half precision
            if not low - room <= middle <= high + room:
                text = f"{name!r} releases {new!r}, members have {float(low)} to {float(high)}"
                return [Finding("centroid", text)]
    return []


def _between(order: list[Any], old: list[Any], new: Any) -> bool:
    """Whether a level lies among those of the members."""
    place = {str(level): position for position, level in enumerate(order)}
    levels = [place.get(str(value), -1) for value in old]
    return min(levels) <= place.get(str(new), -1) <= max(levels)


def _limits(asked: Asked, after: Grid) -> list[Finding]:
    """Diversity of confidential columns that are no keys, class by class."""
    found = []
    watched = [n for n in asked.plan.get("confidential") or () if n not in asked.keys]
    for name in watched:
        for members in classes(after, [*asked.keys, *asked.strata]).values():
            if len(asked.key_sets) > 1:
                break
            counts = Counter(_value(after, name, row) for row in members)
            shares = [count / len(members) for count in counts.values()]
            entropy = math.exp(-sum(share * math.log(share) for share in shares))
            for rule, value, kept in (
                ("min_distinct", len(counts), lambda v, limit: v >= limit),
                ("max_share", max(shares), lambda v, limit: v <= limit + 1e-9),
                ("entropy_l", entropy, lambda v, limit: v >= limit - 1e-9),
            ):
                limit = asked.plan.get(rule)
                if isinstance(limit, (int, float)) and not kept(value, limit):
                    found.append(Finding(rule, f"{name!r} has {value} in a class, asked {limit}"))
    return found[:1]


def _value(grid: Grid, name: str, row: int) -> Any:
    value = grid.values[name][row]
    return None if value is None else repr(value)


def _rules(asked: Asked, after: Grid) -> list[Finding]:
    """Rules of the forms that plans have: ``a >= number`` and ``a <= b``."""
    for rule in asked.plan.get("rules") or ():
        left, sign, right = rule.split()
        if {left, right} & set(_codes(asked)):
            continue  # it does not apply to codes
        for row in range(after.rows):
            one = number(after.values[left][row])
            other = number(after.values[right][row]) if right in after.values else None
            if right not in after.values:
                other = Fraction(right)
            if one is None or other is None:
                continue
            gap = other - one if sign == ">=" else one - other
            room = (abs(one) + abs(other)) / 10**6
            if gap > room:
                return [Finding("rule", f"{rule!r} is broken by {float(one)}, {float(other)}")]
    return []
