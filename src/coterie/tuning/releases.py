"""The releases that `tune` makes of groups: aggregations, their settings and what they give."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.centroids.mean import mean
from coterie.centroids.median import median
from coterie.centroids.p3m import p3m
from coterie.errors import DataError
from coterie.evaluation.tables import Table
from coterie.tuning.arguments import check_lists, check_once
from coterie.tuning.basins import choose_basins

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["frame_of", "numeric", "released", "settings_of", "shown"]


def settings_of(
    aggregations: Sequence[str], alpha: Sequence[float], delta: Sequence[Any], basins: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Every aggregation, P3M with each combination of its settings."""
    for aggregation in aggregations:
        if aggregation != "p3m":
            yield {"aggregation": aggregation}
            continue
        for a, d, basin in itertools.product(alpha, delta, basins):
            yield {"aggregation": aggregation, "alpha": a, "delta": d, "basin": basin}


def shown(setting: dict[str, Any]) -> dict[str, Any]:
    """The settings as they stand in the table: a target that is no number or name as its type."""
    plain = {"aggregation": None, "alpha": None, "delta": None, "basin": None, **setting}
    if not isinstance(plain["delta"], (int, float, str, type(None))):
        plain["delta"] = type(plain["delta"]).__name__
    return plain


def released(
    X: NDArray[np.float64],
    labels: NDArray[np.int64],
    setting: dict[str, Any],
    importance: Any,
    keys: list[str],
    table: Any,
) -> tuple[NDArray[np.float64], dict[str, Any]]:
    """The released values, and what P3M has to say about them."""
    if setting["aggregation"] == "median":
        return median(X, labels).table, {}
    if setting["aggregation"] != "p3m":
        return mean(X, labels, renormalize=setting["aggregation"] == "renormalized").table, {}
    distance_targets = {
        "delta": setting["delta"],
        "importance": importance,
        "alpha": setting["alpha"],
    }
    distance_targets |= {"attributes": keys, "table": table}
    if setting["basin"] == "search":
        result = choose_basins(X, labels, **distance_targets).result
    else:
        result = p3m(X, labels, basin=setting["basin"], **distance_targets)
    return result.table, {"infeasible": len(result.infeasible)}


def numeric(
    table: Any, quasi_identifiers: Sequence[Any] | None, confidential: Sequence[Any]
) -> tuple[list[str], NDArray[np.float64]]:
    """Names and values of the keys."""
    import pyarrow as pa

    given = Table(table, "table")
    if quasi_identifiers is not None:
        check_lists(quasi_identifiers=quasi_identifiers)
    if len(confidential):
        check_lists(confidential=confidential)
    hidden = [str(name) for name in confidential]
    free = [name for name in given.names if name not in hidden]
    keys = free if quasi_identifiers is None else [str(name) for name in quasi_identifiers]
    check_once(quasi_identifiers=keys, confidential=hidden)
    for name in [*keys, *hidden]:
        given.check(name)
    found = []
    for name in keys:
        array = given.array(name)
        kind = "several types" if isinstance(array, list) else str(array.type)
        if isinstance(array, list) or not (
            pa.types.is_integer(array.type) or pa.types.is_floating(array.type)
        ):
            raise DataError(
                f"Column {name!r} of tune must hold numbers. Got {kind}; name the numeric columns "
                "in 'quasi_identifiers'."
            )
        found.append(array.cast(pa.float64(), safe=False).to_numpy(False))
    return keys, np.column_stack(found)


def frame_of(
    table: Any, keys: list[str], values: NDArray[np.float64], confidential: Sequence[Any]
) -> pd.DataFrame:
    """The keys with these values, and the confidential columns that are no keys as they are."""
    import pandas as pd

    frame = pd.DataFrame(values, columns=keys)
    if confidential:
        columns = Table(table, "table")
        for name in (name for name in map(str, confidential) if name not in keys):
            array = columns.array(name)
            frame[name] = array if isinstance(array, list) else array.to_pandas().to_numpy()
    return frame
