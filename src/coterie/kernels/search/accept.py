"""Acceptance: whether an iterated search goes on from where it is or returns to its best.

Entry point: `accept`. The criteria, by number (Bierman (2020), chapter 3):

STATIC   a partition that is no better is accepted with a fixed probability (0.8 in the original);
DYNAMIC  with probability exp(-loss / (temperature * best)), so small losses more often;
BETTER   never.
"""

import numpy as np

from coterie.kernels.base.draws import real
from coterie.kernels.base.jit import inner

__all__ = ["BETTER", "DYNAMIC", "STATIC", "accept"]

STATIC, DYNAMIC, BETTER = 0, 1, 2


@inner
def accept(words, criterion, setting, loss, best):
    """Whether to go on from a partition whose SSE lies `loss` >= 0 above the `best`."""
    if criterion == BETTER:
        return False
    drawn = real(words)
    if criterion == STATIC:
        return drawn < setting
    if best <= 0.0:
        return loss <= 0.0
    return drawn < np.exp(-loss / (setting * best))
