"""Small strata pooled along their hierarchy: the smallest subtree that holds k units.

The pool is what is too small in that subtree, and of its other strata the smallest, as many as it
takes; it is released under the label of the subtree, which is true of all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from coterie.hierarchy.tree import Hierarchy

if TYPE_CHECKING:
    from coterie.guarantees.pooling import Cell

__all__ = ["Branch", "along"]


@dataclass(frozen=True)
class Branch:
    """Cells that are pooled, the place of the column with the tree, and the label they release."""

    cells: tuple[int, ...]
    place: int
    label: str


def along(
    names: Sequence[str],
    trees: Mapping[str, Hierarchy | None],
    cells: Sequence[Cell],
    present: Sequence[int],
    few: Sequence[int],
    held: Callable[[Sequence[int]], int],
    k: int,
) -> list[Branch]:
    """The pools along the first stratum that has a hierarchy.

    `present` are the cells that keep records, in their order; `few` those that are too small, and
    `held` counts units. All other strata and the gaps are the same within a pool. What finds no
    company along the tree is in no pool.
    """
    place = next((p for p, name in enumerate(names) if trees.get(name) is not None), None)
    if place is None or not few:
        return []
    tree = trees[names[place]]
    assert tree is not None
    paths = {c: tree.path(cells[c][0][place]) for c in present if tree.knows(cells[c][0][place])}
    rest = {
        c: (*(str(v) for p, v in enumerate(cells[c][0]) if p != place), cells[c][1]) for c in paths
    }
    small, free = [c for c in few if c in paths], [c for c in present if c in paths]
    pools = []
    for level in range(1, len(tree.levels) + 1):
        for spot in dict.fromkeys((rest[c], paths[c][level]) for c in small):
            inside = [c for c in free if (rest[c], paths[c][level]) == spot]
            if held(inside) < k:
                continue
            pool = [c for c in inside if c in small]
            others = sorted((c for c in inside if c not in small), key=lambda c: held([c]))
            while held(pool) < k:
                pool.append(others.pop(0))
            pools.append(Branch(tuple(pool), place, spot[1]))
            small = [c for c in small if c not in pool]
            free = [c for c in free if c not in pool]
    return pools
