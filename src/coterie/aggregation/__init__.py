"""From groups to released values: mean, median, mode, and P3M's disclosure-aware centroids."""

from coterie.aggregation.mean import mean
from coterie.aggregation.median import median
from coterie.aggregation.mode import mode
from coterie.aggregation.p3m import P3M, p3m
from coterie.aggregation.result import Aggregate

__all__ = ["P3M", "Aggregate", "mean", "median", "mode", "p3m"]
