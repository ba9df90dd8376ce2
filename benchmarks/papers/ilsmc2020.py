"""Bierman (2020), Improvements to iterated local search for microaggregation."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial

import numpy as np

import coterie
from benchmarks.papers.store import Cell, Effort, Part, Result
from benchmarks.papers.tables import decimals, published, rows_of, table

TITLE = "Bierman (2020), Table "
TABLES = ("Tarragona", "Census", "EIA-10")
KS = (3, 4, 5, 6, 10)
# Where the columns of Tarragona stand in Bierman's table; the others are in their places.
MOVED = {7: 9, 8: 11, 9: 8, 10: 7, 11: 10}


def first_records() -> Iterator[Cell]:
    """Table 2: their variance divides by n - 1, which changes no loss."""
    for row in published("ilsmc2020_table2"):
        for name in TABLES:
            if row[name]:
                at = int(row["attribute"])
                at = MOVED.get(at, at) if name == "Tarragona" else at
                n = len(table(name))
                ours = float(table(name)[0, at - 1]) * ((n - 1) / n) ** 0.5
                label = f"attribute {row['attribute']}"
                yield Cell(label, name, float(row[name]), ours, decimals(row[name]))


def row_of(csv: str, name: str, k: int) -> dict[str, str]:
    """The printed row of one table and k."""
    return next(row for row in rows_of(csv, name) if int(row["k"]) == k)


def descents(name: str, method: str, k: int, runs: int) -> Iterator[Cell]:
    """Tables 3 and 4: the best of many random starts, and the processor seconds of one."""
    coterie.partition(table(name)[:60], 3, method, random_state=0)  # compile
    began = time.process_time()
    p = coterie.partition(table(name), k, method, restarts=runs - 1, random_state=0, workers=1)
    took = (time.process_time() - began) / runs
    column = f"k = {k}"
    printed = float(row_of("ilsmc2020", name, k)[f"{method}_best"])
    yield Cell(f"{method}, best", column, printed, p.information_loss)
    printed = float(row_of("ilsmc2020_table3", name, k)[f"{method}_s"])
    yield Cell(f"{method}, seconds", column, printed, took, 3, kind="seconds")


def iterated(name: str, method: str, k: int, runs: int, iterations: int = 5000) -> Iterator[Cell]:
    """Tables 5 to 7: best, mean and worst of the runs, 5000 iterations each, and the seconds.

    Where fewer iterations are made, the seconds are those of 5000 at the same pace.

    The biased dissolving of Table 7 is run by ILSMC, which is ILSM with fewer tests.
    """
    options = {"dissolve": "biased"} if method == "bdissolve" else {}
    column = f"k = {k}"
    began = time.process_time()
    losses = [
        coterie.partition(
            table(name),
            k,
            "ilsmc" if method == "bdissolve" else method,
            random_state=seed,
            iterations=iterations,
            workers=1,
            **options,
        ).information_loss
        for seed in range(runs)
    ]
    took = (time.process_time() - began) / runs * (5000 / iterations)
    row = row_of("ilsmc2020", name, k)
    for what, ours in (("best", min(losses)), ("avg", np.mean(losses)), ("worst", max(losses))):
        yield Cell(f"{method}, {what}", column, float(row[f"{method}_{what}"]), float(ours))
    if method != "bdissolve":
        printed = float(row_of("ilsmc2020_table5", name, k)[f"{method}_5000_iterations_s"])
        yield Cell(f"{method}, seconds", column, printed, took, kind="seconds")


def accepting(name: str, k: int, runs: int) -> Iterator[Cell]:
    """Figures 19 to 27: mean loss with dynamic acceptance over that with static, by ILSMC."""

    def mean_loss(**given: str) -> float:
        made = [
            coterie.partition(
                table(name), k, "ilsmc", random_state=seed, iterations=5000, workers=1, **given
            )
            for seed in range(runs)
        ]
        return float(np.mean([p.information_loss for p in made]))

    # Static acceptance is what Table 6 was answered with: the same seeds, if as many runs are kept.
    kept = Result.kept(f"ilsmc2020-6-ilsmc-{name}-{k}")
    if kept is not None and kept.effort == f"{runs} runs":
        static = next(cell.ours for cell in kept.cells if cell.row == "ilsmc, avg")
    else:
        static = mean_loss()
    yield Cell(name, f"k = {k}", 1.0, mean_loss(accept="dynamic") / static, 4, kind="claim")


def parts(effort: Effort) -> list[Part]:
    """The short ones first; what takes long method by method and k by k."""
    found = [Part("ilsmc2020-2", f"{TITLE}2", 36, first_records)]
    for method, many in (
        ("ilsmc", effort.of(20, 3, "runs")),
        ("ilsm", effort.of(20, 1, "runs")),
        ("bdissolve", effort.of(20, 3, "runs by ILSMC")),
    ):
        number, cells = ("7", 3) if method == "bdissolve" else ("5 and 6", 4)
        for name in TABLES:
            for k in KS:
                made = partial(iterated, name, method, k, many.count)
                words = many.words
                if method == "ilsm":  # all pairs of groups in each iteration: fewer may have to do
                    made = partial(made, iterations=effort.iterations)
                    words += effort.shortened
                title = f"{TITLE}{number}, {method}, {name}"
                part = Part(f"ilsmc2020-6-{method}-{name}-{k}", title, cells, made, words)
                found.append(part)
    many = effort.of(20, 3, "runs")
    title = f"{TITLE[:-6]}Figures 19 to 27: dynamic acceptance, loss over that of static; claimed"
    title += " below 1 (above: Tarragona k = 10; mixed: Tarragona k = 5, 6)"
    for name in TABLES:
        for k in KS:
            made = partial(accepting, name, k, many.count)
            found.append(Part(f"ilsmc2020-19-{name}-{k}", title, 1, made, many.words))
    many = effort.of(5000, 100, "runs")
    for name in TABLES:
        for method in ("lsc", "ls"):
            for k in KS:
                made = partial(descents, name, method, k, many.count)
                title = f"{TITLE}3 and 4, {name}"
                found.append(Part(f"ilsmc2020-4-{name}-{method}-{k}", title, 2, made, many.words))
    return found
