"""Plots over plain data, one a file. matplotlib loads when a plot is drawn."""

from coterie.plotting.by_column import by_column
from coterie.plotting.convergence import convergence
from coterie.plotting.correlations import correlations
from coterie.plotting.distribution import distribution_of_categories, distribution_of_numbers
from coterie.plotting.group_sizes import group_sizes
from coterie.plotting.over_k import over_k
from coterie.plotting.risk_utility import risk_utility

__all__ = [
    "by_column",
    "convergence",
    "correlations",
    "distribution_of_categories",
    "distribution_of_numbers",
    "group_sizes",
    "over_k",
    "risk_utility",
]
