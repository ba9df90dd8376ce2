"""What is given beside the records, for `partition` and `lower_bound` alike."""

from __future__ import annotations

import numpy as np
import pytest

from coterie.errors import ParameterError
from coterie.partitioning import arguments


@pytest.mark.parametrize("value", [0, -1, np.nan, np.inf, 1e10, True, "5", [1]])
def test_no_time_limit(value):
    message = "'time_limit' parameter of lower_bound must be a finite number of seconds above 0"
    with pytest.raises(ParameterError, match=message):
        arguments.seconds(value, "lower_bound")


@pytest.mark.parametrize("value", [None, 1, 0.5, np.float32(0.25), np.int64(3), 1e9])
def test_a_time_limit(value):
    assert arguments.seconds(value, "partition") == value


@pytest.mark.parametrize("value", [0, -1, 1.0, True, "2", 2**62])
def test_no_count(value):
    with pytest.raises(
        ParameterError, match=r"'workers' parameter of partition must be an integer"
    ):
        arguments.count("workers", value, "partition")


@pytest.mark.parametrize("value", [None, 1, np.int8(7), 2**62 - 1])
def test_a_count(value):
    assert arguments.count("workers", value, "partition") == value


def test_a_callback():
    assert arguments.callback(print, "partition") is print
    assert arguments.callback(None, "partition") is None
    with pytest.raises(ParameterError, match=r"'callback' .* a function of one argument. Got 3"):
        arguments.callback(3, "partition")


def test_a_seed():
    assert arguments.seed(5, "partition").entropy == np.random.SeedSequence(5).entropy
    assert arguments.seed(None, "partition").entropy != arguments.seed(None, "partition").entropy
    generator = np.random.default_rng(1)
    one, other = (arguments.seed(generator, "partition").entropy for _ in range(2))
    assert one != other  # it moves on
    again = arguments.seed(np.random.default_rng(1), "partition")
    assert again.entropy == one


@pytest.mark.parametrize("value", [-1, 1.5, True, "seed", np.random.RandomState(0)])
def test_no_seed(value):
    with pytest.raises(ParameterError, match=r"'random_state' parameter of partition must be None"):
        arguments.seed(value, "partition")
