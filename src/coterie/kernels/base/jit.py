"""The decorators of every kernel.

Flags, chosen once:

- ``nogil``: kernels are serial; threads run over streams and tiles.
- kept: the machine code is stored, a user pays for compilation once (`coterie.compilation.cache`).
- ``error_model="numpy"``: a division is not preceded by a test for zero.
- no ``fastmath``: kernels vectorize across records, not across the attributes of one record, so
  every record is summed in the same order whatever the vector width. Equal records get equal
  distances to the last bit, ties go to the lowest index, and labels agree on every processor.
- no reference counts: whoever calls a kernel holds its arrays. They are a third of what there is to
  compile, and counting one costs as much as a distance.
- no ways in that nobody takes: one for Python where Python calls, none for C. For a function of a
  namedtuple of arrays that is more to compile than the function itself.

What is compiled is each function once for each combination of types: index variables are int64,
and one that begins with a literal is ``np.int64(-1)``, else callees are compiled for the literal.
"""

from numba import njit

from coterie.compilation.cache import kept
from coterie.compilation.loading import listen

__all__ = ["allocating", "inlined", "inner", "kernel"]

listen()


def _decorator(**options):
    compiled = njit(error_model="numpy", no_cfunc_wrapper=True, **options)
    return lambda function: kept(compiled(function))


# What Python calls: steps of a method.
kernel = _decorator(nogil=True, _nrt=False)

# What only kernels call. Python must not: there is no way in for it, and it would crash.
inner = _decorator(_nrt=False, no_cpython_wrapper=True)

# For a small function of a large state that is called in an inner loop: each array of a namedtuple
# is passed as seven to nine words, which costs more than a distance does.
inlined = _decorator(_nrt=False, no_cpython_wrapper=True, forceinline=True)

# A kernel that makes arrays of its own.
allocating = _decorator(nogil=True, _nrt=True)
