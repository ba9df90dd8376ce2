"""Rules: how a plan says what hierarchy a column has, and the hierarchy it makes.

| rule | what it is |
| --- | --- |
| ``{"prefix": [1, 2, 4]}`` | the first letters and digits of codes |
| ``{"bands": [5, 10, 20]}`` | bands of numbers, each a multiple of the one before |
| ``{"dates": ["month", "year"]}`` | what a date lies in |
| ``{"file": "icd.csv"}``, ``"icd.csv"`` | a file in ARX's layout |
| ``{"tree": {"A": ["a1", "a2"]}}`` | a nested mapping, values in lists |
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from numbers import Real
from typing import Any

from coterie.errors import DataError, together
from coterie.hierarchy.checker import of_paths
from coterie.hierarchy.files import read_levels
from coterie.hierarchy.rungs import STEPS, Bands, Dates, Prefix, text_of
from coterie.hierarchy.tree import Hierarchy

__all__ = ["KINDS", "RULE", "build", "check_rule"]

KINDS = ("prefix", "bands", "dates", "file", "tree")
RULE = (
    "one of {prefix = [1, 2, 4]}, {bands = [5, 10]} (each a multiple of the one before), "
    "{dates = ['month', 'year']}, a file, or a nested mapping; weights beside it, if any"
)


def check_rule(value: Any) -> dict[str, Any]:
    """A rule in its own form: one of the kinds, and weights. Raises TypeError, ValueError."""
    if isinstance(value, (str, os.PathLike)):
        return {"file": os.fspath(value)}
    if not isinstance(value, Mapping) or not value:
        raise TypeError
    if not set(value) <= {*KINDS, "weights"}:
        return {"tree": _plain(value)}  # a nested mapping by itself
    kinds = [kind for kind in KINDS if kind in value]
    if len(kinds) != 1:
        raise ValueError
    kind = kinds[0]
    rule: dict[str, Any] = {kind: CHECKS[kind](value[kind])}
    if value.get("weights"):
        weights = [float(weight) for weight in value["weights"]]
        if not all(0 <= weight < float("inf") for weight in weights) or not any(weights):
            raise ValueError
        rule["weights"] = weights
    return rule


def build(rule: Any) -> Hierarchy:
    """The hierarchy of a rule.

    Raises
    ------
    DataError
        With every problem of a file or a mapping.
    TypeError, ValueError
        If it is no rule.

    Examples
    --------
    >>> build({"bands": [5, 10]}).path(23)
    ('23', '[20, 25)', '[20, 30)', '*')
    >>> build({"dates": ["month", "decade"]}).path("1984-05-31")
    ('1984-05-31', '1984-05', '1980s', '*')
    >>> build({"Services": {"IT": ["6201", "6202"]}, "Farms": ["0111"]}).path("0111")
    ('0111', '0111', 'Farms', '*')
    """
    rule = check_rule(rule)
    weights = tuple(rule.get("weights", ()))
    if "prefix" in rule:
        hierarchy = Hierarchy(Prefix(tuple(sorted(rule["prefix"], reverse=True))))
    elif "bands" in rule:
        hierarchy = Hierarchy(Bands(tuple(Decimal(text_of(width)) for width in rule["bands"])))
    elif "dates" in rule:
        hierarchy = Hierarchy(Dates(tuple(rule["dates"])))
    else:
        origin = f"Hierarchy file {rule['file']}" if "file" in rule else "The nested mapping"
        rows = read_levels(rule["file"]) if "file" in rule else _rows(rule["tree"])
        hierarchy, problems = of_paths(rows)
        if problems:
            raise DataError(f"{origin} must be a tree. Got: {together(problems)}")
    if weights and len(weights) != hierarchy.rungs.depth:
        raise DataError(
            f"weights of a hierarchy must be one for each level, values first: "
            f"{hierarchy.rungs.depth}. Got {len(weights)}; correct them."
        )
    opened = Hierarchy(hierarchy.rungs, root=hierarchy.root, weights=weights)
    return opened.closed(hierarchy.rungs.listed()) if hierarchy.kept is not None else _open(opened)


def _open(tree: Hierarchy) -> Hierarchy:
    """A rule by itself: every level counts until values are known."""
    depth = tree.rungs.depth
    given = tree.weights or (1.0,) * depth
    total = sum(given)
    return Hierarchy(
        tree.rungs, tuple(range(depth)), tuple(w / total for w in given), tree.root, tree.weights
    )


def _rows(tree: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """The paths of a nested mapping, all as long as the longest."""
    paths = list(_leaves(tree, ()))
    depth = max((len(path) for path in paths), default=1)
    return [tuple(reversed((*path, *(path[-1],) * (depth - len(path))))) for path in paths]


def _leaves(tree: Any, above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if isinstance(tree, Mapping):
        for label, below in tree.items():
            yield from _leaves(below, (*above, label))
    elif isinstance(tree, Sequence) and not isinstance(tree, str) and tree:
        for value in tree:
            yield (*above, value)
    elif not tree:
        yield above
    else:
        yield (*above, tree)


def _plain(tree: Any) -> Any:
    """A nested mapping as a settings file can hold it: texts, lists and mappings."""
    if isinstance(tree, Mapping):
        return {text_of(label): _plain(below) for label, below in tree.items()}
    if isinstance(tree, (str, Real)) or tree is None:
        return [] if tree is None else [text_of(tree)]
    values = list(tree)
    if any(isinstance(value, (Mapping, list, tuple)) for value in values):
        raise TypeError
    return [text_of(value) for value in values]


def _lengths(value: Any) -> list[int]:
    given = _several(value)
    if not all(isinstance(n, int) and not isinstance(n, bool) and n > 0 for n in given):
        raise ValueError
    return sorted(set(given))


def _widths(value: Any) -> list[float]:
    given = _several(value)
    if not all(
        isinstance(w, Real) and not isinstance(w, bool) and 0 < float(w) < 1e300 for w in given
    ):
        raise ValueError
    exact = [Decimal(text_of(width)) for width in given]
    if any(wide <= narrow or wide % narrow for narrow, wide in pairwise(exact)):
        raise ValueError
    return given


def _steps(value: Any) -> list[str]:
    given = _several(value)
    if not set(given) <= set(STEPS):
        raise ValueError
    return sorted(set(given), key=STEPS.index)


def _several(value: Any) -> list[Any]:
    items = [value] if isinstance(value, (str, Real)) else list(value)
    if not items:
        raise ValueError
    return items


def _file(value: Any) -> str:
    return os.fspath(value)


def _tree(value: Any) -> Any:
    if not isinstance(value, Mapping) or not value:
        raise TypeError
    return _plain(value)


CHECKS = {"prefix": _lengths, "bands": _widths, "dates": _steps, "file": _file, "tree": _tree}
