"""Why a figure is more than five percent away from the printed one: one cause each, by a rule."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.papers.store import RESULTS, Cell, Part, Result

ERRORS = 3.0  # standard errors of their draw of simulated tables


@dataclass(frozen=True)
class Cause:
    """What explains the cells of some parts and rows, or that nothing does.

    `parts`, `rows` and `columns` are regular expressions for the whole of a part's name, the
    beginning of a row and the whole of a column.
    """

    known: bool
    parts: str
    rows: str
    why: str
    columns: str = ".*"

    def covers(self, part: str, cell: Cell) -> bool:
        """Whether the cell is one of these."""
        named = re.fullmatch(self.parts, part) and re.fullmatch(self.columns, cell.column)
        return bool(named and re.match(self.rows, cell.row))


DRAWN = Cause(
    True,
    ".*",
    "",
    f"other simulated tables: within {ERRORS:.0f} standard errors of a draw of as many as they "
    f"took",
)
# The first that covers a cell counts. Those that nothing explains say what was tried.
CAUSES = (
    Cause(
        True,
        "vldb2006-[67]",
        "optimal_of_100",
        "what is counted as optimal is more than the optimum: ten of the printed counts "
        "contradict the means and spreads beside them, and taken together they are nearest to "
        "the number of tables within 7.5 % of the optimum (readings of Tables 6 and 7, below)",
    ),
    Cause(
        True,
        "vldb2006-6",
        "max_ratio, k = 5",
        "the mean beside it cannot be: 52 (45) ratios of 1 and none above 1.11 (1.13) leave a "
        "mean of 1.05 (1.07) at most, and 1.10 (1.13) is printed",
        "(cbfs|mdav)-mhm",
    ),
    Cause(
        True,
        "vldb2006-6",
        "mean_ratio, k = 5",
        "the spread beside it cannot be: with 37 ratios of 1 a mean of 1.46 has one of 0.35 at "
        "least, and 0.11 is printed",
        "md",
    ),
    Cause(
        False,
        "vldb2006-[67]",
        "(max|mean)_ratio",
        "not explained: at k = 2 and at p = 2, for MD and MD-MHM also at k = 5, the methods are"
        " farther from the optimum there than a draw of 100 tables allows; at k = 3 with three "
        "or more attributes they are not. Attributes that are not standardized come no nearer",
    ),
    Cause(
        True,
        "vldb2006-5-SimC",
        "",
        "their tables differ from their description: by it the scattered points alone lose more"
        " at k = 3 and 5 than is printed for the whole. Of 25 other shares of scattered points "
        "and sizes of clusters, the nearest is 19 % away in the mean",
    ),
    Cause(
        False,
        "vldb2006-5-EIA",
        "npn-mhm",
        "not explained: the path from one of the two most distant records gives the nine "
        "figures but for 0.04 to 2.4 %, this one for 7.5 %",
    ),
    Cause(
        True,
        "vldb2006-5-EIA",
        "mdav-mhm",
        "the path runs through MDAV's groups, and on EIA their MDAV made others (three figures "
        "of it differ, by up to 0.7 %); no reading of the path comes nearer as a whole",
    ),
    Cause(
        True,
        "icsm2015-2-Sim-3",
        "",
        "the description cannot be what was done: centers twice as far apart leave a smaller "
        "share of the variance within clusters, and a larger loss than on Sim-2 is printed. The"
        " printed figures are within 7 % of ours on Sim-2",
    ),
    Cause(
        False,
        "icsm2015-2-Sim-2",
        "mdav",
        "not explained: 3.5 standard errors of the draw; the other five figures are within three",
    ),
    Cause(
        False,
        "icsm2015-2-Sim-1",
        "icsm",
        "not explained: theirs is worse. MDAV agrees there, ICSM at k = 3; stopped after two "
        "rounds ours loses what is printed at k = 10, after four at k = 5, until nothing gains "
        "at k = 3",
    ),
    Cause(
        False,
        "icsm2015-2-.*",
        "rounds",
        "not explained: theirs takes more rounds to a loss within 3 % of ours. No other pool "
        "(5, 10, 20, 40) and no other count (re-cuts, exchanges and shifts each by itself) "
        "gives them: a pool of 5 needs too many at k = 10 on Tarragona and too few at k = 3 on "
        "Census",
    ),
    Cause(
        True,
        "ilsmc2020-6-ilsm-EIA-10-.*",
        "ilsm, (best|avg)",
        "one run of 500 iterations here, 20 of 5000 there: its loss still falls. ILSMC, which "
        "finds the same with fewer tests, is near with all iterations",
    ),
    Cause(
        True,
        "ilsmc2020-6-.*",
        ".*, worst",
        "fewer runs here than their 20, of which the worst is worse",
    ),
    Cause(
        True,
        "icsm2015-4-EIA-icsm-.*",
        "icsm, best",
        "two perturbed starts here against their 1600, of which the best is better",
    ),
    Cause(
        True,
        "(ilsmc2020-4|icsm2015-4)-Census-lsc?-3",
        "lsc?, best",
        "the printed figure is the odd one of its row: nearer to that of ILSM than at any other"
        " k; a second program written from the text agrees with ours",
    ),
    Cause(
        False,
        "(ilsmc2020-4-EIA-10|icsm2015-4-EIA)-(lsc?-10|lsc-5)",
        "lsc?, best",
        "not explained: theirs is worse, from 40 to 50 times as many starts. At k = 5 it is above "
        "what is printed for k = 6, whose groups would serve at k = 5 as well",
    ),
    Cause(
        True,
        "(ilsmc2020-4-EIA-10|icsm2015-4-EIA)-lsc?-.*",
        "lsc?, best",
        "100 random starts here against their 5000 (4000), of which the best is better: LS and "
        "LSC, which differ in the order of tests alone, are as far apart as that at k = 5",
    ),
    Cause(
        True,
        "p3m2017-4-Tarragona",
        "SI, p3m",
        "theirs is worse: the objective has many minima within one or two percent of each "
        "other, and which of them is found decides SI",
    ),
)


def cause(part: str, cell: Cell) -> Cause | None:
    """The cause of a cell's difference: a known one, else the draw of tables, else none "
    "known."""
    found = next((one for one in CAUSES if one.covers(part, cell)), None)
    drawn = bool(cell.error) and abs(cell.ours - cell.theirs) <= ERRORS * cell.error
    return DRAWN if drawn and not (found and found.known) else found


def found(
    parts: Sequence[Part], far: Iterable[tuple[str, Cell]]
) -> list[tuple[Cause | None, str, int]]:
    """Causes with the tables they are about and how many figures, those without one last."""
    titles = {part.name: part.table for part in parts}
    counts: dict[tuple[Cause | None, str], int] = {}
    for name, cell in far:
        key = cause(name, cell), titles[name]
        counts[key] = counts.get(key, 0) + 1
    order = [DRAWN, *CAUSES, None]
    rows = [(why, table, count) for (why, table), count in counts.items()]
    return sorted(rows, key=lambda row: order.index(row[0]))


def beyond(parts: Sequence[Part], folder: Path = RESULTS) -> list[tuple[str, Cell]]:
    """Compared figures that are more than five percent away, with the name of their part."""
    kept = [(part.name, Result.kept(part.name, folder)) for part in parts]
    return [
        (name, cell)
        for name, result in kept
        if result is not None
        for cell in result.cells
        if cell.kind == "figure" and not cell.same and abs(cell.percent) > 5
    ]
