"""The picture of the README: what each method loses on the embedded table, k = 5."""

from __future__ import annotations

import argparse
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt

import coterie

KEYS = ["age", "sex", "bmi", "bp"]
COLORS = {
    "constructive": "#8da0cb",
    "path": "#66c2a5",
    "search": "#fc8d62",
}


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", default="docs/images/methods.svg")
    parser.add_argument("--quick", action="store_true", help="the same; it takes seconds")
    target = Path(parser.parse_args(arguments).output)
    X = coterie.standardise(coterie.datasets.diabetes()[KEYS])
    rows = []
    for method in coterie.methods():
        if method.kind == "exact":
            continue
        limits = {"iterations": 2000} if method.name.startswith("ils") else {}
        p = coterie.partition(X, 5, method.name, random_state=0, **limits)
        rows.append((p.information_loss, method.name, method.kind))
        print(f"{method.name:12} {p.information_loss:8.3f} %")
    rows.sort(reverse=True)
    mpl.rcParams["svg.hashsalt"] = "coterie"  # the same picture from the same figures
    figure, axes = plt.subplots(figsize=(7, 4.6), layout="constrained")
    axes.barh([r[1] for r in rows], [r[0] for r in rows], color=[COLORS[r[2]] for r in rows])
    for place, (loss, _, _) in enumerate(rows):
        axes.text(loss + 0.1, place, f"{loss:.2f}", va="center", fontsize=8)
    handles = [plt.Rectangle((0, 0), 1, 1, color=c) for c in COLORS.values()]
    axes.legend(handles, COLORS, frameon=False, loc="upper right")
    axes.set_xlabel("information lost, percent (442 patients, 4 keys, k = 5)")
    axes.tick_params(labelsize=9)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(target, metadata={"Date": None})
    print(f"wrote {target}")


if __name__ == "__main__":
    main()
