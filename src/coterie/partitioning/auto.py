"""`auto`: what fits the size of the table and the time.

Small tables and single attributes get their proved optimum, all others `optimize`, with an effort
that a person waits for: some seconds up to ten thousand records, about a minute for a million.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from coterie.errors import ParameterError
from coterie.partitioning.core import Outcome
from coterie.partitioning.driver import Run
from coterie.partitioning.exact.optimum import ExactOptions, exact
from coterie.partitioning.options import integer
from coterie.partitioning.problem import Problem
from coterie.partitioning.search.optimize.composition import USUAL
from coterie.partitioning.search.optimize.course import LARGE
from coterie.partitioning.search.optimize.options import OptimizeOptions
from coterie.partitioning.search.optimize.search import optimize

__all__ = ["AutoOptions", "auto"]

WORK = 60_000_000  # proposals in all, where that is enough for every record
MOST, LEAST = 10_000, 40  # proposals for a record
MELTED = 0.6  # share of them spent on annealing everything, before the regions
MELTED_LARGE = 0.9  # the same for tables that are too large to be melted all through

# What is melted needs no better path than MDAV's: nothing else is computed, or compiled.
ONE_PATH = replace(USUAL, start=replace(USUAL.start, paths=1))


@dataclass(frozen=True)
class AutoOptions:
    """How hard to search.

    effort
        Moves proposed for each record, beside some 500 for each start. By default 10,000 for up to
        6000 records and fewer beyond, down to 40. Not together with `iterations` or a time limit,
        which decide by themselves.
    """

    effort: int | None = integer(None)


def auto(problem: Problem, run: Run, options: AutoOptions) -> Outcome:
    """The proved optimum where it is cheap, else `optimize` for as long as a person waits."""
    if problem.d == 1 or problem.n <= USUAL.small:
        return exact(problem, run, ExactOptions())
    if run.time_limit is not None or run.iterations is not None:
        if options.effort is not None:
            raise ParameterError(
                "The 'effort' option of method 'auto' must stand alone. Got it beside a time limit "
                "or iterations, which decide by themselves; leave one of them out."
            )
        return optimize(problem, run, OptimizeOptions())
    effort = options.effort or max(LEAST, min(MOST, WORK // problem.n))
    melt = int((MELTED if problem.n <= LARGE else MELTED_LARGE) * effort)
    melted = problem.n <= LARGE and melt >= USUAL.melting.quick.proposals
    search = OptimizeOptions(melt=melt, start="both" if melted else "paths")
    search = replace(search, rounds=(effort - melt) / search.proposals)
    return optimize(problem, run, search, ONE_PATH if melted else None)
