"""An integer program that does not end in the time of a test."""

from __future__ import annotations

import numpy as np

from coterie.partitioning.exact import solver


def endless(rows=6, columns=50):
    """A market split: choose columns so that each row adds up to half of its sum."""
    held = np.random.default_rng(0).integers(0, 100, (rows, columns))
    half = (held.sum(axis=1) // 2).astype(float)
    model = solver.solver()
    none, ones = np.empty(0, np.int32), np.ones(columns)
    model.addRows(rows, half, half, 0, np.zeros(rows, np.int32), none, np.empty(0))
    starts = np.arange(0, rows * columns, rows, dtype=np.int32)
    row = np.tile(np.arange(rows, dtype=np.int32), columns)
    values = held.T.ravel().astype(float)
    model.addCols(columns, 0 * ones, 0 * ones, ones, len(row), starts, row, values)
    kinds = np.full(columns, int(solver.highs().HighsVarType.kInteger), np.uint8)
    model.changeColsIntegrality(columns, np.arange(columns, dtype=np.int32), kinds)
    return model
