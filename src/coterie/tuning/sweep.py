"""The one sweep: every setting makes a release, every release is judged, and each gives a row."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from coterie.errors import CoterieError
from coterie.evaluation.bars import Bar
from coterie.partitioning.driver import Progress

__all__ = ["met", "sweep"]

Setting = TypeVar("Setting")
Result = TypeVar("Result")


def sweep(
    settings: Sequence[Setting],
    make: Callable[[Setting], Result],
    judge: Callable[[Setting, Result, float], dict[str, Any]],
    *,
    refused: Callable[[Setting, CoterieError], dict[str, Any]] | None = None,
    phase: str = "sweep",
    callback: Callable[[Progress], object] | None = None,
) -> list[dict[str, Any]]:
    """A row for each setting.

    Parameters
    ----------
    settings : sequence
        In the order of the rows.
    make : callable
        The release of a setting.
    judge : callable
        The row of a setting, of its release and of the seconds that this took.
    refused : callable, optional
        The row of a setting that is refused; without it a refusal ends the sweep.
    phase, callback
        What is told of each row.

    Examples
    --------
    >>> sweep([3, 5], lambda k: 100 / k, lambda k, risk, seconds: {"k": k, "risk": risk})
    [{'k': 3, 'risk': 33.333333333333336}, {'k': 5, 'risk': 20.0}]
    """
    began = time.perf_counter()
    rows: list[dict[str, Any]] = []
    for setting in settings:
        start = time.perf_counter()
        try:
            result = make(setting)
        except CoterieError as error:
            if refused is None:
                raise
            rows.append(refused(setting, error))
        else:
            rows.append(judge(setting, result, time.perf_counter() - start))
        if callback is not None:
            callback(Progress(phase, time.perf_counter() - began, len(rows) / len(settings)))
    return rows


def met(values: Mapping[str, float | None], bars: Mapping[str, Bar]) -> bool | None:
    """Whether a release meets every bar; what was not measured does not. None without any."""
    return all(bar.met(values.get(name)) for name, bar in bars.items()) if bars else None
