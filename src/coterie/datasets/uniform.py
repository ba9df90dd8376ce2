"""Uniform tables of the literature, each from a seed: SimU and Sim-1.

SimU is of J. Domingo-Ferrer, A. Martínez-Ballesté, J. M. Mateo-Sanz, F. Sebé (2006), "Efficient
multivariate data-oriented microaggregation", The VLDB Journal 15, section 5; Sim-1 of R. Mortazavi,
S. Jalili (2015), "A novel local search method for microaggregation", The ISC International Journal
of Information Security 7, section 5.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from coterie.datasets.arguments import Seed, count, frame, generator

if TYPE_CHECKING:
    import pandas as pd


def simu(n: int = 1000, attributes: int = 10, *, random_state: Seed = None) -> pd.DataFrame:
    """Uniform data on [-10000, 10000]: SimU of Domingo-Ferrer et al. (2006).

    Parameters
    ----------
    n : int, default 1000
        Records.
    attributes : int, default 10
        Columns.
    random_state : int, numpy.random.Generator or None, default None
        The seed.

    Returns
    -------
    pandas.DataFrame
        `n` rows of float64, with the columns x1, x2, ...

    Examples
    --------
    >>> from coterie.datasets import simu
    >>> simu(random_state=0).shape
    (1000, 10)
    """
    return _uniform("simu", n, attributes, 10_000.0, random_state)


def sim1(n: int = 100, attributes: int = 10, *, random_state: Seed = None) -> pd.DataFrame:
    """Uniform data on [-1000, 1000]: Sim-1 of Mortazavi and Jalili (2015).

    Parameters and result are those of `simu`.

    Examples
    --------
    >>> from coterie.datasets import sim1
    >>> sim1(random_state=0).shape
    (100, 10)
    """
    return _uniform("sim1", n, attributes, 1_000.0, random_state)


def _uniform(owner: str, n: int, attributes: int, bound: float, seed: Seed) -> pd.DataFrame:
    shape = count(owner, "n", n, 1), count(owner, "attributes", attributes, 1)
    return frame(generator(owner, seed).uniform(-bound, bound, shape))
