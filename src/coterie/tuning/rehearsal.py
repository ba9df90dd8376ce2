"""A rehearsal: records held out by a seed before grouping, and a release of the others judged.

An attack that succeeds as often on records that were never released has learned nothing from the
release about those that were (`coterie.evaluation.attacks`). What is judged is the release of the
records that are left, made as the plan asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.errors import bad_parameter
from coterie.evaluation import Evaluation, evaluate
from coterie.table.arrays import take_rows
from coterie.table.source import Source

if TYPE_CHECKING:
    import narwhals as nw

    from coterie.pipeline.release import Release

__all__ = ["ATTACKS", "Rehearsal", "rehearse"]

ATTACKS = ("singling_out", "linkability", "inference")
SHARE = 0.2
MOST = 20_000  # records that are held out


@dataclass(frozen=True, eq=False)
class Rehearsal:
    """A table in two parts: what is released, and what is held out.

    Attributes
    ----------
    source : Source
        The records to protect.
    control : narwhals.DataFrame or None
        Those that are never released.
    """

    source: Source
    control: nw.DataFrame[Any] | None

    def judge(self, release: Release, measures: Sequence[str]) -> Evaluation:
        """Measure a release of `source` that kept the order of its rows."""
        before = take_rows(self.source.frame, release.crosswalk)
        schema = release.schema
        seed = release.plan.random_state
        return evaluate(
            before.to_native(),
            release.frame.to_native(),
            aligned=True,
            measures=measures,
            schema=schema,
            analyses=release.plan.analyses,
            control=None if self.control is None else self.control.to_native(),
            random_state=seed if isinstance(seed, int) else 0,
        )


def rehearse(
    source: Source, share: float | None, measures: Sequence[str], unit: str | None, seed: int
) -> Rehearsal:
    """Hold out a share of the records, or of the units; by default a fifth if there are attacks."""
    number = isinstance(share, (int, float)) and not isinstance(share, bool)
    if share is not None and not (number and 0.0 <= share < 1.0):
        raise bad_parameter("control", "compare", "a share of the records, 0 to below 1", share)
    if share is None:
        share = SHARE if any(name in ATTACKS for name in measures) else 0.0
    n = len(source.frame)
    wanted = min(int(share * n), MOST)
    if not wanted:
        return Rehearsal(source, None)
    rng = np.random.default_rng([seed, 0xC0])
    if unit is None:
        held = np.zeros(n, dtype=bool)
        held[rng.choice(n, wanted, replace=False)] = True
    else:
        place: dict[Any, int] = {}
        named = source.frame[unit].to_list()
        codes = np.array([place.setdefault(one, len(place)) for one in named])
        order = rng.permutation(len(place))
        sizes = np.bincount(codes)[order]
        held = np.isin(codes, order[: int(np.searchsorted(np.cumsum(sizes), wanted)) + 1])
    rows = np.arange(n)
    kept = replace(source, frame=take_rows(source.frame, rows[~held]))
    return Rehearsal(kept, take_rows(source.frame, rows[held]))
