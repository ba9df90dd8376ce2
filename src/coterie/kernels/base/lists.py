"""Lists in arrays: the members of each group, linked in ascending order, and items listed once.

Entry points: `members`, `link`, `unlink`, `enlist`. ``head[g]`` is the first member of group `g`,
``after[i]`` the one that follows record `i`; -1 is none.
"""

from coterie.kernels.base.jit import inlined, inner

__all__ = ["enlist", "link", "members", "unlink"]


@inlined
def members(head, after, g, out):
    """Write the members of group `g`, ascending, into `out`; return how many."""
    count = 0
    i = head[g]
    while i >= 0:
        out[count] = i
        count += 1
        i = after[i]
    return count


@inner
def unlink(head, after, g, i):
    """Take record `i` out of the list of group `g`."""
    if head[g] == i:
        head[g] = after[i]
        return
    at = head[g]
    while after[at] != i:
        at = after[at]
    after[at] = after[i]


@inner
def link(head, after, g, i):
    """Put record `i`, which is in no list, at its place in the list of group `g`."""
    at = head[g]
    if at < 0 or at > i:
        after[i] = at
        head[g] = i
        return
    while after[at] >= 0 and after[at] < i:
        at = after[at]
    after[i] = after[at]
    after[at] = i


@inner
def enlist(items, listed, cursor, length, item):
    """Append `item` to a list without repetition whose length is ``cursor[length]``."""
    if not listed[item]:
        listed[item] = True
        items[cursor[length]] = item
        cursor[length] += 1
