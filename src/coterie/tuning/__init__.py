"""Sweeps over k, methods and options: every measure of each release, and the best trade-offs."""

from coterie.tuning.basins import Choice, choose_basins
from coterie.tuning.comparison import cheapest, compare
from coterie.tuning.front import Tuning, tune

__all__ = ["Choice", "Tuning", "cheapest", "choose_basins", "compare", "tune"]
