"""Options of methods: frozen dataclasses whose fields carry their own rule.

A method declares ``ending: str = one_of("last-group", "together")`` and gets the check, the error
message and the row in the documentation from that one line.
"""

from __future__ import annotations

import dataclasses
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

from coterie.errors import bad_parameter, unknown_name

__all__ = [
    "build",
    "describe",
    "field",
    "flag",
    "integer",
    "integers",
    "name_of",
    "number",
    "one_of",
]

MOST = 2**31 - 1  # of an integer without a bound of its own: kernels count in 64 bits

Check = Callable[[Any], Any]  # returns the value to keep, or raises TypeError / ValueError


def one_of(default: str, *others: str) -> Any:
    """An option with a fixed set of values; the first is the default."""
    choices = (default, *others)

    def check(value: object) -> str:
        if not isinstance(value, str) or value not in choices:
            raise ValueError
        return value

    return field(default, "one of " + ", ".join(map(repr, choices)), check, choices)


def name_of(default: str, what: str) -> Any:
    """An option that names something the registry knows; whether it does is checked there."""

    def check(value: object) -> str:
        if not isinstance(value, str):
            raise TypeError
        return value

    return field(default, what, check)


def flag(default: bool) -> Any:
    """An option that is True or False."""

    def check(value: object) -> bool:
        if not isinstance(value, bool):
            raise TypeError
        return value

    return field(default, "True or False", check)


def integer(default: int | None, at_least: int = 1, at_most: int | None = None) -> Any:
    """An integer option; None is allowed where it is the default."""
    rule = f"an integer of at least {at_least}"
    if at_most is not None:
        rule += f" and at most {at_most}"

    def check(value: Any) -> int | None:
        if value is None and default is None:
            return None
        if isinstance(value, bool):
            raise TypeError
        whole = operator.index(value)
        if whole < at_least or whole > (MOST if at_most is None else at_most):
            raise ValueError
        return whole

    return field(default, rule + (" or None" if default is None else ""), check)


def integers(at_least: int = 0) -> Any:
    """Some integers in a row; by default None."""

    def check(value: Any) -> tuple[int, ...] | None:
        if value is None:
            return None
        if isinstance(value, str):
            raise TypeError
        whole = tuple(operator.index(one) for one in value)
        if not whole or min(whole) < at_least or max(whole) > MOST:
            raise ValueError
        return whole

    return field(None, f"integers of at least {at_least} or None", check)


def number(
    default: float | None, low: float = -math.inf, high: float = math.inf, *, open_low: bool = False
) -> Any:
    """A finite number in low..high (above low if `open_low`); None where that is default."""
    if math.isfinite(high):
        rule = f"a number {'above' if open_low else 'of at least'} {low:g} and at most {high:g}"
    elif math.isfinite(low):
        rule = f"a finite number {'above' if open_low else 'of at least'} {low:g}"
    else:
        rule = "a finite number"

    def check(value: Any) -> float | None:
        if value is None and default is None:
            return None
        if isinstance(value, (bool, str)):
            raise TypeError
        real = float(value)
        if not math.isfinite(real) or not low <= real <= high or (open_low and real == low):
            raise ValueError
        return real

    return field(default, rule + (" or None" if default is None else ""), check)


def build(kinds: tuple[type, ...], given: Mapping[str, Any], method: str) -> tuple[Any, ...]:
    """One instance of each of `kinds`, filled from `given`; an unknown name is an error."""
    known = {f.name: kind for kind in kinds for f in dataclasses.fields(kind)}
    for name in given:
        if name not in known:
            raise unknown_name(f"option of method {method!r}:", name, known)
    built = []
    for kind in kinds:
        values = {}
        for f in dataclasses.fields(kind):
            if f.name in given:
                try:
                    values[f.name] = f.metadata["check"](given[f.name])
                except (TypeError, ValueError, OverflowError):
                    rule = f.metadata["rule"]
                    raise bad_parameter(f.name, f"method {method!r}", rule, given[f.name]) from None
        built.append(kind(**values))
    return tuple(built)


def describe(kind: type) -> dict[str, str]:
    """Name of each option and its rule with the default, in words."""
    return {
        f.name: f"{f.metadata['rule']} (default {f.default!r})" for f in dataclasses.fields(kind)
    }


def field(default: Any, rule: str, check: Check, choices: tuple[str, ...] = ()) -> Any:
    """An option with a rule in words and its check; `choices` are all its values, if it has few."""
    metadata = {"rule": rule, "check": check, "choices": choices}
    return dataclasses.field(default=default, metadata=metadata)
