"""Where compiled kernels are kept: beside their source, or in the user's cache.

Numba's own cache but for five things:

- *Stamp.* A kernel's machine code holds that of all it calls, in other files too. So it is found
  again only if no kernel's source has changed: after an upgrade nothing old is mixed in.
- *Read-only installations.* What was compiled into one beforehand (`coterie warm` in an image) is
  used by everybody who names no folder (NUMBA_CACHE_DIR). What is missing goes to the user's cache;
  where that cannot be written either, it is compiled anew by each process.
- *Asked first.* Before Numba looks into its cache it loads all that it could compile, some sixty
  modules and the types of a thousand functions: a fifth of a second, for code that is ready.
- *Several processes.* They may compile the same things at the same time; one of them writes.
- *A disk that is full* costs the next process a compilation, not this one its work.
"""

from __future__ import annotations

import hashlib
import inspect
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile
from numba.core.runtime.nrt import rtsys

from coterie.compilation.loading import leave_blas_out

__all__ = ["folder", "kept"]

KERNELS = Path(__file__).parents[1] / "kernels"


def kept(function: Any) -> Any:
    """The dispatcher, told to keep what it compiles; a plain function where the JIT is off."""
    if hasattr(function, "py_func"):
        with suppress(RuntimeError):  # the user chose locators (NUMBA_CACHE_LOCATOR_CLASSES): none
            function._cache = _KernelCache(function.py_func)
    return function


def folder(function: Any) -> str | None:
    """Where a kernel's machine code is written to; None if nowhere."""
    keeper = getattr(function, "_cache", None)
    return keeper.cache_path if isinstance(keeper, _KernelCache) and keeper.writes else None


@cache
def stamp() -> str:
    """A hash of the source of all kernels."""
    digest = hashlib.sha256()
    with suppress(OSError):  # in an archive: the version of each file's own source has to do
        for path in sorted(KERNELS.rglob("*.py")):
            digest.update(path.relative_to(KERNELS).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


class _Nowhere:
    """A locator for want of any other: of the folder beside the source, which is only read."""

    def __init__(self, py_func: Any, py_file: str) -> None:
        self.line, self.path = py_func.__code__.co_firstlineno, _own_cache(py_file)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Nowhere:
        return cls(py_func, py_file)

    def get_cache_path(self) -> str:
        return self.path

    def get_source_stamp(self) -> str:
        return ""

    def get_disambiguator(self) -> str:
        return str(self.line)

    def ensure_cache_path(self) -> None:
        raise PermissionError(self.path)


class _Format(CompileResultCacheImpl):
    _locator_classes = [*CompileResultCacheImpl._locator_classes, _Nowhere]  # noqa: RUF012


class _KernelCache(FunctionCache):
    _impl_class = _Format

    def __init__(self, py_func: Any) -> None:
        super().__init__(py_func)
        self.writes = not isinstance(self._impl.locator, _Nowhere)
        base, own = self._impl.filename_base, _own_cache(inspect.getfile(py_func))
        self._cache_file = IndexDataCacheFile(self._cache_path, base, stamp())
        self._installed = None
        elsewhere = os.path.abspath(own) != os.path.abspath(self._cache_path)
        if elsewhere and not os.environ.get("NUMBA_CACHE_DIR"):  # a named one is the only one
            self._installed = IndexDataCacheFile(own, base, stamp())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            rtsys.initialize(target_context)  # of code that makes arrays
            found = self._load_overload(sig, target_context)
        except Exception:  # cut short by a crash, or torn by another program: as good as none
            found = None
        if found is None:
            leave_blas_out()  # Numba gets ready to compile
        return found

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        key = self._index_key(sig, target_context.codegen())
        for place in (self._cache_file, self._installed):
            data = None if place is None else place.load(key)
            if data is not None:
                return self._impl.rebuild(target_context, data)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        if not self.writes:
            return
        with suppress(OSError), _one_at_a_time(self._cache_path):
            try:
                super().save_overload(sig, data)
            except OSError:
                raise
            except Exception:  # the index is torn: a new one
                self.flush()
                super().save_overload(sig, data)


def _own_cache(source: str) -> str:
    return os.path.join(os.path.dirname(source), "__pycache__")


@contextmanager
def _one_at_a_time(path: str) -> Iterator[None]:
    """A lock on the folder: the index and what it names are two files, written one by one."""
    try:
        import fcntl
    except ImportError:  # Windows, where Numba guards against it by itself
        yield
        return
    with open(os.path.join(path, "kernels.lock"), "ab") as handle:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield  # closing it releases the lock
