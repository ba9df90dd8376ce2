"""Microaggregation as a scikit-learn transformer: the same partition, in a Pipeline.

What is fitted is a grouping of *these* records. `transform` therefore gives a record the centroid
that was fitted with it, recognized by its exact values, and refuses records that it has not seen:
sending a new record to the nearest centroid tells which group it is like, and joins no group of k.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from coterie.centroids.mean import mean
from coterie.errors import DataError, ParameterError, bad_parameter
from coterie.numbers.checks import check_k, check_points
from coterie.numbers.known_rows import KnownRows
from coterie.partitioning.dispatch import partition
from coterie.plan.plan import options
from coterie.plan.search import RESERVED
from coterie.space import Space
from coterie.table.numeric import refuse_mixed

__all__ = ["Microaggregation"]

UNSEEN = ("refuse", "nearest")
BLOCK = 2**22  # distances held at a time


class Microaggregation(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Group records, at least k to a group, and replace each by its group's centroid.

    The rows given to `fit` come back as centroids that at least k of them share: all columns are
    keys. Rows that were not fitted are refused, unless you say otherwise.

    Parameters
    ----------
    k : int
        Least number of records in a group.
    method : str
        One of `coterie.methods`.
    method_options : mapping, optional
        The method's own options.
    standardize : bool
        Measure distance in standard deviations, so that every column weighs alike. Centroids are in
        the columns' own units either way.
    unseen : {"refuse", "nearest"}
        What `transform` does with a row that was not fitted: raise an error, or give it the nearest
        centroid. The latter is **not k-anonymous**: see Notes.
    time_limit : float, optional
        Seconds; for methods that search.
    iterations : int, optional
        Iterations; for methods that search.
    random_state : int, numpy.random.Generator, numpy.random.RandomState or None
        Seed of methods that draw at random.

    Attributes
    ----------
    labels_ : (n,) int array
        Group of each fitted record.
    cluster_centers_ : (g, d) float array
        Mean of each group in the units of `X`.
    partition_ : Partition
        The partition in the space where distance was measured: sizes, SSE, information loss, trace.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : (d,) array of str
        Names of the columns, if all are strings.

    See Also
    --------
    coterie.anonymize : tables with categories, dates and gaps; proven files.
    coterie.partition : the groups alone.

    Notes
    -----
    `transform` recognizes a fitted row by its values, exactly. Of several equal rows the first gets
    the group of the first, and so on: in whatever order the fitted rows are given back, every
    group keeps its size. Some of the rows alone, as in cross-validation, come back as centroids of
    at least k records, but fewer than k of them may be in that part.

    With ``unseen="nearest"`` new rows meet in classes of any size, one included, and whoever knows
    a new record learns which fitted group it is nearest to. It suits a model that was trained
    on protected rows and is asked about new ones which are not released.

    A fitted estimator holds the original values, by which it knows the rows again: keep it, and
    its pickles, as you keep the table.

    Examples
    --------
    >>> import coterie
    >>> X = [[1.0, 10.0], [2.0, 11.0], [3.0, 12.0], [8.0, 30.0], [9.0, 32.0], [10.0, 34.0]]
    >>> protect = coterie.Microaggregation(k=3).fit(X)
    >>> protect.labels_.tolist()
    [0, 0, 0, 1, 1, 1]
    >>> protect.transform([[9.0, 32.0], [1.0, 10.0]])
    array([[ 9., 32.],
           [ 2., 11.]])
    """

    def __init__(
        self,
        k: int = 5,
        method: str = "mdav",
        method_options: Mapping[str, Any] | None = None,
        *,
        standardize: bool = True,
        unseen: str = "refuse",
        time_limit: float | None = None,
        iterations: int | None = None,
        random_state: int | np.random.Generator | np.random.RandomState | None = None,
    ) -> None:
        self.k = k
        self.method = method
        self.method_options = method_options
        self.standardize = standardize
        self.unseen = unseen
        self.time_limit = time_limit
        self.iterations = iterations
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Group the records of `X`.

        Parameters
        ----------
        X : (n, d) array, pandas or polars data frame
            Finite numbers.
        y : ignored
            There for scikit-learn's sake.

        Returns
        -------
        Microaggregation
            The estimator itself.
        """
        del y
        self._check_choices()
        refuse_mixed(X)
        # Two records are the fewest that any k allows.
        values = validate_data(self, X, dtype="numeric", ensure_min_samples=2)
        values = check_points(values, "Microaggregation")
        check_k(self.k, len(values), "Microaggregation")
        space = Space.of_array(values, scaled=bool(self.standardize))
        found = partition(
            space.points(values),
            self.k,
            self.method,
            random_state=_random_source(self.random_state),
            time_limit=self.time_limit,
            iterations=self.iterations,
            **dict(self.method_options or {}),
        )
        self.partition_ = found
        self.labels_ = found.labels
        # Means of the columns themselves: the way back from standardized ones would round.
        self.cluster_centers_ = mean(values, found.labels).values
        self._space = space
        self._known = KnownRows(values)
        return self

    def transform(self, X: Any) -> Any:
        """Give each fitted record its group's centroid.

        Parameters
        ----------
        X : (m, d) array, pandas or polars data frame
            Rows that were fitted, in any order; others by the rule `unseen`.

        Returns
        -------
        (m, d) array, or the kind of table that `set_output` asks for
            Centroids.

        Raises
        ------
        DataError
            If a row was not fitted and ``unseen="refuse"``.
        """
        check_is_fitted(self)
        self._check_choices()
        values = validate_data(self, X, dtype="numeric", reset=False)
        values = check_points(values, "Microaggregation.transform")
        labels = self._known.records(values)
        new = np.flatnonzero(labels < 0)
        labels = self.labels_[labels]
        if len(new):
            if self.unseen == "refuse":
                raise DataError(
                    "X of Microaggregation.transform must hold only fitted records. "
                    f"Got {len(new)} unseen of {len(values)}, the first in row {new[0]}; fit them "
                    "too, or set unseen='nearest', which is not k-anonymous."
                )
            labels[new] = self._nearest(values[new])
        return self.cluster_centers_[labels]

    def fit_predict(self, X: Any, y: Any = None) -> NDArray[np.int64]:
        """Group the records of `X`; the group of each."""
        labels: NDArray[np.int64] = self.fit(X, y).labels_
        return labels

    def set_params(self, **params: Any) -> Self:
        """Set parameters; ``method_options__NAME`` sets one option of the method.

        So a grid search can reach them, as it reaches the steps of a pipeline.

        Examples
        --------
        >>> import coterie
        >>> protect = coterie.Microaggregation(method="vmdav")
        >>> protect.set_params(k=3, method_options__gain=0.2).method_options
        {'gain': 0.2}
        """
        prefix = "method_options__"
        own = {
            name[len(prefix) :]: params.pop(name)
            for name in list(params)
            if name.startswith(prefix)
        }
        super().set_params(**params)
        if own:
            self.method_options = {**(self.method_options or {}), **own}
        return self

    def _check_choices(self) -> None:
        owner = "Microaggregation"
        if self.unseen not in UNSEEN:
            raise bad_parameter("unseen", owner, "'refuse' or 'nearest'", self.unseen)
        if not isinstance(self.standardize, (bool, np.bool_)):
            raise bad_parameter("standardize", owner, "True or False", self.standardize)
        for name in ("method", "method_options", "time_limit", "iterations"):
            option, value = options()[name], getattr(self, name)
            try:
                option.check(value)
            except (TypeError, ValueError, OverflowError):
                raise bad_parameter(name, owner, option.rule, value) from None
        own = set(self.method_options or {})
        reserved = sorted(own & ({*self.get_params(deep=False)} | RESERVED))
        if reserved:
            raise ParameterError(
                f"The 'method_options' parameter of {owner} must hold options of the method only. "
                f"Got {reserved[0]!r}; give it as a parameter of its own."
            )

    def _nearest(self, values: NDArray[np.float64]) -> NDArray[np.int64]:
        """Group whose centroid is nearest to each row, of equals the first."""
        from scipy.spatial.distance import cdist

        points = self._space.points(values)
        centers = self._space.points(self.cluster_centers_)
        step = max(1, BLOCK // len(centers))
        nearest = np.empty(len(points), dtype=np.int64)
        for start in range(0, len(points), step):
            part = slice(start, start + step)
            nearest[part] = cdist(points[part], centers, "sqeuclidean").argmin(axis=1)
        return nearest


def _random_source(random_state: Any) -> Any:
    """What `partition` takes; scikit-learn's older generators are drawn from."""
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(0, 2**32, size=4, dtype=np.uint64))
    return random_state
