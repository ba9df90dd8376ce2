"""Search: how the groups are found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from coterie.errors import listed
from coterie.partitioning.options import field, integer, name_of, number
from coterie.plan.option import Flag, option

if TYPE_CHECKING:
    import numpy as np

    from coterie.partitioning.registry import Method
    from coterie.plan.plan import Plan

__all__ = ["LIMITS", "RESERVED", "Search", "untaken_limits"]

# Arguments of `partition` that are none of a method's own options.
RESERVED = {
    *("X", "k", "method", "random_state", "time_limit", "iterations", "workers", "callback"),
    "constraints",
}
LIMITS = ("time_limit", "iterations")
LONGEST = 1e9  # seconds of a time limit: thirty years
LARGEST = 2**62  # iterations


def _options(value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise TypeError
    return dict(value)


_whole = integer(None, 0, LARGEST).metadata["check"]


def _checked_seed(value: Any) -> Any:
    if value is None:
        return None
    if hasattr(value, "bit_generator"):  # a numpy Generator, without loading numpy for it
        return value
    return _whole(value)


@dataclass(frozen=True, kw_only=True)
class Search:
    """Method, its options, its limits and its seed."""

    method: str = option(
        name_of("auto", "the name of a method"),
        "str",
        "One of `coterie.methods`.",
        Flag(("--method",), "See `coterie methods`.", "NAME"),
        anywhere=True,
    )
    method_options: Mapping[str, Any] | None = option(
        field(None, "a mapping from option to value", _options),
        "mapping, optional",
        "The method's own options.",
        adds=True,
        anywhere=True,
    )
    time_limit: float | None = option(
        number(None, 0.0, LONGEST, open_low=True),
        "float, optional",
        "Seconds of the search, not counting compilation; for methods that search.",
        Flag(("--time-limit",), "For methods that search.", "SECONDS", "number"),
        anywhere=True,
    )
    iterations: int | None = option(
        integer(None, 1, LARGEST),
        "int, optional",
        "Iterations of each stream; for methods that search.",
        Flag(
            ("--iterations",),
            "For methods that search; the same on any machine.",
            "INTEGER",
            "number",
        ),
        anywhere=True,
    )
    random_state: int | np.random.Generator | None = option(
        field(None, "None, an integer of at least 0 or a numpy.random.Generator", _checked_seed),
        "int, numpy.random.Generator or None",
        "Seed of methods that draw at random.",
        Flag(("--seed",), "Of methods that draw at random.", "INTEGER", "number"),
        anywhere=True,
    )

    def contradictions(self: Plan) -> Iterator[str]:  # type: ignore[misc]
        """What the method does not take."""
        from coterie.errors import ParameterError
        from coterie.partitioning import registry

        try:
            chosen = registry.find(self.method)
        except ParameterError as error:
            yield str(error)
            return
        reserved = sorted(set(self.method_options or {}) & RESERVED)
        if reserved:
            yield (
                "method_options must hold options of the method only. Got "
                f"{reserved[0]!r}; give it as an argument of its own"
            )
        elif self.method_options:
            try:
                registry.bind(chosen, self.method_options)
            except ParameterError as error:
                yield str(error)
        limits = {name: getattr(self, name) for name in LIMITS}
        yield from untaken_limits(limits, [chosen])


def untaken_limits(limits: Mapping[str, Any], chosen: Sequence[Method]) -> Iterator[str]:
    """Limits of a search that none of the methods takes; other names are passed over."""
    if any(method.anytime for method in chosen):
        return
    run = "runs to its end" if len(chosen) == 1 else "run to their end"
    for name in LIMITS:
        value = limits.get(name)
        if value is not None:
            yield (
                f"The {name!r} parameter is for methods that search; "
                f"{listed(repr(method.name) for method in chosen)} {run}. Got {name}={value!r}; "
                "leave it out or choose a search method"
            )
