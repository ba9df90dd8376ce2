"""A loaded module made to behave as its changed source: nothing is imported again.

The body of a function is exchanged in place, so that whoever holds the function has the new one.
For anything else, a constant, a default, a field of a class, the changed file is run beside the old
one and what differs is carried over, into every module that has the same constant too.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from tests.mutants.changes import Change

SKIPPED = {"__dict__", "__weakref__", "__doc__", "__module__", "__annotations__"}
PLAIN = (bool, int, float, str, tuple, list, dict, set, frozenset)


class NotRunnableError(Exception):
    """The changed file cannot even be run."""


def put(module: ModuleType, path: Path, source: str, change: Change) -> None:
    """Let `module` behave as the changed `source` of its file."""
    code = compile(source, str(path), "exec")
    if change.inside:
        function_of(module, change.owner).__code__ = _code(code, change.owner)
    else:
        fresh = ModuleType(module.__name__)
        kept = ("__file__", "__package__", "__spec__", "__path__")
        vars(fresh).update({n: v for n, v in vars(module).items() if n in kept})
        try:
            exec(code, vars(fresh))
        except Exception as error:
            raise NotRunnableError(str(path)) from error
        _carry(vars(fresh), module)


def function_of(module: ModuleType, owner: str) -> FunctionType:
    """The function behind a name such as ``f`` or ``Class.method``, without what wraps it."""
    found: Any = module
    for name in owner.split("."):
        found = vars(found)[name]
    for wrapped in ("fget", "__func__", "func", "__wrapped__"):
        found = getattr(found, wrapped, found)
    if not isinstance(found, FunctionType):
        raise TypeError(f"{module.__name__}:{owner} is no plain function")
    return found


def _code(code: CodeType, owner: str) -> CodeType:
    inner = [one for one in code.co_consts if isinstance(one, CodeType)]
    for one in inner:
        if one.co_qualname == owner:
            return one
    for one in inner:
        if owner.startswith(f"{one.co_qualname}."):
            return _code(one, owner)
    raise LookupError(owner)


def _carry(fresh: dict[str, Any], module: ModuleType) -> None:
    for name, new in fresh.items():
        old = vars(module).get(name)
        if isinstance(new, FunctionType) and isinstance(old, FunctionType):
            _carry_function(new, old)
        elif isinstance(new, type) and isinstance(old, type) and new is not old:
            _carry_class(new, old)
        elif type(new) is type(old) and _other(new, old):
            for other in list(sys.modules.values()):
                if vars(other).get(name) is old or other is module:
                    setattr(other, name, new)


def _other(new: Any, old: Any) -> bool:
    """Whether a constant is another one; of anything but plain values and arrays nobody knows."""
    if isinstance(new, np.ndarray):
        return not np.array_equal(new, old)
    return isinstance(new, PLAIN) and new != old


def _carry_function(new: FunctionType, old: FunctionType) -> None:
    old.__code__, old.__defaults__ = new.__code__, new.__defaults__
    old.__kwdefaults__ = new.__kwdefaults__


def _carry_class(new: type, old: type) -> None:
    for name in [name for name, held in vars(old).items() if isinstance(held, FunctionType)]:
        if name not in vars(new):
            delattr(old, name)  # what only a frozen class has
    for name, value in list(vars(new).items()):
        held = vars(old).get(name)
        for wrapped in ("fget", "__func__"):
            if type(value) is type(held) and isinstance(
                getattr(value, wrapped, None), FunctionType
            ):
                value, held = getattr(value, wrapped), getattr(held, wrapped)
        if isinstance(value, FunctionType) and isinstance(held, FunctionType):
            if len(value.__code__.co_freevars) == len(held.__code__.co_freevars):
                _carry_function(value, held)
            else:  # made for the class, as the __init__ of a dataclass is
                setattr(old, name, value)
        elif name not in SKIPPED and not hasattr(value, "__get__"):
            setattr(old, name, value)
