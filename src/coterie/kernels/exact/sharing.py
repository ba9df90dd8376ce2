"""Which groups of a fractional solution hold which records, for the searches of violated cuts.

Entry point: `shared_out` (Python). O(entries log entries).
"""

import numpy as np

__all__ = ["shared_out"]


def shared_out(members, share, n):
    """Fields by name for groups `members` (-1 behind the last record) of weight `share`.

    Records of the groups, one group after the other, and groups of the n records, one record after
    the other and rising, with where each begins.
    """
    inside = members >= 0
    sizes = inside.sum(axis=1)
    records = members[inside].astype(np.int64)
    groups = np.repeat(np.arange(len(members)), sizes)
    order = np.argsort(records, kind="stable")
    return {
        "share": np.asarray(share, dtype=np.float64),
        "group_starts": np.append(0, np.cumsum(sizes)),
        "records": records,
        "record_starts": np.searchsorted(records[order], np.arange(n + 1)),
        "groups": groups[order],
    }
