"""What each column is: its roles, its type, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from coterie.errors import unknown_name
from coterie.hierarchy.intervals import IntervalSteps
from coterie.hierarchy.tree import Hierarchy

__all__ = ["TRANSFORMS", "TYPES", "Attribute", "Schema"]

TYPES = ("continuous", "integer", "ordinal", "nominal", "boolean", "date", "datetime")
TRANSFORMS = ("none", "log1p", "asinh", "rank")


def _found() -> Any:
    """A field that is found from the others when the value is made."""
    return field(init=False, compare=False, repr=False)


@dataclass(frozen=True)
class Attribute:
    """A column of a table.

    Attributes
    ----------
    name : str
        The column.
    roles : frozenset of str
        Of "key", "confidential", "identifier", "stratum", "unit", "weight", "other". A column may
        be key and confidential.
    type : str
        "continuous", "integer", "ordinal", "nominal", "boolean", "date" or "datetime".
    role_reason, type_reason : str
        Why this role, and why this type, in words.
    order : tuple, optional
        The values of an ordinal, lowest first.
    missing_codes : tuple
        Values that count as missing, in the column's own type.
    transform : str
        "none", "log1p", "asinh" or "rank": what is done before distances are measured.
    weight : float
        How much the column counts in distances.
    declared : bool
        Whether the caller has said that the column may stay, although it looks like an identifier.
    hierarchy : Hierarchy, optional
        The tree behind its values, where distance and loss count levels.
    release : str
        What is released of a group where the column says so itself: "ancestor", "interval", "mode",
        "mean" or "median"; empty where the plan's aggregation decides.
    steps : IntervalSteps, optional
        What the ends of released intervals are rounded outwards to.
    coded : str
        Why whole numbers are taken for codes, where they are and nobody has declared a type.
    taken_for_code : bool
        Whether that is why it has its type, which a hierarchy may give it as well.
    exceptions : tuple of str
        What speaks against releasing a declared column.
    generalized : bool
        Whether released values are text that is true of every record of a group.
    reason : str
        Why this role and type, in one line.
    """

    name: str
    roles: frozenset[str]
    type: str
    role_reason: str
    type_reason: str = ""
    order: tuple[Any, ...] | None = None
    missing_codes: tuple[Any, ...] = ()
    transform: str = "none"
    weight: float = 1.0
    declared: bool = False
    hierarchy: Hierarchy | None = None
    release: str = ""
    steps: IntervalSteps | None = None
    coded: str = ""
    taken_for_code: bool = False
    exceptions: tuple[str, ...] = ()

    generalized: bool = _found()

    def __post_init__(self) -> None:
        object.__setattr__(self, "generalized", self.release in ("ancestor", "interval"))

    @property
    def reason(self) -> str:
        """Why this role and type, in one line."""
        taken = "taken for a code: " if self.taken_for_code else ""
        kind = f"; {self.type}: {taken}{self.type_reason}" if self.type_reason else ""
        return self.role_reason + kind


@dataclass(frozen=True)
class Schema:
    """The attributes of a table, in column order.

    Attributes
    ----------
    attributes : tuple of Attribute
        Every column; all that follows is found from them.
    names : tuple of str
        Every column.
    key_attributes, keys : tuple of Attribute, tuple of str
        Columns that are grouped and released as centroids.
    confidential : tuple of str
        Columns that are watched.
    identifiers : tuple of str
        Columns that are dropped.
    strata : tuple of str
        Columns whose values no group may mix.
    unit : str or None
        The column that names the respondent.
    sample_weight : str or None
        The column of sampling weights.
    unused : tuple of str
        Columns that are dropped at once: neither unit nor weight, which count before.

    Examples
    --------
    >>> from coterie.table import infer, read
    >>> import pandas as pd
    >>> schema = infer(read(pd.DataFrame({"age": [30, 40]})), quasi_identifiers=["age"])
    >>> schema.keys, schema["age"].type
    (('age',), 'integer')
    """

    attributes: tuple[Attribute, ...]

    names: tuple[str, ...] = _found()
    key_attributes: tuple[Attribute, ...] = _found()
    keys: tuple[str, ...] = _found()
    confidential: tuple[str, ...] = _found()
    identifiers: tuple[str, ...] = _found()
    strata: tuple[str, ...] = _found()
    unit: str | None = _found()
    sample_weight: str | None = _found()
    unused: tuple[str, ...] = _found()

    def __post_init__(self) -> None:
        dropped = [a for a in self.attributes if "identifier" in a.roles]
        known = {
            "names": tuple(a.name for a in self.attributes),
            "key_attributes": tuple(a for a in self.attributes if "key" in a.roles),
            "keys": self.having("key"),
            "confidential": self.having("confidential"),
            "identifiers": self.having("identifier"),
            "strata": self.having("stratum"),
            "unit": next(iter(self.having("unit")), None),
            "sample_weight": next(iter(self.having("weight")), None),
            "unused": tuple(a.name for a in dropped if not a.roles & {"unit", "weight"}),
        }
        for name, value in known.items():
            object.__setattr__(self, name, value)

    def fates(self) -> dict[str, tuple[str, ...]]:
        """What becomes of every column: released as centroids, as it is, or dropped.

        The unit names the respondent: it is counted, and released only if the caller declares it.
        """
        dropped = {*self.identifiers}
        if self.unit is not None and not self[self.unit].declared:
            dropped.add(self.unit)
        keys = [name for name in self.keys if name not in dropped]
        as_is = [name for name in self.names if name not in dropped and name not in keys]
        return {
            "released as centroids": tuple(keys),
            "released as it is": tuple(as_is),
            "dropped": tuple(name for name in self.names if name in dropped),
        }

    def having(self, role: str) -> tuple[str, ...]:
        """Columns with a role."""
        return tuple(a.name for a in self.attributes if role in a.roles)

    @cached_property
    def _by_name(self) -> dict[str, Attribute]:
        return {attribute.name: attribute for attribute in reversed(self.attributes)}

    def __getitem__(self, name: str) -> Attribute:
        if name not in self._by_name:
            raise unknown_name("column", name, self.names)
        return self._by_name[name]

    def __iter__(self) -> Iterator[Attribute]:
        return iter(self.attributes)

    def __len__(self) -> int:
        return len(self.attributes)
