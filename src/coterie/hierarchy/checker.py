"""The one checker: every value has one path, levels nest, a label means one thing.

All problems are gathered; a value that a hierarchy does not know is told with the nearest one.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from coterie.errors import listed, shown
from coterie.hierarchy.rungs import Listed
from coterie.hierarchy.tree import ROOT, Hierarchy

__all__ = ["found_in", "nesting", "of_paths"]

MOST = 5  # of a kind that a message names


def of_paths(
    rows: Iterable[Sequence[str]], weights: Sequence[float] = ()
) -> tuple[Hierarchy, list[str]]:
    """The hierarchy of listed paths, values first, and every problem with it.

    A last level that all share is the root; where there is none, ``*`` is.

    Examples
    --------
    >>> tree, problems = of_paths([("11", "1", "*"), ("12", "1", "*"), ("21", "2", "*")])
    >>> tree.path("12"), problems
    (('12', '1', '*'), [])
    >>> of_paths([("a", "x"), ("a", "y")])[1]
    ["'a' has two paths (x, y)"]
    """
    given = [tuple(row) for row in rows]
    root = ROOT
    if given and len(given[0]) > 1 and len({row[-1] for row in given}) == 1:
        root = given[0][-1]
        given = [row[:-1] for row in given]
    problems: list[str] = []
    paths: dict[str, tuple[str, ...]] = {}
    for row in given:
        known = paths.setdefault(row[0], row)
        if known != row:
            several = [" < ".join(path[1:]) for path in (known, row)]
            problems.append(f"{shown(row[0])} has two paths ({', '.join(several)})")
    problems += nesting([(*path, root) for path in paths.values()])
    depth = len(given[0]) if given else 1
    tree = Hierarchy(Listed(paths, depth), root=root, weights=tuple(weights))
    return tree.closed(paths), problems


def nesting(paths: Sequence[Sequence[str]]) -> list[str]:
    """What speaks against levels: labels of two parents, labels that mean two things."""
    above: dict[tuple[int, str], set[str]] = {}
    top: dict[str, int] = {}
    for path in paths:
        for level, label in enumerate(path):
            if level + 1 < len(path):
                above.setdefault((level, label), set()).add(path[level + 1])
            top[label] = max(top.get(label, 0), level)
    problems = []
    empty = sum("" in path for path in paths)
    if empty:
        problems.append(f"{empty} path(s) have a level without a label")
    torn = [(label, sorted(up)) for (_, label), up in above.items() if len(up) > 1 and label]
    if torn:
        reported = (
            f"{shown(label)} under {' and '.join(map(shown, up[:3]))}" for label, up in torn
        )
        problems.append(f"levels must nest, but some lie in two places: {listed(reported, MOST)}")
    double = {
        label
        for path in paths
        for label in path
        if label and path[top[label]] != label and (0, label) != (top[label], label)
    }
    double -= {label for label, _ in torn}
    if double:
        problems.append(
            "a label must mean one thing, but these stand on two levels for different values: "
            f"{listed(map(shown, sorted(double)), MOST)}"
        )
    return problems


def found_in(name: str, tree: Hierarchy, values: Iterable[object]) -> list[str]:
    """What speaks against a hierarchy for a column with these values.

    Examples
    --------
    >>> tree, _ = of_paths([("C50", "C"), ("I21", "I")])
    >>> found_in("icd", tree, ["C50", "C5O"])
    ["The hierarchy of 'icd' must know every value. Got 1 that it does not: 'C5O' (near 'C50')"]
    """
    values = list(values)
    unknown = [value for value in values if not tree.knows(value)]
    problems = []
    if unknown:
        known = list(tree.rungs.listed())
        reported = []
        for value in unknown[:MOST]:
            near = difflib.get_close_matches(tree.text(value), known, n=1, cutoff=0.6)
            reported.append(shown(value) + (f" (near {near[0]!r})" if near else ""))
        more = f" and {len(unknown) - MOST} more" if len(unknown) > MOST else ""
        problems.append(
            f"The hierarchy of {name!r} must know every value. Got {len(unknown)} that it does "
            f"not: {', '.join(reported)}{more}"
        )
    paths = [tree.path(value) for value in values if tree.knows(value)]
    problems += [f"The hierarchy of {name!r}: {text}" for text in nesting(paths)]
    return problems
