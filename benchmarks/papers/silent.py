"""Printed figures that cannot be answered, and what is missing."""

from __future__ import annotations

from benchmarks.papers.store import Silent

SILENT = (
    Silent(
        "Domingo-Ferrer et al. (2006)",
        "Table 4",
        6,
        "SSE on the eleven points of Figure 3, whose coordinates are not printed",
    ),
    Silent(
        "Mortazavi, Jalili (2015)",
        "Table 2, seconds",
        0,
        "those of MDAV, and of ICSM on simulated tables, are given as below one or as one",
    ),
    Silent(
        "Mortazavi, Jalili (2015)",
        "Figure 5",
        0,
        "bars without figures, quoted from other publications",
    ),
    Silent(
        "Bierman (2020)",
        "Figures 1 to 18 and 28 to 34",
        0,
        "curves without figures",
    ),
    Silent(
        "Mortazavi, Jalili (2017)",
        "Table 5, Tarragona and Census",
        0,
        "seconds given as below one",
    ),
    Silent(
        "Mortazavi, Jalili (2017)",
        "Table 6, DREAM",
        12,
        "its model is not written down there: which constraints hold, what is solved and how "
        "groups are made; three of the figures repeat those of MDAV",
    ),
    Silent("Mortazavi, Jalili (2017)", "Figures 2 to 9", 0, "curves without figures"),
)
