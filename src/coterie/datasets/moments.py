"""A table of any length that shares the moments of Census.

After LargeCensus of J. Domingo-Ferrer, A. Martínez-Ballesté, J. M. Mateo-Sanz, F. Sebé (2006),
"Efficient multivariate data-oriented microaggregation", The VLDB Journal 15, section 5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from coterie.datasets.arguments import Seed, count, generator
from coterie.datasets.optional import needed
from coterie.datasets.reference import census
from coterie.errors import bad_parameter

if TYPE_CHECKING:
    import pandas as pd


def census_like(
    n: int = 10_000,
    attributes: int = 13,
    *,
    exact: bool = True,
    random_state: Seed = None,
) -> pd.DataFrame:
    """Normal data with the mean and covariance of Census.

    After LargeCensus of Domingo-Ferrer et al. (2006). Census is loaded for its moments, so the
    reference data must be at hand (see `census`). LargeCensus has 10,000 records and
    VeryLargeCensus 100,000; they were made by a generator that keeps the covariance exactly, and so
    does this one by default. Their shape beyond the second moments is not published, and it
    matters: MDAV at k = 3 loses 4.9 % of this table, where 25.6 % is printed for LargeCensus, more
    than even independent normal columns lose (17.4 %). Compare methods on one table, never this
    one's results with the printed ones.

    Parameters
    ----------
    n : int, default 10000
        Records; at least 1, or `attributes` + 1 when `exact`.
    attributes : int, default 13
        How many of the 13 columns of Census, from the first on.
    exact : bool, default True
        Whether the table's own mean and covariance (with n - 1) equal those of Census to rounding,
        or only in expectation.
    random_state : int, numpy.random.Generator or None, default None
        The seed.

    Returns
    -------
    pandas.DataFrame
        `n` rows of float64, with the column names of Census.

    Raises
    ------
    DataError
        When Census cannot be had.

    Examples
    --------
    >>> from coterie.datasets import census_like
    >>> census_like(n=100_000, random_state=0).shape  # doctest: +SKIP
    (100000, 13)
    """
    owner = "census_like"
    if not isinstance(exact, bool | np.bool_):
        raise bad_parameter("exact", owner, "True or False", exact)
    p = count(owner, "attributes", attributes, 1, 13)
    if count(owner, "n", n, 1) <= p and exact:
        rule = f"at least {p + 1} to match the moments of {p} attributes"
        raise bad_parameter("n", owner, rule, n, "Ask for more records, or for exact=False.")
    rng = generator(owner, random_state)
    original = census().iloc[:, :p]
    values = _normal(original.to_numpy(dtype=float), int(n), rng, exact=bool(exact))
    table: pd.DataFrame = needed("pandas").DataFrame(values, columns=original.columns)
    return table


def _normal(model: np.ndarray, n: int, rng: np.random.Generator, *, exact: bool) -> np.ndarray:
    """`n` normal records with the mean and covariance of `model`."""
    p = model.shape[1]
    draws = rng.standard_normal((n, p))
    if exact:
        draws -= draws.mean(axis=0)
        lower = np.linalg.cholesky(draws.T @ draws / (n - 1))
        draws = np.linalg.solve(lower, draws.T).T
    # Columns of Census that are sums of others make the correlation singular, which rules out a
    # Cholesky factor; the symmetric root exists and, unlike eigenvectors, has no free signs.
    scale = model.std(axis=0, ddof=1)
    correlation = np.corrcoef(model, rowvar=False).reshape(p, p)
    eigenvalues, vectors = np.linalg.eigh(correlation)
    root = (vectors * np.sqrt(np.clip(eigenvalues, 0.0, None))) @ vectors.T
    result: np.ndarray = model.mean(axis=0) + (draws @ root) * scale
    return result
