from __future__ import annotations

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from coterie.numbers.finite import is_number


@pytest.mark.parametrize("value", [0, -3, 2.5, Fraction(1, 3), np.float32(1.5), np.int64(2)])
def test_finite_numbers(value):
    assert is_number(value)


@pytest.mark.parametrize(
    "value",
    [
        True,
        np.nan,
        np.inf,
        -np.inf,
        1j,
        "2",
        None,
        Decimal(2),
        dt.date(2000, 1, 1),
        [1],
        np.bool_(),
    ],
)
def test_what_is_none(value):
    assert not is_number(value)
