"""Tables to try methods on: the field's reference microdata and seeded generators.

Every function returns a fresh `pandas.DataFrame` with raw values. Importing this package loads
neither pandas nor any other optional package; calling a function does.
"""

from coterie.datasets.clustered import sim2, sim3, simc, synthetic
from coterie.datasets.embedded import diabetes, sme
from coterie.datasets.health import health
from coterie.datasets.moments import census_like
from coterie.datasets.reference import census, eia, tarragona
from coterie.datasets.uniform import sim1, simu

__all__ = [
    "census",
    "census_like",
    "diabetes",
    "eia",
    "health",
    "sim1",
    "sim2",
    "sim3",
    "simc",
    "simu",
    "sme",
    "synthetic",
    "tarragona",
]
