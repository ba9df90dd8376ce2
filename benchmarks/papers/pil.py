"""SI in the P3M paper's Table 4: where it differs from ours, part by part and reading by reading.

R. Mortazavi, S. Jalili (2017), "Fine granular proximity breach prevention during numerical data
anonymization", Transactions on Data Privacy 10:117-144. The paper prints SI alone: no DLD, SDID or
PIL and no part of it. This prints what PIL and each of its parts would have to be for the printed
SI of MDAV, and what every reading that the text leaves open changes, one at a time and in all
combinations. A reading that explains MDAV must explain P3M too: its releases at the printed alpha
and delta (the local minimum below the means) stand beside. Run: make bench-pil
"""

from __future__ import annotations

import itertools
import math
import sys
from dataclasses import dataclass

import numpy as np

from benchmarks.papers.p3m import Groups, published, tables
from benchmarks.papers.readings import PARTS, changed, index, reading, variants
from coterie.centroids.mean import mean
from coterie.centroids.p3m import p3m


@dataclass
class Cell:
    """One table and k: the original, a release, and the SI printed for it."""

    name: str
    k: int
    before: np.ndarray
    after: np.ndarray
    plain: np.ndarray
    printed: float


def cells():
    """The twelve releases by MDAV, and the twelve by P3M."""
    data, groups, found = tables(), Groups(), ([], [])
    for (name, k), row in published().items():
        if name != "Synthetic":
            x = data[name]
            labels = groups(name, x, k)
            point = {"alpha": float(row["alpha"]), "delta": float(row["delta"])}
            moved = p3m(x, labels, importance=0.001, basin="means", **point).table
            wide, plain = (mean(x, labels, renormalize=r).table for r in (True, False))
            found[0].append(Cell(name, k, x, wide, plain, float(row["si_mdav"])))
            found[1].append(Cell(name, k, x, moved, plain, float(row["si_p3m"])))
    return found


def line(title, values, form="{:7.2f}", end=""):
    print(f"{title:<42}" + "".join(form.format(v) for v in values) + end, flush=True)


def size(difference):
    """Largest and root of the mean square."""
    return float(np.abs(difference).max()), math.sqrt(float(np.square(difference).mean()))


def trace(chosen, base):
    """What PIL and its parts are, and would have to be for the printed SI."""
    printed = np.array([c.printed for c in chosen])
    ours = np.array([index(**b) for b in base])
    gap = ours - printed
    risks = np.array([(b["dld"] + b["sdid"]) / 2.0 for b in base])
    line("table", [c.name[:6] for c in chosen], "{:>7}")
    line("k", [c.k for c in chosen], "{:7d}")
    line("SI printed", printed)
    line("SI ours", ours)
    line("difference", gap)
    line("DLD", [b["dld"] for b in base])
    line("SDID", [b["sdid"] for b in base])
    line("DR", risks)
    line("PIL ours", [sum(b["shares"].values()) / 5.0 for b in base])
    line("PIL that the printed SI needs", 2.0 * printed - risks)
    for part in PARTS:
        own = np.array([b["shares"][part] for b in base])
        line(f"  {part}", own)
        if own.any():
            line("    needed, were all else right", own - 10.0 * gap)


def one_at_a_time(chosen, base, found):
    """SI minus the printed one when one reading is changed."""
    printed = np.array([c.printed for c in chosen])
    ours = np.array([index(**b) for b in base]) - printed
    changes = {"as evaluated": []}
    changes |= {f"{figure}: {title}": [(figure, title)] for figure, title in found[0]}
    for sign in ("Eq. 10 signed", "Eq. 10 none below 0"):
        changes[f"all parts: {sign}"] = [key for key in found[0] if key[1] == sign]

    def told(title, difference):
        nearer = int((np.abs(difference) < np.abs(ours) - 0.005).sum())
        largest, rms = size(difference)
        end = f"  largest {largest:5.2f}  rms {rms:5.2f}  nearer {nearer:2d}/12"
        line(title, difference, end=end)

    for title, keys in changes.items():
        values = []
        for b, f in zip(base, found, strict=True):
            for key in keys:
                b = changed(b, key[0], f[key])
            values.append(index(**b))
        told(title, np.array(values) - printed)
    return told


def combinations(sets):
    """All readings together: can any choice give the printed figures?"""
    figures = ("dld", "sdid", *PARTS)
    sides = []
    for chosen, base, found in sets:
        options = []
        for figure in figures:
            share = 10.0 if figure in PARTS else 4.0
            own = [b["shares"][figure] if figure in PARTS else b[figure] for b in base]
            values = {"": np.array(own) / share}
            for key in found[0]:
                if key[0] == figure:
                    values[": ".join(key)] = np.array([f[key] for f in found]) / share
            options.append(values)
        sides.append((np.array([c.printed for c in chosen]), options))
    scored = []
    for names in itertools.product(*sides[0][1]):
        gaps = [
            sum(values[name] for values, name in zip(options, names, strict=True)) - printed
            for printed, options in sides
        ]
        largest = [size(gap)[0] for gap in gaps]
        scored.append((size(np.concatenate(gaps))[1], *largest, [n for n in names if n]))
    print(f"\n{len(scored)} combinations of readings")
    for limit in (0.05, 0.25, 0.5, 1.0):
        print(f"  all twelve of MDAV within {limit}: {sum(s[1] < limit for s in scored)}, "
              f"all 24: {sum(max(s[1:3]) < limit for s in scored)}")  # fmt: skip
    nearest = {
        "nearest to MDAV's twelve": sorted(scored, key=lambda s: (s[1], len(s[3])))[:3],
        "nearest to MDAV's twelve by PIL's readings alone": sorted(
            (s for s in scored if not any(n.startswith(("dld", "sdid")) for n in s[3])),
            key=lambda s: (s[1], len(s[3])),
        )[:3],
        "nearest to all 24": sorted(scored, key=lambda s: (s[0], len(s[3])))[:3],
    }
    for title, best in nearest.items():
        print(f"{title}: largest difference of MDAV, of P3M, readings")
        for _, first, second, names in best:
            print(f"  {first:.2f}  {second:.2f}  {'; '.join(names)}")


def main(arguments=()):
    """Print the trace, then (without ``--quick``) every reading and their combinations."""
    mdav, moved = cells()
    base = [reading(c.before, c.after) for c in mdav]
    print("\nSI of MDAV in Table 4, in percent: the difference traced to the parts of PIL")
    trace(mdav, base)
    if "--quick" in arguments:
        return
    found = [variants(c.before, c.after) for c in mdav]
    print("\nMDAV: SI minus printed, one reading changed at a time")
    told = one_at_a_time(mdav, base, found)
    plain = np.array([index(**reading(c.before, c.plain)) - c.printed for c in mdav])
    told("release: not renormalized", plain)
    print("\nP3M at the printed alpha and delta: SI minus printed, one reading changed at a time")
    other = (
        [reading(c.before, c.after) for c in moved],
        [variants(c.before, c.after) for c in moved],
    )
    one_at_a_time(moved, *other)
    combinations([(mdav, base, found), (moved, *other)])


if __name__ == "__main__":
    main(sys.argv[1:])
