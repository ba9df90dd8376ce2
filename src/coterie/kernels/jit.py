"""The one decorator of every kernel.

Flags, chosen once:

- ``nogil``: kernels are serial; threads run over streams and tiles.
- ``cache``: the machine code is stored, a user pays for compilation once.
- ``error_model="numpy", _nrt=False``: a division is not preceded by a test for zero.
- no ``fastmath``: kernels vectorise across records, not across the attributes of one record, so
  every record is summed in the same order whatever the vector width. Equal records get equal
  distances to the last bit, ties go to the lowest index, and labels agree on every processor.
"""

import sys

from numba import njit

from coterie.kernels.loading import from_cache_first

__all__ = ["allocating", "inlined", "inner", "kernel"]


def _leave_blas_out():
    """Let Numba begin without SciPy's BLAS, which no kernel calls.

    Numba looks for it while it loads and asks again before any use. The first look takes as long as
    the rest of Numba does, and where memory is limited (``ulimit -v``) the library may wait for
    ever for buffers that it cannot have, deaf to Ctrl-C.
    """
    if "numba.np.arraymath" in sys.modules:
        return
    try:
        from numba.np import linalg
    except ImportError:  # another Numba keeps it elsewhere, and may look
        return
    look = getattr(linalg, "ensure_blas", None)
    if look is None:
        return
    linalg.ensure_blas = lambda: None
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        linalg.ensure_blas = look


def _compiled(**flags):
    """A decorator of functions that are compiled, or loaded from the cache, when first called."""
    decorate = njit(cache=True, error_model="numpy", no_cfunc_wrapper=True, **flags)
    return lambda function: from_cache_first(decorate(function), _leave_blas_out)


# What Python calls: steps of a method.
kernel = _compiled(nogil=True, _nrt=False)

# What only kernels call. Python must not: there is no way in for it, and it would crash.
inner = _compiled(_nrt=False, no_cpython_wrapper=True)

# For a small function of a large state that is called in an inner loop: each array of a namedtuple
# is passed as seven to nine words, which costs more than a distance does.
inlined = _compiled(_nrt=False, no_cpython_wrapper=True, forceinline=True)

# A kernel that makes arrays of its own.
allocating = _compiled(nogil=True, _nrt=True)
