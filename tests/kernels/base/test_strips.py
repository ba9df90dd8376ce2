from __future__ import annotations

import numpy as np
import pytest

from coterie.kernels.base import strips
from coterie.kernels.base.jit import kernel
from coterie.kernels.base.strips import apart, center, copy, exchange, fetch, gain, inside, toward


@kernel
def asked(rows, direction, share, out):
    fetch(rows, 1, 3)
    out[0] = apart(rows, 1, 2)
    toward(rows, 3, 4, direction)
    out[1] = gain(rows, 1, 2, direction, share[0])
    fetch(out, 1, 1)
    out[2] = inside(rows, 5, direction)


@kernel
def changed(rows, share):
    copy(rows, 0, 1)
    exchange(rows, 1, 2)
    center(rows, 3, 2, share[0])


def halved(row):
    """The sum of a row: strip after strip, then by halves."""
    lanes = np.zeros(8, dtype=row.dtype)
    for first in range(0, len(row), 8):
        lanes = lanes + row[first : first + 8]
    while len(lanes) > 1:
        lanes = lanes[: len(lanes) // 2] + lanes[len(lanes) // 2 :]
    return lanes[0]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("d", [1, 3, 8, 10, 40])
def test_rows_are_summed_to_the_last_bit(d, dtype, rng):
    rows = strips.padded((7, d), dtype)
    assert rows.shape == (7, -(-d // 8) * 8)
    assert rows.ctypes.data % 64 == 0
    assert rows.dtype == dtype
    assert not rows.any()
    rows[:, :d] = rng.normal(size=(7, d))
    direction = strips.padded((d,), dtype)
    share, out = np.array([0.4], dtype=dtype), np.zeros(3, dtype=dtype)
    asked(rows, direction, share, out)
    w = rows[1] - rows[2]
    assert out[0] == halved(w * w)
    assert direction.tolist() == (2 * (rows[4] - rows[3])).tolist()
    assert out[1] == halved(w * (direction + share[0] * w))
    assert out[2] == halved(rows[5] * direction)
    before = rows.copy()
    changed(rows, share)
    assert rows[0].tolist() == before[1].tolist()
    assert rows[1].tolist() == before[2].tolist()
    assert rows[2].tolist() == before[1].tolist()
    assert rows[3].tolist() == (share[0] * (before[4] + before[5])).tolist()
    assert rows[4:].tolist() == before[4:].tolist()
