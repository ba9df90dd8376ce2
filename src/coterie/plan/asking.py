"""How functions take a plan: as one value, or as its parameters, with one signature for all.

Type checkers read the parameters off the dataclass itself; at run time signature and docstring are
made from the same fields.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from coterie.errors import ParameterError, unknown_name
from coterie.plan.plan import Plan, options

__all__ = ["document", "requested", "seeded"]

POSITIONAL = ("k", "quasi_identifiers")
WIDTH = 92


def requested(args: Sequence[Any], asked: Mapping[str, Any], owner: str) -> tuple[Plan, list[str]]:
    """The plan that a call asks for, and every problem with it.

    Raises
    ------
    ParameterError
        If the call itself cannot be understood: a plan beside its parameters, a name that no
        parameter has.
    """
    if args and isinstance(args[0], Plan):
        more = [*map(repr, args[1:]), *asked]
        if more:
            raise ParameterError(
                f"{owner} takes a plan, or what a plan would hold. Got both, a plan and {more[0]}; "
                "use plan.replace(...)."
            )
        return args[0], []
    if len(args) > len(POSITIONAL):
        raise ParameterError(
            f"{owner} takes {' and '.join(POSITIONAL)} by position, all else by name. Got "
            f"{len(args)} values; name them."
        )
    placed = dict(zip(POSITIONAL, args, strict=False))
    for name in asked:
        if name in placed:
            raise ParameterError(f"{name} of {owner} is given twice. Name it once.")
        if name not in options():
            raise unknown_name(f"parameter of {owner}:", name, [*options(), "callback"])
    return Plan.gather({**placed, **asked}, owner)


def seeded(plan: Plan) -> Plan:
    """The plan with a seed, drawn where it names none: one that the evidence can tell."""
    import secrets

    return (
        plan if plan.random_state is not None else plan.replace(random_state=secrets.randbits(32))
    )


def document(function: Callable[..., Any], names: Sequence[str] | None = None) -> None:
    """Give a function that takes ``*args, **asked`` the signature and docstring of what it takes.

    ``{parameters}`` in its docstring becomes the description of `names`, all options by default.
    """
    chosen = [o for o in options().values() if names is None or o.name in names]
    own = list(inspect.signature(function).parameters.values())
    first = [p for p in own if p.kind is p.POSITIONAL_OR_KEYWORD]
    last = [p for p in own if p.kind is p.KEYWORD_ONLY]
    asked = [
        inspect.Parameter(
            o.name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD
            if o.name in POSITIONAL
            else inspect.Parameter.KEYWORD_ONLY,
            default=None if o.name in POSITIONAL else o.default,
        )
        for o in chosen
    ]
    function.__signature__ = inspect.Signature([*first, *asked, *last])  # type: ignore[attr-defined]
    text = inspect.cleandoc(function.__doc__ or "")
    described = "\n".join(
        f"{o.name} : {o.kind}\n{textwrap.indent(textwrap.fill(o.doc, WIDTH), '    ')}"
        for o in chosen
    )
    function.__doc__ = text.replace("{parameters}", described)
