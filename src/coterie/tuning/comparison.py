"""`compare`: one table, several methods and k, what each loses and how much it can be linked."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from coterie.errors import ParameterError, bad_parameter, together
from coterie.partitioning import registry
from coterie.partitioning.driver import Progress
from coterie.pipeline import anonymize
from coterie.plan import Plan
from coterie.table.read import read
from coterie.table.source import Source

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["METHODS", "compare"]

METHODS = ("mdav", "mdav-mhm", "cbfs-mhm", "tsp-mhm", "auto")


def compare(
    table: Any,
    k: Sequence[int] | None = None,
    methods: Sequence[str] = METHODS,
    quasi_identifiers: Sequence[str] = (),
    *,
    plan: Plan | None = None,
    callback: Callable[[Progress], object] | None = None,
    **asked: Any,
) -> pd.DataFrame:
    """Protect a table by each method at each k and say what it costs.

    A better fit at the same k can be linked more, so linkage stands beside the loss.

    Parameters
    ----------
    table, quasi_identifiers, **asked
        As `coterie.anonymize` takes them.
    k : sequence of int
        Group sizes; that of the plan where none are given.
    methods : sequence of str
        Names of `coterie.methods`.
    plan : Plan, optional
        In place of quasi_identifiers and what else is asked; its k and method give way to those
        compared. A time limit is for the methods that search, method_options for the plan's own.
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

    plan, problems = _asked(plan, {"quasi_identifiers": quasi_identifiers, **asked}, k)
    sizes = [plan.k] if k is None else k
    for name, value in (("k", sizes), ("methods", methods)):
        if isinstance(value, str) or not isinstance(value, Sequence) or not value:
            problems.append(
                str(bad_parameter(name, "compare", "a sequence with at least one element", value))
            )
    if problems:
        raise ParameterError(together(problems))
    source = table if isinstance(table, Source) else read(table)
    rows = []
    for size in sizes:
        for method in methods:
            began = time.perf_counter()
            one = _by(plan, method).replace(k=size, row_order="keep")
            release = anonymize(source, one, callback=callback)
            seconds = time.perf_counter() - began
            found = release.partition.sizes
            rows.append(
                {
                    "k": size,
                    "method": method,
                    "information_loss": release.information_loss,
                    "linked": release.evidence.internal["measures"].get("dld_expected"),
                    "groups": len(found),
                    "smallest": int(found.min()),
                    "largest": int(found.max()),
                    "seconds": seconds,
                }
            )
    return pd.DataFrame(rows)


def _asked(
    plan: Plan | None, asked: dict[str, Any], k: Sequence[int] | None
) -> tuple[Plan, list[str]]:
    """What all releases of the comparison have in common, and what is wrong with it."""
    if plan is not None:
        more = [name for name, value in asked.items() if value]
        if more:
            raise ParameterError(
                f"compare takes a plan, or what a plan would hold. Got both, a plan and {more[0]}; "
                "use plan.replace(...)."
            )
        return plan, []
    first = k[0] if isinstance(k, Sequence) and not isinstance(k, str) and k else k
    return Plan.gather({"k": first, **asked}, "compare")


def _by(plan: Plan, method: str) -> Plan:
    """The plan with another method: limits are for methods that search, options for its own."""
    chosen = registry.find(method)
    own = plan.method_options if method == plan.method else None
    limits = {} if chosen.anytime else {"time_limit": None, "iterations": None}
    return plan.replace(method=method, method_options=own, **limits)
