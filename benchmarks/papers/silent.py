"""Printed figures that cannot be answered, and what is missing."""

from __future__ import annotations

from benchmarks.papers.store import Silent

# What parts that were not run would take, by the beginning of their names.
NEEDS = {
    "ilsmc2020-6-ilsm-EIA-10": "ILSM compares all pairs of groups in each iteration: about 300 "
    "processor seconds for a run of 5000 at k = 3, by the 27 on Census and 14 times as many pairs; "
    "ILSMC, which leaves out tests, took half a second",
    "ilsmc2020-6-ilsm": "about half a processor minute a run (27 seconds on Census at k = 3)",
    "ilsmc2020-4-EIA-10": "8 to 10 processor seconds for 100 starts of LSC, more of LS",
    "icsm2015-4-EIA-icsm": "25 to 65 processor seconds for 16 starts, by the 1.4 to 3.9 of one",
    "icsm2015-4-Census-icsm": "about 20 processor seconds for 16 starts, by the 1.0 to 1.3 of one",
}

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
