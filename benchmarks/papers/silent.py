"""Printed figures that cannot be answered, and what is missing."""

from __future__ import annotations

from benchmarks.papers.store import Silent

# What all runs of the publications would take, by the beginning of the names of the parts.
NEEDS = {
    "ilsmc2020-6-ilsm-EIA-10": "ILSM on EIA: 20 runs of 5,000 iterations take 16 to 39 processor "
    "minutes for each k (ILSM compares all pairs of groups in each iteration; ILSMC, which leaves "
    "out tests, takes half a second a run)",
    "ilsmc2020-6-ilsm": "ILSM elsewhere: 6 to 9 processor minutes for each k",
    "ilsmc2020-6": "ILSMC and biased dissolving: up to 4 processor minutes for each k",
    "ilsmc2020-19": "dynamic acceptance: up to 4 processor minutes for each k",
    "ilsmc2020-4": "5,000 starts of LS and LSC: 1 to 12 processor minutes for each k",
    "icsm2015-4-EIA-icsm": "1,600 starts of ICSM on EIA: 40 to 110 processor minutes for each k",
    "icsm2015-4": "1,600 starts of ICSM, 4,000 of LS elsewhere: 1 to 40 processor minutes for "
    "each k",
    "icsm2015-2-Synthetic": "400 rounds of ICSM on Synthetic: more than 2 processor minutes for "
    "each k",
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
