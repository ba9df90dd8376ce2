"""Plots over plain data, one a file. matplotlib loads when a plot is drawn.

Each takes `axes`, matplotlib's, to draw into (by default those of a new figure), and returns them.
"""

from coterie.report.plots.by_column import by_column
from coterie.report.plots.convergence import convergence
from coterie.report.plots.correlations import correlations
from coterie.report.plots.distribution import distribution_of_categories, distribution_of_numbers
from coterie.report.plots.group_sizes import group_sizes
from coterie.report.plots.known_keys import known_keys
from coterie.report.plots.over_k import over_k
from coterie.report.plots.risk_utility import risk_utility

__all__ = [
    "by_column",
    "convergence",
    "correlations",
    "distribution_of_categories",
    "distribution_of_numbers",
    "group_sizes",
    "known_keys",
    "over_k",
    "risk_utility",
]
