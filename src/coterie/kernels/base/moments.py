"""Exact sums of float64 numbers and of their squares, in one pass and without a temporary array.

Entry point: `add`, O(n). A number is a whole one of 53 bits times a power of two, which its
exponent names. Whole numbers of the same exponent are summed as such, in words that cannot overflow
within `MOST` numbers; their squares, of 106 bits, by products of three pieces of 18 bits.
"""

from coterie.kernels.base.jit import kernel

__all__ = ["EXPONENTS", "MOST", "WORDS", "add"]

MOST = 1 << 25  # numbers: a word of squares holds 38 bits of each
EXPONENTS = 2048  # the last is of what is no finite number
WORDS = 8  # a row of a cache line: two for the sum, five for the squares, one of nothing

FRACTION = 52  # bits of a number that stand in memory; above them the exponent
LEADING = 1 << FRACTION
PIECE = 18
LOW = (1 << PIECE) - 1
HALF = 32


@kernel
def add(
    bits,
    sums,  # in and out: (EXPONENTS, WORDS), see `coterie.space.exact_sums`
):
    """Add numbers, as the bits that they are in memory, to the sums of each exponent."""
    for i in range(len(bits)):
        one = bits[i]
        exponent = (one >> FRACTION) & (EXPONENTS - 1)
        whole = one & (LEADING - 1)
        if exponent > 0:
            whole |= LEADING
        else:  # less than the least power of two: nothing leads
            exponent += 1
        row = sums[exponent]
        sign = (one >> 63) | 1
        row[0] += sign * (whole & ((1 << HALF) - 1))
        row[1] += sign * (whole >> HALF)
        low, middle, high = whole & LOW, (whole >> PIECE) & LOW, whole >> (2 * PIECE)
        row[2] += low * low
        row[3] += low * middle
        row[4] += 2 * low * high + middle * middle
        row[5] += middle * high
        row[6] += high * high
