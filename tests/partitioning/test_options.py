from __future__ import annotations

from dataclasses import dataclass

import pytest

from coterie.errors import ParameterError
from coterie.partitioning.options import build, describe, flag, integer, number, one_of


@dataclass(frozen=True)
class Some:
    kind: str = one_of("a", "b")
    quick: bool = flag(True)
    count: int | None = integer(None, at_least=2, at_most=9)
    share: float = number(0.5, 0.0, 1.0)
    heat: float = number(1.0, 0.0, open_low=True)


def test_defaults_and_values():
    assert build((Some,), {}, "m") == (Some(),)
    assert build((Some,), {"count": 3, "share": 1, "heat": 2}, "m")[0].share == 1.0
    assert build((Some,), {"count": None}, "m")[0].count is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"kind": "c"}, "one of 'a', 'b'. Got 'c'"),
        ({"quick": 0}, "True or False. Got 0"),
        ({"count": 1}, "an integer of at least 2 and at most 9 or None. Got 1"),
        ({"count": 10}, "Got 10"),
        ({"count": 2.0}, "Got 2.0"),
        ({"count": True}, "Got True"),
        ({"share": 1.5}, "a number of at least 0 and at most 1. Got 1.5"),
        ({"share": float("nan")}, "Got nan"),
        ({"share": None}, "Got None"),
        ({"heat": 0}, "a finite number above 0. Got 0"),
        ({"heat": "1"}, "Got '1'"),
        ({"cuont": 3}, "Unknown option of method 'm': 'cuont'. Did you mean 'count'"),
    ],
)
def test_rules(given, message):
    with pytest.raises(ParameterError, match=message):
        build((Some,), given, "m")


def test_described_in_words():
    assert describe(Some)["share"] == "a number of at least 0 and at most 1 (default 0.5)"
