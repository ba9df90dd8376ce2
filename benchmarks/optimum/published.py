"""The best information losses of the literature, percent, two decimals.

Bierman (2020), tables 4, 6 and 7; Mortazavi, Jalili (2015), table 2; Domingo-Ferrer et al. (2006),
table 5.
"""

from __future__ import annotations

PUBLISHED = {
    ("Tarragona", 3): 14.48, ("Tarragona", 4): 17.10, ("Tarragona", 5): 20.17,
    ("Tarragona", 6): 23.50, ("Tarragona", 10): 30.14,
    ("Census", 3): 4.75, ("Census", 4): 6.12, ("Census", 5): 7.37,
    ("Census", 6): 8.33, ("Census", 10): 11.46,
    ("EIA-10", 3): 0.36, ("EIA-10", 4): 0.51, ("EIA-10", 5): 0.76,
    ("EIA-10", 6): 0.94, ("EIA-10", 10): 1.85,
    ("EIA", 3): 0.35, ("EIA", 4): 0.49, ("EIA", 5): 0.74, ("EIA", 10): 1.95,
}  # fmt: skip
