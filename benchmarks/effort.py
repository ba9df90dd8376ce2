"""How long `auto` should search small tables: loss against effort on ten of them.

    python3 dev.py bench effort
    python3 dev.py bench effort --seeds 1 --efforts 1250 2500 5000

Each table is partitioned at each effort (moves proposed for each record) with several seeds. Told
are the mean loss above the least that any run found on that table, in percent of it, and the
processor seconds of the search, compilation aside. The knee is where twice the effort wins less
than `--worth` percent of the loss on average.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import coterie
from coterie import datasets

EFFORTS = (625, 1250, 2500, 5000, 10_000, 20_000, 40_000)


def tables():
    """Points and k by name; the reference data as well where they are at hand."""
    made = {
        "diabetes, 4 keys": (datasets.diabetes()[["age", "sex", "bmi", "bp"]], 5),
        "diabetes, 10 keys": (datasets.diabetes().drop(columns="progression"), 3),
        "health, 4 keys": (
            datasets.health(1200, random_state=0)[["age", "height", "weight", "income"]],
            10,
        ),
        "sim1, 300 x 3": (datasets.sim1(300, 3, random_state=0), 3),
        "sim2, 20 clusters": (datasets.sim2(20, 25, 6, random_state=0), 5),
        "sim3, 40 clusters": (datasets.sim3(40, 20, 4, random_state=0), 4),
        "simu, 1000 x 10": (datasets.simu(random_state=0), 5),
        "simc, 100 clusters": (datasets.simc(random_state=0), 3),
        "synthetic, 1500 x 6": (datasets.synthetic(1500, 6, random_state=0), 10),
        "synthetic, 700 x 2": (datasets.synthetic(700, 2, random_state=1), 5),
    }
    try:
        made["Tarragona"] = (datasets.tarragona(), 5)
        made["Census"] = (datasets.census(), 3)
    except coterie.CoterieError:
        pass
    return {name: (coterie.standardize(table), k) for name, (table, k) in made.items()}


def main(arguments=None):
    """Run every table at every effort and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--efforts", type=int, nargs="*", default=EFFORTS)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--worth", type=float, default=0.5, help="percent of the loss")
    asked = parser.parse_args(arguments)
    shape = (len(asked.efforts), asked.seeds)
    above, spent = [], []
    print(f"{'table':20} {'records':>7} {'k':>3} " + "".join(f"{e:>16,}" for e in asked.efforts))
    for name, (points, k) in tables().items():
        loss, seconds = np.empty(shape), np.empty(shape)
        coterie.partition(points, k, "auto", random_state=0)  # compiles, or loads
        for e, effort in enumerate(asked.efforts):
            for seed in range(asked.seeds):
                began = time.process_time()
                p = coterie.partition(points, k, "auto", random_state=seed, effort=effort)
                seconds[e, seed] = time.process_time() - began
                loss[e, seed] = p.information_loss
        above.append(100.0 * (loss.mean(axis=1) / loss.min() - 1.0))
        spent.append(seconds.mean(axis=1))
        cells = "".join(f"{a:8.2f} %{s:5.2f} s" for a, s in zip(above[-1], spent[-1], strict=True))
        print(f"{name:20} {len(points):7} {k:3} {cells}", flush=True)
    mean, time_taken = np.mean(above, axis=0), np.mean(spent, axis=0)
    cells = "".join(f"{a:8.2f} %{s:5.2f} s" for a, s in zip(mean, time_taken, strict=True))
    print(f"{'mean':32} {cells}")
    for at in range(len(asked.efforts) - 1):
        doublings = np.log2(asked.efforts[at + 1] / asked.efforts[at])
        if (mean[at] - mean[at + 1]) / doublings < asked.worth:
            print(f"twice the effort wins less than {asked.worth} % from {asked.efforts[at]:,} on")
            break
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
