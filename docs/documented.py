"""Functions that take a plan: signature and docstring as they are at run time.

mkdocstrings reads the source without running it; what the plan's options make of a signature it
finds here.
"""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any

from griffe import Docstring, Extension, Function, Parameter, ParameterKind, Parameters


class FromPlan(Extension):
    """Replaces ``{parameters}`` and the signature around it."""

    def on_function(self, *, func: Function, **_: Any) -> None:
        """Look at one function of the source."""
        if func.docstring is None or "{parameters}" not in func.docstring.value:
            return
        made = getattr(import_module(func.module.path), func.name)
        func.docstring = Docstring(
            inspect.getdoc(made) or "", parent=func, parser=func.docstring.parser
        )
        kinds = {
            inspect.Parameter.POSITIONAL_OR_KEYWORD: ParameterKind.positional_or_keyword,
            inspect.Parameter.KEYWORD_ONLY: ParameterKind.keyword_only,
        }
        func.parameters = Parameters(
            *(
                Parameter(
                    one.name,
                    kind=kinds[one.kind],
                    default=None if one.default is inspect.Parameter.empty else repr(one.default),
                )
                for one in inspect.signature(made).parameters.values()
            )
        )
