"""Random numbers as an explicit state: xoshiro128++ on four 32-bit words.

Entry points: `seeded` (Python, makes the state), `below`, `real`, `shuffle`. The words are kept in
64-bit integers and masked, so that compiled code, plain Python and every NumPy draw the same
numbers from the same seed.

The generator is that of Blackman and Vigna (2021), ACM TOMS 47(4):36; bounded integers are drawn
as in Lemire (2019), ACM TOMACS 29(1):3, without bias.
"""

import numpy as np

from coterie.kernels.base.jit import inner

__all__ = ["below", "real", "seeded", "shuffle"]

MASK = 0xFFFFFFFF


def seeded(sequence):
    """A fresh state from a `numpy.random.SeedSequence`."""
    words = sequence.generate_state(4, np.uint32).astype(np.int64)
    words[0] |= int(not words.any())  # all zeros would draw zeros for ever
    return words


@inner
def bits(words):
    """32 random bits."""
    mixed = (words[0] + words[3]) & MASK
    drawn = ((((mixed << 7) & MASK) | (mixed >> 25)) + words[0]) & MASK
    moved = (words[1] << 9) & MASK
    words[2] ^= words[0]
    words[3] ^= words[1]
    words[1] ^= words[2]
    words[0] ^= words[3]
    words[2] ^= moved
    words[3] = ((words[3] << 11) & MASK) | (words[3] >> 21)
    return drawn


@inner
def below(words, bound):
    """An integer of 0..bound-1, bound < 2^31."""
    product = bits(words) * bound
    if (product & MASK) < bound:
        least = (MASK + 1 - bound) % bound
        while (product & MASK) < least:
            product = bits(words) * bound
    return product >> 32


@inner
def real(words):
    """A number of [0, 1) with 53 random bits."""
    high = bits(words) >> 5
    low = bits(words) >> 6
    return (high * 67108864.0 + low) / 9007199254740992.0


@inner
def shuffle(
    words,
    items,  # in and out
    count,
):
    """Put the first `count` items into random order (Fisher, Yates)."""
    for i in range(count - 1, 0, -1):
        j = below(words, i + 1)
        items[i], items[j] = items[j], items[i]
