"""How classes stand to one rule: the worst of them, and how many miss it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from numpy.typing import NDArray

__all__ = ["RuleFinding", "at_least", "at_most", "below"]

AT_LEAST = ("unit", "min_distinct", "entropy_l", "p_percent")  # the others are at most
SLACK = 1e-9  # rounding of a share or a distance; the kernels allow a tenth of it


@dataclass(frozen=True)
class RuleFinding:
    """How a set of classes stands to one rule.

    Attributes
    ----------
    rule : str
        "unit", "together", or one of `coterie.guarantees.thresholds`.
    column : str or None
        The attribute it is about; None for units.
    asked, worst : float
        The threshold, and the class that comes nearest to it or misses it most.
    failing, classes : int
        Classes that miss it, of how many.
    """

    rule: str
    column: str | None
    asked: Any
    worst: float
    failing: int
    classes: int

    @classmethod
    def merged(cls, parts: Sequence[RuleFinding]) -> RuleFinding:
        """How all classes stand to a rule that was looked at in several parts."""
        worst = min if parts[0].rule in AT_LEAST else max
        return replace(
            parts[0],
            worst=worst(one.worst for one in parts),
            failing=sum(one.failing for one in parts),
            classes=sum(one.classes for one in parts),
        )

    @property
    def name(self) -> str:
        """The rule and its column in one word."""
        return self.rule if self.column is None else f"{self.rule}[{self.column}]"

    def __str__(self) -> str:
        about = "" if self.column is None else f" on {self.column!r}"
        return f"{self.rule} = {self.asked}{about}: worst {self.worst:.6g}"


def at_least(rule: str, column: str | None, asked: float, found: NDArray) -> RuleFinding:
    """How classes with the values `found` stand to a lower limit."""
    failing = int((found < asked * (1.0 - SLACK)).sum())
    return RuleFinding(rule, column, asked, float(found.min()), failing, len(found))


def below(rule: str, column: str | None, asked: float, found: NDArray) -> RuleFinding:
    """How classes with the values `found` stand to a limit that none may reach."""
    failing = int((found >= asked * (1.0 - SLACK)).sum())
    return RuleFinding(rule, column, asked, float(found.max()), failing, len(found))


def at_most(rule: str, column: str | None, asked: float, found: NDArray) -> RuleFinding:
    """How classes with the values `found` stand to an upper limit."""
    failing = int((found > asked + SLACK).sum())
    return RuleFinding(rule, column, asked, float(found.max()), failing, len(found))
