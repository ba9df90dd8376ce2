"""The release that measures of risk are tried on: three keys, in groups of four."""

from __future__ import annotations

import coterie

KEYS = ["a", "b", "c"]


def released(frame, k=4):
    groups = coterie.partition(frame[KEYS].to_numpy(), k)
    made = frame.copy()
    made[KEYS] = groups.centroids[groups.labels]
    return made
