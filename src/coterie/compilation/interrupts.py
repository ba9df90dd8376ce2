"""Ctrl-C that comes while the compiler calls back into Python, and would be lost there.

Machine code that calls a function of Python cannot pass its exception on: what the function raises
is printed and forgotten, and the compiler goes on without what the function was to do. LLVM calls
back for every kernel that it has compiled; Numba then misses the kernel. That error is taken for
the interrupt that it comes from.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["found_again"]


@contextmanager
def found_again() -> Iterator[None]:
    """Within the block an error after an interrupt that a callback has lost is an interrupt."""
    usual = sys.unraisablehook
    lost = False

    def note(unraised: Any) -> None:
        nonlocal lost
        if unraised.exc_type is KeyboardInterrupt:
            lost = True
        else:
            usual(unraised)

    sys.unraisablehook = note
    try:
        yield
    except Exception as error:
        if lost:
            raise KeyboardInterrupt from error
        raise
    finally:
        sys.unraisablehook = usual
