"""What was asked of a release, as far as its checks need it, and what they find."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from tests.fuzz.grid import Grid

SCALES = ("ordered", "cut", "Enum")  # dtypes that say an order


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
    columns: list[str] = field(default_factory=list)
    damaged: bool = False
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
            columns=[c["name"] for c in case["columns"]],
            damaged=case.get("kind") == "text",
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
        unit = {self.unit} if self.unit is not None and self.unit not in declared else set()
        return set(self.identifiers) | unit

    @property
    def generalized(self) -> list[str]:
        """Keys of which a label or an interval is released."""
        said = self.plan.get("releases") or {}
        trees = self.plan.get("hierarchies") or {}
        made = {name: said.get(name, "ancestor" if name in trees else "") for name in self.keys}
        return [name for name, word in made.items() if word in ("ancestor", "interval")]

    @property
    def may_suppress(self) -> float:
        """Share of the units that may be suppressed."""
        return float(self.plan.get("suppress_at_most") or 0.0)

    @property
    def drops(self) -> bool:
        """Whether any number of records may be left out."""
        ways = [self.plan.get(name) for name in ("missing", "small_strata", "broken_rules")]
        return "drop" in [*ways, self.plan.get("departed")]

    @property
    def codes(self) -> dict[str, Any]:
        """Values that mean missing, by column."""
        codes = self.plan.get("missing_codes") or {}
        if isinstance(codes, (int, float, str)):
            codes = [codes]
        if not isinstance(codes, dict):
            codes = {"*": codes}
        if "*" not in codes:
            return codes
        # Without a column they are meant wherever they stand, in keys or not.
        return {
            name: [*_several(codes.get(name, ())), *_several(codes["*"])]
            for name in dict.fromkeys([*self.keys, *self.columns])
        }

    @property
    def coded(self) -> set[str]:
        """Columns to which rules may not apply, since their codes are no numbers."""
        codes = self.plan.get("missing_codes") or {}
        named = set(codes) - {"*"} if isinstance(codes, dict) else set()
        return named | (set(self.codes) & set(self.keys))


def _several(codes: Any) -> list[Any]:
    return [codes] if isinstance(codes, (int, float, str)) else list(codes)


def classes(grid: Grid, names: list[str]) -> dict[Any, list[int]]:
    """Rows by what is written in some columns."""
    made: dict[Any, list[int]] = defaultdict(list)
    for row, cells in enumerate(zip(*(grid.tokens[name] for name in names), strict=True)):
        made[cells].append(row)
    return made
