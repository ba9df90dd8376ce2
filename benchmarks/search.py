"""LS, LSC, ILSM(C) and ICSM: published information loss beside ours, with the risk of each release.

    make bench-search                        all of it, 20 seeds: about a quarter of an hour
    make bench-search ARGS=--quick           3 seeds
    make bench-search ARGS="ilsmc --seeds 5" one part

Risk is measured on the same release: the share of records whose nearest released centroid is
their own group's (hits), and the share that an intruder who takes the nearest centroid and one of
its records at random links correctly (DLD). Both in percent; a better fit at the same k links more.
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path

import numpy as np

import coterie
from coterie import datasets
from coterie.kernels.base import draws, groups
from coterie.kernels.search import descent, perturb, visits

PAPERS = Path(__file__).parent / "papers"
SIZES = (3, 5, 10)


def tables():
    return {
        "Tarragona": coterie.standardize(datasets.tarragona()),
        "Census": coterie.standardize(datasets.census()),
        "EIA": coterie.standardize(datasets.eia(attributes=11)),
        "EIA-10": coterie.standardize(datasets.eia(attributes=10)),
    }


def published(name):
    with (PAPERS / name).open(newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {(row["dataset"], int(row["k"])): row for row in rows}


def risk(X, p):
    """Own-group hits and expected distance-linkage disclosure, both in percent."""
    hits = linked = 0.0
    for start in range(0, len(X), 512):
        part = slice(start, start + 512)
        d2 = np.square(X[part, None, :] - p.centroids[None]).sum(axis=2)
        nearest = d2 <= d2.min(axis=1, keepdims=True)
        own = nearest[np.arange(len(d2)), p.labels[part]]
        hits += own.sum()
        linked += (own / (nearest @ p.sizes)).sum()
    return 100.0 * hits / len(X), 100.0 * linked / len(X)


def repeat(X, k, seeds, **options):
    """Mean, best and worst IL over the seeds, mean hits and DLD, seconds, largest group."""
    made = [coterie.partition(X, k, random_state=seed, **options) for seed in range(seeds)]
    loss = np.array([p.information_loss for p in made])
    hits, linked = np.mean([risk(X, p) for p in made], axis=0)
    return {
        "mean": loss.mean(),
        "best": loss.min(),
        "worst": loss.max(),
        "hits": hits,
        "dld": linked,
        "seconds": np.mean([p.runtime for p in made]),
        "largest": max(p.sizes.max() for p in made),
    }


def bench_ilsmc(data, seeds):
    print(f"\nilsmc: static acceptance, uniform dissolve, random start, 5000 iterations; {seeds}")
    print("no upper limit on group sizes, as published; theirs: Bierman (2020), table 6 (20 runs)")
    print(
        f"{'table':<10} {'k':>2} {'theirs':>7} {'ours':>8} {'diff':>7} {'best':>8} {'worst':>8}"
        f" {'hits':>6} {'DLD':>6} {'s':>6} {'largest':>7}"
    )
    paper = published("ilsmc2020.csv")
    for name in ("Tarragona", "Census", "EIA-10"):
        for k in SIZES:
            r = repeat(data[name], k, seeds, method="ilsmc", iterations=5000)
            theirs = float(paper[name, k]["ilsmc_avg"])
            print(
                f"{name:<10} {k:>2} {theirs:>7.2f} {r['mean']:>8.4f} {r['mean'] - theirs:>+7.4f}"
                f" {r['best']:>8.4f} {r['worst']:>8.4f} {r['hits']:>6.2f} {r['dld']:>6.2f}"
                f" {r['seconds']:>6.2f} {r['largest']:>7}",
                flush=True,
            )


def bench_biased(data, seeds):
    print(f"\nilsmc, 1000 iterations, {seeds} seeds: what to dissolve, and what to accept")
    print(
        f"{'table':<10} {'k':>2} {'uniform':>8} {'biased':>8} {'diff':>8} {'+dynamic':>8}"
        f" {'hits':>6} {'DLD':>6}   (of biased)"
    )
    for name in ("Tarragona", "EIA-10", "Census"):
        for k in SIZES:
            given = {"method": "ilsmc", "iterations": 1000}
            uniform = repeat(data[name], k, seeds, **given)
            biased = repeat(data[name], k, seeds, dissolve="biased", **given)
            both = repeat(data[name], k, seeds, dissolve="biased", accept="dynamic", **given)
            print(
                f"{name:<10} {k:>2} {uniform['mean']:>8.4f} {biased['mean']:>8.4f}"
                f" {biased['mean'] - uniform['mean']:>+8.4f} {both['mean']:>8.4f}"
                f" {biased['hits']:>6.2f} {biased['dld']:>6.2f}",
                flush=True,
            )


def descend(X, k, seed, every):
    """One descent from a random partition of n // k groups: labels and tests made."""
    n = len(X)
    words = draws.seeded(np.random.SeedSequence(seed))
    labels = np.empty(n, dtype=np.int64)
    perturb.scatter(words, n // k, n // k, k, n, np.empty(n, dtype=np.int64), labels)
    state = groups.groups(np.ascontiguousarray(X), labels, k, n)
    plan, pair = descent.descent(n // k, every), visits.pair(n)
    descent.target_all(plan, n // k)
    descent.step(plan, state, pair, words, 10**12)
    return state.labels, pair.tally


def bench_lsc(data, seeds):
    print(
        f"\nls and lsc from {seeds} random partitions: mean IL, and lsc's tests in percent of ls's"
    )
    print(
        f"{'table':<10} {'k':>2} {'ls':>8} {'lsc':>8} {'pairs':>6} {'swaps':>6} {'shifts':>6}"
        f" {'all':>6} {'hits':>6} {'DLD':>6}   (of lsc)"
    )
    for name in ("Tarragona", "Census", "EIA-10"):
        for k in SIZES:
            loss, tests, exposed = {}, {}, []
            for every in (True, False):
                runs = [descend(data[name], k, seed, every) for seed in range(seeds)]
                made = [coterie.Partition.from_labels(data[name], run[0], k) for run in runs]
                loss[every] = np.mean([p.information_loss for p in made])
                tests[every] = np.sum([run[1] for run in runs], axis=0)[:3]
                exposed = np.mean([risk(data[name], p) for p in made], axis=0)
            share = 100.0 * tests[False] / np.maximum(tests[True], 1)
            whole = 100.0 * tests[False].sum() / tests[True].sum()
            print(
                f"{name:<10} {k:>2} {loss[True]:>8.4f} {loss[False]:>8.4f} {share[0]:>6.1f}"
                f" {share[1]:>6.1f} {share[2]:>6.1f} {whole:>6.1f}"
                f" {exposed[0]:>6.2f} {exposed[1]:>6.2f}",
                flush=True,
            )


def bench_icsm(data, seeds):
    print("\nicsm from MDAV; theirs: Mortazavi, Jalili (2015), table 2")
    print(
        f"{'table':<10} {'k':>2} {'theirs':>7} {'ours':>8} {'diff %':>7} {'rounds':>6}"
        f" {'theirs':>6} {'s':>6} {'hits':>6} {'DLD':>6}"
    )
    for (name, k), row in published("icsm2015.csv").items():
        if name not in data:
            continue  # simulated: make bench-papers
        p = coterie.partition(data[name], k, "icsm")
        theirs = float(row["il_icsm"])
        hits, linked = risk(data[name], p)
        print(
            f"{name:<10} {k:>2} {theirs:>7.2f} {p.information_loss:>8.4f}"
            f" {100.0 * (p.information_loss / theirs - 1.0):>+7.2f} {p.trace[-1].iterations:>6}"
            f" {row['iterations']:>6} {p.runtime:>6.2f} {hits:>6.2f} {linked:>6.2f}",
            flush=True,
        )


def bench_speed(data, seeds):
    print(
        "\nilsmc from mdav on census-like tables, k = 3: iterations per second, of the clock and of"
    )
    print("processor time (on a busy machine the second is the one to compare)")
    print(f"{'n':>7} {'groups':>7} {'iterations':>10} {'clock':>8} {'cpu':>8} {'IL':>8}")
    for n, iterations in ((1_000, 4000), (4_000, 4000), (20_000, 2000), (100_000, 1000)):
        X = coterie.standardize(datasets.census_like(n, random_state=0))
        told = []

        def note(progress, told=told):
            if progress.phase == "ilsmc" and progress.iterations:
                told.append((progress.iterations, progress.seconds, time.process_time()))

        p = coterie.partition(
            X, 3, "ilsmc", start="mdav", random_state=0, iterations=iterations, callback=note
        )
        count, clock, cpu = np.subtract(told[-1], told[0])
        print(
            f"{n:>7} {len(p.sizes):>7} {iterations:>10} {count / clock:>8.0f} {count / cpu:>8.0f}"
            f" {p.information_loss:>8.4f}",
            flush=True,
        )


PARTS = {
    "ilsmc": bench_ilsmc,
    "biased": bench_biased,
    "lsc": bench_lsc,
    "icsm": bench_icsm,
    "speed": bench_speed,
}


def main():
    parser = argparse.ArgumentParser(prog="bench-search", description=__doc__.split("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--quick", action="store_true", help="3 seeds")
    given = parser.parse_args()
    unknown = set(given.parts) - set(PARTS)
    if unknown:
        parser.error(f"no part {sorted(unknown)[0]!r}; known: {', '.join(PARTS)}")
    data = tables()
    began = time.perf_counter()
    for name in given.parts or PARTS:
        PARTS[name](data, 3 if given.quick else given.seeds)
    print(f"\n{time.perf_counter() - began:.0f} s in all")


if __name__ == "__main__":
    main()
