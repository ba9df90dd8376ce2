"""Targets of data owners: how far a released value must stay away, and how much that matters.

A target is given as one number for all, one for each attribute, one for each record and attribute,
or by name: a column that holds each person's target, or a mapping from attributes to any of these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import ParameterError, bad_parameter, shown, unknown_name

__all__ = ["distance_target"]

RULES = {
    "delta": ("numbers of at least 0", np.inf),
    "importance": ("numbers from 0 to 1", 1.0),
}


def distance_target(
    name: str,
    given: Any,
    n: int,
    attributes: Sequence[str],
    table: Any = None,
    owner: str = "p3m",
) -> NDArray[np.float64] | None:
    """The distance targets as an (n, d) array, or None if none are given.

    Parameters
    ----------
    name : str
        ``"delta"`` (at least 0) or ``"importance"`` (0 to 1).
    given : number, (d,) or (n, d) array, column name, or mapping from attribute to number or name
        Attributes that a mapping leaves out have no distance target: 0.
    n : int
        Number of records.
    attributes : sequence of str
        Names of the d attributes.
    table : table, optional
        Where columns named by `given` are found.
    owner : str
        The function to name in messages.

    Examples
    --------
    >>> distance_target("delta", {"age": 0.1}, 2, ["age", "income"])
    array([[0.1, 0. ],
           [0.1, 0. ]])
    """
    if given is None:
        return None
    d = len(attributes)
    if isinstance(given, Mapping):
        values = np.zeros((n, d))
        for attribute, one in given.items():
            if attribute not in attributes:
                raise unknown_name(f"attribute in {name!r}:", attribute, attributes)
            values[:, list(attributes).index(attribute)] = _one(name, one, n, table, owner)
    elif isinstance(given, str):
        values = np.repeat(_one(name, given, n, table, owner)[:, None], d, axis=1)
    else:
        values = _array(name, given, n, d, owner)
    rule, high = RULES[name]
    bad = ~((values >= 0) & (values <= high) & np.isfinite(values))
    if bad.any():
        raise bad_parameter(name, owner, rule, float(values[bad][0]))
    return values


def _one(name: str, given: Any, n: int, table: Any, owner: str) -> NDArray[np.float64]:
    """One attribute's distance targets: a number, one number a record, or the name of a column."""
    if isinstance(given, str):
        given = _column(name, given, table)
    return _array(name, np.asarray(given).reshape(-1, 1), n, 1, owner)[:, 0]


def _column(name: str, column: str, table: Any) -> Any:
    if table is None or isinstance(table, (np.ndarray, list, tuple)):
        raise ParameterError(
            f"The {name!r} parameter names a column, {shown(column)}, which only a table has. Got "
            "an array; give the distance targets as numbers."
        )
    import narwhals as nw

    frame = nw.from_native(table, eager_only=True)
    if column not in frame.columns:
        raise unknown_name(f"column in {name!r}:", column, frame.columns)
    return frame.get_column(column).to_numpy()


def _array(name: str, given: Any, n: int, d: int, owner: str) -> NDArray[np.float64]:
    rule, _ = RULES[name]
    try:
        array = np.asarray(given)
    except ValueError:
        array = np.empty(0, dtype=object)
    if array.dtype.kind not in "iuf":
        raise bad_parameter(name, owner, rule, given)
    if array.shape not in {(), (d,), (n, d), (n, 1), (1, d), (1, 1)}:
        raise bad_parameter(
            name,
            owner,
            f"one number, one for each of the {d} attributes or an array of shape ({n}, {d})",
            f"shape {array.shape}",
            "Use a column of shape (n, 1) for one number a record.",
        )
    return np.broadcast_to(array.astype(np.float64), (n, d)).copy()
