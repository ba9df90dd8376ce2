"""Mortazavi, Jalili (2015), A novel local search method for microaggregation, ISeCure 7(1)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial

import numpy as np

import coterie
from benchmarks.papers.store import Cell, Effort, Part, Result
from benchmarks.papers.tables import REAL, rows_of, table
from benchmarks.papers.vldb2006 import losses
from coterie import datasets, standardize

TITLE = "Mortazavi, Jalili (2015), Table "
SIMULATED = {"Sim-1": datasets.sim1, "Sim-2": datasets.sim2, "Sim-3": datasets.sim3}
KS = (3, 5, 10)


def simulated(name: str, count: int) -> Iterator[Cell]:
    """Table 2: means over `count` tables made as described."""
    made = [np.asarray(standardize(SIMULATED[name](random_state=s))) for s in range(count)]
    for row in rows_of("icsm2015", name):
        for method in ("mdav", "icsm"):
            found = losses(made, int(row["k"]), method)
            given = (float(row[f"il_{method}"]), float(found.mean()))
            error = float(found.std(ddof=1)) / 5.0  # 25 tables are theirs
            yield Cell(method, f"k = {row['k']}", *given, error=error)


def real(name: str) -> Iterator[Cell]:
    """Table 2: ICSM from MDAV until nothing gains, its rounds and its seconds."""
    coterie.partition(table(name)[:60], 3, "icsm")  # compile
    for row in rows_of("icsm2015", name):
        k, column = int(row["k"]), f"k = {row['k']}"
        mdav = coterie.partition(table(name), k, "mdav").information_loss
        yield Cell("mdav", column, float(row["il_mdav"]), mdav)
        began = time.process_time()
        p = coterie.partition(table(name), k, "icsm")
        took = time.process_time() - began
        yield Cell("icsm", column, float(row["il_icsm"]), p.information_loss)
        yield Cell("rounds", column, float(row["iterations"]), p.trace[-1].iterations, 0)
        yield Cell("icsm, seconds", column, float(row["icsm_s"]), took, 1, kind="seconds")


def synthetic(k: int, rounds: int, made: int) -> Iterator[Cell]:
    """Table 2: at most so many rounds on the stand-in, `made` of them; MDAV is printed once."""
    rows = rows_of("icsm2015", "Synthetic")
    row = next(r for r in rows if (int(r["k"]), int(r["iterations"])) == (k, rounds))
    X, column = table("Synthetic"), f"k = {k}"
    if rounds == min(int(r["iterations"]) for r in rows):
        ours = coterie.partition(X, k, "mdav").information_loss
        yield Cell("mdav", column, float(row["il_mdav"]), ours, kind="stand-in")
    coterie.partition(X[:60], 3, "icsm")  # compile
    began = time.process_time()
    p = coterie.partition(X, k, "icsm", iterations=made)
    took = time.process_time() - began
    label = f"icsm, {rounds} rounds"
    yield Cell(label, column, float(row["il_icsm"]), p.information_loss, kind="stand-in")
    yield Cell(f"{label}, seconds", column, float(row["icsm_s"]), took, 1, kind="seconds")


def perturbed(name: str, k: int, restarts: int) -> Iterator[Cell]:
    """Table 4: the best of many perturbed starts."""
    row = next(row for row in rows_of("icsm2015_table4", name) if int(row["k"]) == k)
    p = coterie.partition(table(name), k, "icsm", restarts=restarts - 1, random_state=0)
    yield Cell("icsm, best", f"k = {k}", float(row["il_icsm_best"]), p.information_loss)


def quoted(name: str, k: int, restarts: int) -> Iterator[Cell]:
    """Table 4: LS, of which they quote the best of 4000 random starts; on EIA without UTILITYID."""
    row = next(row for row in rows_of("icsm2015_table4", name) if int(row["k"]) == k)
    name = "EIA-10" if name == "EIA" else name
    # The same starts as for the tables of 2020, if as many were taken there.
    kept = Result.kept(f"ilsmc2020-4-{name}-ls-{k}")
    if kept is not None and kept.effort == f"{restarts:,} runs":
        ours = next(cell.ours for cell in kept.cells if cell.row == "ls, best")
    else:
        p = coterie.partition(table(name), k, "ls", restarts=restarts - 1, random_state=0)
        ours = p.information_loss
    yield Cell("ls, best", f"k = {k}", float(row["il_ls_best"]), ours)


def parts(effort: Effort) -> list[Part]:
    """The short ones first; what takes long k by k."""
    found = []
    few = effort.of(25, 25, "tables")
    for name in SIMULATED:
        made = partial(simulated, name, few.count)
        found.append(Part(f"icsm2015-2-{name}", f"{TITLE}2, {name}", 6, made, few.words))
    found += [
        Part(f"icsm2015-2-{name}", f"{TITLE}2, {name}", 12, partial(real, name)) for name in REAL
    ]
    for rounds in (20, 400):
        for k in KS:
            many = effort.of(rounds, min(rounds, 60), "rounds")
            made = partial(synthetic, k, rounds, many.count)
            title, cells = f"{TITLE}2, Synthetic", 3 if rounds == 20 else 2
            words = many.words if rounds > 20 else ""
            found.append(Part(f"icsm2015-2-Synthetic-{rounds}-{k}", title, cells, made, words))
    starts = effort.of(1600, 16, "perturbed starts")
    random = effort.of(4000, 100, "random starts")
    for name in REAL:
        for k in (3, 4, 5, 10):
            for what, compute, many in (("icsm", perturbed, starts), ("ls", quoted, random)):
                made = partial(compute, name, k, many.count)
                title, words = f"{TITLE}4, {name}", f"{what}: {many.words}"
                found.append(Part(f"icsm2015-4-{name}-{what}-{k}", title, 1, made, words))
    return found
