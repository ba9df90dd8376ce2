"""`compare`: one table, several methods and k, what each loses and how much it can be linked."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from coterie.errors import bad_parameter
from coterie.partitioning.driver import Progress
from coterie.pipeline import anonymize
from coterie.table.read import read
from coterie.table.source import Source

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["compare"]


def compare(
    table: Any,
    k: Sequence[int],
    methods: Sequence[str],
    quasi_identifiers: Sequence[str],
    *,
    callback: Callable[[Progress], object] | None = None,
    **arguments: Any,
) -> pd.DataFrame:
    """Protect a table by each method at each k and say what it costs.

    A better fit at the same k can be linked more, so linkage stands beside the loss.

    Parameters
    ----------
    table, quasi_identifiers, **arguments
        As `coterie.anonymize` takes them.
    k : sequence of int
        Group sizes.
    methods : sequence of str
        Names of `coterie.methods`.
    callback : callable, optional
        Called with a `Progress`.

    Returns
    -------
    pandas.DataFrame
        A row for each method and k: information loss in percent, groups, smallest and largest
        class, expected share of records linked in percent (None for large tables), seconds.

    Examples
    --------
    >>> import coterie
    >>> from coterie.tuning import compare
    >>> patients = coterie.datasets.diabetes()
    >>> found = compare(patients, [3, 5], ["mdav", "mdav-mhm"], ["age", "sex", "bmi", "bp"])
    >>> found["method"].tolist()
    ['mdav', 'mdav-mhm', 'mdav', 'mdav-mhm']
    """
    import pandas as pd

    for name, value in (("k", k), ("methods", methods)):
        if isinstance(value, str) or not isinstance(value, Sequence) or not value:
            raise bad_parameter(name, "compare", "a sequence with at least one element", value)
    source = table if isinstance(table, Source) else read(table)
    keys = list(quasi_identifiers)
    rows = []
    for size in k:
        for method in methods:
            began = time.perf_counter()
            release = anonymize(
                source, size, keys, method=method, row_order="keep", callback=callback, **arguments
            )
            seconds = time.perf_counter() - began
            sizes = release.partition.sizes
            rows.append(
                {
                    "k": size,
                    "method": method,
                    "information_loss": release.information_loss,
                    "linked": release.evidence.internal["measures"].get("dld_expected"),
                    "groups": len(sizes),
                    "smallest": int(sizes.min()),
                    "largest": int(sizes.max()),
                    "seconds": seconds,
                }
            )
    return pd.DataFrame(rows)
