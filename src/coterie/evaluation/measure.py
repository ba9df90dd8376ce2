"""What a measure is: its name, what it says, which way is good, what it needs, where it lives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from coterie.errors import unknown_name

if TYPE_CHECKING:
    from coterie.evaluation.case import Case, Finding

__all__ = ["Measure", "Measures"]

PERCENT = (0.0, 100.0)
SAFER_LOW = "lower is safer"
SAFER_HIGH = "higher is safer"
USEFUL_HIGH = "higher is more useful"
BETTER_HIGH = "higher is better"
HIGHER = (SAFER_HIGH, USEFUL_HIGH, BETTER_HIGH)
USEFUL_LOW = "lower is more useful"
P3M = "Mortazavi, Jalili (2017), Transactions on Data Privacy 10:117-144"  # of risks and losses


@dataclass(frozen=True)
class Measure:
    """One line of the table.

    Attributes
    ----------
    name : str
        As `coterie.evaluate` gives it.
    title : str
        What it says, in one line.
    kind : str
        ``"risk"``, ``"utility"`` or ``"trade-off"``.
    direction : str
        Which way is good, in words.
    bounds : tuple of two floats
        Least and largest possible value.
    reference : str
        Publication and equation.
    rowwise : bool
        Whether it compares records one by one and so needs aligned tables.
    needs : str
        ``""``, ``"numeric"`` (a numeric key), ``"pairs"`` (two of them), ``"several"`` (two keys),
        ``"category"`` (a key of categories), ``"confidential"`` (a confidential column),
        ``"weights"`` (sampling weights), ``"analyses"``,
        ``"population"`` (a table of it) or ``"delta"`` (distance targets).
    links : bool
        Whether it links records, and so needs the same gaps in both tables.
    knows : bool
        Whether it depends on what the intruder knows, and does not link.
    """

    name: str
    title: str
    bounds: tuple[float, float]
    reference: str
    target: str
    kind: str
    direction: str
    rowwise: bool = False
    needs: str = ""
    links: bool = False
    knows: bool = False

    @property
    def rises(self) -> bool:
        """Whether a higher value is the better one."""
        return self.direction in HIGHER

    def load(self) -> Callable[[Case], Finding]:
        """The function behind it."""
        module, function = self.target.split(":")
        found: Callable[[Case], Finding] = getattr(
            import_module(f"coterie.evaluation.{module}"), function
        )
        return found


class Measures(dict[str, Measure]):
    """Measures by their names."""

    def find(self, name: object) -> Measure:
        """The measure called `name`, or an error with the nearest one."""
        if isinstance(name, str) and name in self:
            return self[name]
        raise unknown_name("measure", name, self)
