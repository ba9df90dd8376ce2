"""Flags as they are typed: every value is text, so that no package need be loaded to convert it.

The library's own checks name the rule and the value seen; until then numbers are text as well.
Newer typers load pydantic, which takes as long as all the rest of a small command, to make of a
text what it is already.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from importlib import import_module
from typing import Any

__all__ = ["as_typed"]


@contextlib.contextmanager
def as_typed() -> Iterator[None]:
    """While it lasts, typer takes text as it is; a typer that works otherwise is left alone."""
    try:
        core: Any = import_module("typer.core")
        base: Any = import_module("typer._coercion").RuntimeParam
        usual = core.build_runtime_param
    except (ImportError, AttributeError):
        yield
        return

    class Typed(base):  # type: ignore[misc]
        def _coerce_value(self, value: Any, param: Any, ctx: Any) -> Any:
            return list(value) if isinstance(value, (list, tuple)) else value

    def build(descriptor: Any) -> Any:
        if descriptor.annotation not in (str, bool, list[str]):
            return usual(descriptor)
        return Typed(descriptor.parameter_info, descriptor.annotation)

    core.build_runtime_param = build
    try:
        yield
    finally:
        core.build_runtime_param = usual
