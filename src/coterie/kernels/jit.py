"""The one decorator of every kernel.

Flags, chosen once:

- ``nogil``: kernels are serial; threads run over streams and tiles.
- ``cache``: the machine code is stored, a user pays for compilation once.
- ``error_model="numpy"``: a division is not preceded by a test for zero.
- no ``fastmath``: kernels vectorise across records, not across the attributes of one record, so
  every record is summed in the same order whatever the vector width. Equal records get equal
  distances to the last bit, ties go to the lowest index, and labels agree on every processor.
"""

from numba import njit

__all__ = ["inlined", "kernel"]

kernel = njit(cache=True, nogil=True, error_model="numpy")

# For a small function of a large state that is called in an inner loop: each array of a namedtuple
# is passed as seven to nine words, which costs more than a distance does.
inlined = njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
