"""What a report looks at: a release in memory, or records drawn from one in parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.declared import declared_columns, in_arrow

if TYPE_CHECKING:
    import narwhals as nw

    from coterie.evaluation.case import Finding
    from coterie.pipeline.release import Evidence, Release
    from coterie.table.schema import Schema

__all__ = ["Subject", "subject_of"]


@dataclass(frozen=True, eq=False)
class Subject:
    """A release as a report sees it.

    Attributes
    ----------
    original, released : narwhals.DataFrame
        Row by row: all released records, or those that were drawn.
    units : int array or None
        Of those rows.
    records : int
        All that were released.
    sizes : Counter
        Classes of so many units, of all released records.
    sets : int
        Sets of keys that were masked apart.
    columns : list of str
        Of the release.
    searched : list of Partition
        Groups whose search can be drawn.
    analyses : sequence of str
        What is estimated from both tables.
    crosswalk : int array or None
        Original row of each released one; None where that is not known.
    estimated : Finding or None
        The analyses of all records, where those looked at are not all.
    """

    k: int
    schema: Schema
    evidence: Evidence
    original: nw.DataFrame[Any]
    released: nw.DataFrame[Any]
    units: NDArray[np.int64] | None
    records: int
    sizes: Counter[int]
    sets: int
    method: str
    origin: str
    columns: list[str]
    searched: list[Any] = field(default_factory=list)
    analyses: Sequence[str] = ()
    crosswalk: NDArray[np.int64] | None = None
    estimated: Finding | None = None

    @property
    def drawn(self) -> int | None:
        """How many records were drawn; None if all are looked at."""
        return len(self.released) if len(self.released) < self.records else None

    @property
    def others(self) -> list[str]:
        """Columns released as they are without a role."""
        known = {*self.schema.keys, *self.schema.confidential, *self.schema.strata}
        return [name for name in self.columns if name not in known]


def subject_of(release: Release) -> Subject:
    """All records of a release in memory."""
    counts = np.concatenate(_released_sizes(release))
    searched = [p for p in release.partitions if p.trace]
    return Subject(
        release.k,
        release.schema,
        release.evidence,
        _aligned_original(release, declared_columns(release.schema, release.plan.analyses)),
        in_arrow(release.frame),
        release.units,
        len(release.frame),
        Counter(counts.tolist()),
        len(release.key_sets),
        release.partition.method,
        release.source.origin,
        list(release.frame.columns),
        searched if len(release.partitions) == 1 else [],
        release.plan.analyses,
        release.crosswalk,
    )


def _aligned_original(release: Release, names: Sequence[str]) -> nw.DataFrame[Any]:
    """Columns of the original, row by row as they were released."""
    import narwhals as nw
    import pyarrow as pa

    wanted = list(dict.fromkeys(names))
    table = release.source.frame.select(wanted).to_arrow()
    return nw.from_native(table.take(pa.array(release.crosswalk)), eager_only=True)


def _released_sizes(release: Release) -> list[NDArray[np.int64]]:
    """Units in each class of the released table, for each set of keys that was masked apart."""
    from coterie.table.classes import class_sizes
    from coterie.table.source import Source

    source = Source(release.frame, release.source.format, "release")
    return [class_sizes(source, names, release.units) for names in release.key_sets]
