"""A hierarchy: the path of every value, from itself (level 0) up to the root.

All paths have the same length. A label means one set of values, those on whose path it stands; it
may stand on several levels of a path, one above the other, where a branch is shorter than others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from coterie.hierarchy.rungs import Rungs, text_of

__all__ = ["ROOT", "Hierarchy"]

ROOT = "*"


@dataclass(frozen=True)
class Hierarchy:
    """The tree behind a column.

    Attributes
    ----------
    rungs : Rungs
        What gives a value its labels, from the value itself upwards, the root left out.
    kept : tuple of int, optional
        The levels of these that count: one that never differs from the level below is left out.
    levels : tuple of float
        The weight of each level that counts, from the values upwards; they add up to 1.
    root : str
        The label of everything.

    Examples
    --------
    >>> from coterie.hierarchy import build
    >>> tree = build({"prefix": [1, 3]}).closed(["C50.1", "C50.9", "I21.0"])
    >>> tree.path("C50.1")
    ('C50.1', 'C50', 'C', '*')
    >>> tree.given_up("C50.1", "C")
    0.6666666666666666
    >>> tree.given_up("I21.0", "C")
    1.0
    """

    rungs: Rungs
    kept: tuple[int, ...] | None = None
    levels: tuple[float, ...] = ()
    root: str = ROOT
    weights: tuple[float, ...] = field(default=(), repr=False)

    def path(self, value: Any) -> tuple[str, ...]:
        """The labels of a value, itself first and the root last; KeyError if it has none."""
        labels = self.rungs.labels(value)
        chosen = labels if self.kept is None else tuple(labels[level] for level in self.kept)
        return (*chosen, self.root)

    def closed(self, values: Iterable[Any]) -> Hierarchy:
        """The hierarchy of a table with these values: without levels that never tell anything.

        A level counts if some value has another label there than on the level below; the value's
        own level always does.
        """
        found = [self.rungs.labels(value) for value in values if self.knows(value)]
        depth = self.rungs.depth
        kept = (0, *(j for j in range(1, depth) if any(p[j] != p[j - 1] for p in found)))
        given = self.weights or (1.0,) * depth
        chosen = [given[level] for level in kept]
        total = math.fsum(chosen)
        return replace(self, kept=kept, levels=tuple(weight / total for weight in chosen))

    def knows(self, value: Any) -> bool:
        """Whether a value has a path."""
        try:
            self.rungs.labels(value)
        except (KeyError, ValueError, TypeError):
            return False
        return True

    def extended(self, recoded: Mapping[str, Any]) -> Hierarchy:
        """The tree with a level below: what stood there before values were recoded to its own."""
        return replace(self, rungs=Below(self.rungs, recoded), kept=None, levels=(), weights=())

    def shares(self, path: Sequence[str], released: str) -> float:
        """The share of the levels of a path that a released label gives up.

        0 if it is the value itself, 1 if it is the root or no label of the path at any level.
        """
        if released in path:
            return math.fsum(self.levels[: path.index(released)])
        other = self.upwards(released)
        alike = [w for w, a, b in zip(self.levels, path, other, strict=False) if a == b]
        return max(0.0, 1.0 - math.fsum(alike))

    def given_up(self, value: Any, released: str) -> float:
        """The same of a value."""
        return self.shares(self.path(value), released)

    def upwards(self, label: str) -> tuple[str | None, ...]:
        """The path of a label that may be no value: None below the level where it stands."""
        if self.rungs.knows_label(label):
            return self.path(label)
        inner = self._inner.get(label)
        return inner if inner is not None else (None,) * len(self.levels) + (self.root,)

    @cached_property
    def _inner(self) -> dict[str, tuple[str | None, ...]]:
        """The paths of labels above the values, where the tree is listed."""
        paths: dict[str, tuple[str | None, ...]] = {}
        for value in self.rungs.listed():
            path = self.path(value)
            for level, label in enumerate(path):
                paths.setdefault(label, (None,) * level + path[level:])
        return paths

    def text(self, value: Any) -> str:
        """A value as the hierarchy spells it."""
        return text_of(value)


@dataclass(frozen=True)
class Below:
    """Labels of values that were recoded: the value as it was, then those of what it became."""

    above: Rungs
    recoded: Mapping[str, Any]

    @property
    def depth(self) -> int:
        """Number of levels below the root."""
        return self.above.depth + 1

    def labels(self, value: Any) -> tuple[str, ...]:
        """The labels of a value, itself first."""
        text = text_of(value)
        if text in self.recoded:
            return (text, *self.above.labels(self.recoded[text]))
        return (text, *self.above.labels(value))  # what was recoded already

    def knows_label(self, label: str) -> bool:
        """Whether a label is a value of the table as it was."""
        return label in self.recoded

    def listed(self) -> Iterable[str]:
        """The values as they were."""
        return self.recoded
