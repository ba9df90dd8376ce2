from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass, fields

import pytest

import coterie
from coterie.errors import ParameterError
from coterie.partitioning.options import build, describe, flag, integer, integers, number, one_of
from coterie.partitioning.registry import METHODS, _kinds


@dataclass(frozen=True)
class Some:
    kind: str = one_of("a", "b")
    quick: bool = flag(True)
    count: int | None = integer(None, at_least=2, at_most=9)
    parts: tuple[int, ...] | None = integers()
    share: float = number(0.5, 0.0, 1.0)
    heat: float = number(1.0, 0.0, open_low=True)


def test_defaults_and_values():
    assert build((Some,), {}, "m") == (Some(),)
    assert build((Some,), {"count": 3, "share": 1, "heat": 2}, "m")[0].share == 1.0
    assert build((Some,), {"count": None}, "m")[0].count is None
    assert build((Some,), {"parts": [0, 7]}, "m")[0].parts == (0, 7)
    assert build((Some,), {"parts": None}, "m")[0].parts is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"kind": "c"}, "one of 'a', 'b'. Got 'c'"),
        ({"quick": 0}, "True or False. Got 0"),
        ({"count": 1}, "an integer of at least 2 and at most 9 or None. Got 1"),
        ({"count": 10}, "Got 10"),
        ({"count": 2.0}, "Got 2.0"),
        ({"count": True}, "Got True"),
        ({"parts": [3, -1]}, "integers of at least 0 or None. Got"),
        ({"parts": []}, "Got"),
        ({"parts": "12"}, "Got '12'"),
        ({"parts": [1.5]}, "Got"),
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


@pytest.mark.nojit
@pytest.mark.parametrize(
    "kind", [Some, *dict.fromkeys(k for m in METHODS.values() for k in _kinds(m))]
)
def test_choices_are_those_that_the_rule_names(kind):
    for option in fields(kind):
        choices, rule = option.metadata["choices"], option.metadata["rule"]
        assert bool(choices) == rule.startswith("one of ")
        if choices:
            assert rule == "one of " + ", ".join(map(repr, choices))
            assert option.default == choices[0]
        assert all(option.metadata["check"](one) == one for one in choices)


def test_described_in_words():
    assert describe(Some)["share"] == "a number of at least 0 and at most 1 (default 0.5)"


@pytest.mark.nojit
@pytest.mark.parametrize("method", METHODS)
def test_options_of_a_method_are_values(method):
    """Equal where they say the same, usable as keys, and never changed by whoever holds them."""
    for one, other in zip(*(_made(method) for _ in range(2)), strict=True):
        assert one == other
        assert hash(one) == hash(other)
        for name in vars(one):
            with pytest.raises(FrozenInstanceError):
                setattr(one, name, None)


def _made(method):
    return [kind() for kind in _kinds(METHODS[method])]


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("method", "option", "default", "allowed", "refused"),
    [
        ("vmdav", "gain", 0.2, (0.0, 0.05, 1.1, 30.0), (-0.01, float("nan"), None)),
        ("icsm", "start", "mdav", ("random", "md"), (None, 3)),
        ("icsm", "pool", 100, (1, 2, 10**6), (0, -1, None)),
        ("icsm", "restarts", 0, (0, 1, 2), (-1, None)),
        ("icsm", "shaken", None, (2, 3, None), (1, 0, 2.5)),
    ],
)
def test_published_parameters(method, option, default, allowed, refused, rng):
    """The authors' values are the defaults, and every value that makes sense can be given."""
    X = rng.normal(size=(9, 2))
    more = {"restarts": 1} if option == "shaken" else {}
    assert coterie.partition(X, 3, method, **more).options[option] == default
    for value in allowed:
        found = coterie.partition(X, 3, method, **more, **{option: value})
        assert found.options[option] == value
    for value in refused:
        with pytest.raises(ParameterError, match=f"'{option}'.*Got {value}"):
            coterie.partition(X, 3, method, **more, **{option: value})
