"""Plots over plain data, one a file. matplotlib loads when a plot is drawn."""

from coterie.plotting.risk_utility import risk_utility

__all__ = ["risk_utility"]
