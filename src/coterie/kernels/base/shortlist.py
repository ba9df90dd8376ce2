"""Merging of lists of neighbours: entry point `merge`, O(count) for each record."""

from coterie.kernels.base.jit import kernel

__all__ = ["merge"]


@kernel
def merge(
    part,
    found,  # (m, count): places in `part`, nearest first
    away,  # (m, count)
    near,  # (n, count), out: records, nearest first; -1 behind the last
    near_away,  # (n, count), out
):
    """Merge the lists of the records `part` into those of all, without repetition."""
    count = near.shape[1]
    for i in range(part.shape[0]):
        x = part[i]
        for c in range(count):
            y = part[found[i, c]]
            d2 = away[i, c]
            if d2 >= near_away[x, count - 1]:
                break
            known = False
            for t in range(count):
                if near[x, t] == y:
                    known = True
                    break
            if known:
                continue
            t = count - 1
            while t > 0 and near_away[x, t - 1] > d2:
                near[x, t] = near[x, t - 1]
                near_away[x, t] = near_away[x, t - 1]
                t -= 1
            near[x, t] = y
            near_away[x, t] = d2
