"""What `tune` is given, checked before any work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coterie.errors import ParameterError, bad_parameter

__all__ = ["check_lists", "check_once", "checked_options"]


def check_lists(**given: Any) -> None:
    """Refuse what is no list, or an empty one."""
    for name, value in given.items():
        if isinstance(value, str) or not isinstance(value, Sequence) or not len(value):
            raise bad_parameter(name, "tune", "a list of one or more", value)


def checked_options(given: Any) -> dict[str, Any]:
    """What every method gets besides what `tune` itself says to it."""
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
        rule = "a dictionary from names of options to their values"
        raise bad_parameter("method_options", "tune", rule, given)
    for name in ("X", "k", "method", "random_state"):
        if name in given:
            raise ParameterError(
                f"method_options of tune must leave out {name!r}. Got {given[name]!r}; k, methods "
                "and random_state are parameters of tune itself."
            )
    return dict(given)


def check_once(**columns: Sequence[str]) -> None:
    """Refuse a column that a list names twice."""
    for what, names in columns.items():
        for place, name in enumerate(names):
            if name in names[:place]:
                raise ParameterError(
                    f"Column {name!r} in {what} of tune is given twice. Name it once."
                )
