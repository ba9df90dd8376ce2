"""The whole course of columns by themselves: relax, settle the outliers, fix, close.

`optimize` takes these steps between its others (`coterie.partitioning.search.optimize.columns`).
"""

from __future__ import annotations

from coterie.partitioning.core import Outcome
from coterie.partitioning.exact.beginning import first_outcome
from coterie.partitioning.exact.branching import ColumnSearch, ColumnsOptions

__all__ = ["by_columns"]


def by_columns(problem, run, start=None):
    """The best partition that columns find from `start` on (MDAV cut anew), with its bound.

    The run's time limit and Ctrl-C end the work with what is known. `lower_bound` equals the SSE
    where the optimum was proved.
    """
    start = first_outcome(problem, run).labels if start is None else start
    search = ColumnSearch(problem, run, ColumnsOptions(), start)
    interrupted = False
    try:
        search.relax()
        search.settle()
        search.fix()
        search.close()
    except KeyboardInterrupt:
        interrupted = True
    return Outcome(
        search.labels,
        trace=tuple(search.trace),
        lower_bound=min(search.relaxation.bound, search.sse),
        interrupted=interrupted,
    )
