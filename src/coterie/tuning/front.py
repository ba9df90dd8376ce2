"""`tune`: releases for every combination of settings, judged, and the best of them.

For each group size and method the records are grouped once; every aggregation then makes a release
of those groups and every measure is taken of it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.centroids.p3m.solver import BASINS
from coterie.centroids.p3m.targets import distance_target
from coterie.errors import ParameterError, bad_parameter, unknown_name
from coterie.evaluation import evaluate
from coterie.evaluation.registry import find
from coterie.numbers.checks import check_k
from coterie.partitioning import partition
from coterie.partitioning.driver import Progress
from coterie.report.comparison import front_of
from coterie.space import standardize
from coterie.tuning.arguments import check_lists, checked_options
from coterie.tuning.releases import frame_of, numeric, released, settings_of, shown
from coterie.tuning.sweep import sweep

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Tuning", "tune"]

ALPHA, DELTA, IMPORTANCE, BASIN = (0.5,), (0.1,), 0.001, ("best",)  # P3M, where nothing is said
AGGREGATIONS = ("mean", "renormalized", "median", "p3m")
METHODS, SWEPT = ("mdav", "mdav-mhm"), ("mean", "p3m")  # and aggregations, where nothing is said
BEFORE, NOW = "renormalised", "renormalized"  # the earlier spelling is still taken

_Setting = tuple[int, str, dict[str, Any]]  # group size, method, aggregation


@dataclass(frozen=True, eq=False)
class Tuning:
    """What a sweep found.

    Attributes
    ----------
    table : pandas.DataFrame
        One row a release: its settings (k, method, aggregation, alpha, delta, basin), then every
        measure by name.
    risk, loss : str
        The two measures that the front is about.
    """

    table: pd.DataFrame
    risk: str = "dr"
    loss: str = "pil"

    @property
    def front(self) -> pd.DataFrame:
        """Releases that no other one beats in both risk and loss, from the safest on."""
        return front_of(self.table, self.risk, self.loss)

    @property
    def best(self) -> pd.Series:
        """The release with the lowest scoring index SI, the mean of risk and loss."""
        score = (self.table[self.risk] + self.table[self.loss]) / 2.0
        return self.table.loc[score.idxmin()]

    def plot(self, axes: Any = None) -> Any:
        """Draw the risk-utility map; see `coterie.report.plots.risk_utility`."""
        from coterie.report.plots.risk_utility import risk_utility

        return risk_utility(self.table, self.front, self.risk, self.loss, axes=axes)


def tune(
    table: Any,
    k: int | Sequence[int],
    methods: Sequence[str] = METHODS,
    *,
    quasi_identifiers: Sequence[Any] | None = None,
    confidential: Sequence[Any] = (),
    aggregations: Sequence[str] = SWEPT,
    alpha: Sequence[float] | None = None,
    delta: Sequence[Any] | None = None,
    importance: Any = None,
    basins: Sequence[str] | None = None,
    risk: str = "dr",
    loss: str = "pil",
    measures: Sequence[str] | None = None,
    random_state: int | None = 0,
    method_options: dict[str, Any] | None = None,
    callback: Callable[[Progress], object] | None = None,
) -> Tuning:
    """Release a numeric table in many ways and judge each of them.

    Parameters
    ----------
    table : pandas, polars or pyarrow table, or 2-D array
        With numeric quasi-identifiers.
    k : int or sequence of int
        Group sizes.
    methods : sequence of str
        Methods of `coterie.methods`; MDAV and MDAV-MHM by default.
    quasi_identifiers, confidential : list of column names
        As for `coterie.evaluate`.
    aggregations : sequence of str
        ``"mean"``, ``"renormalized"`` (means with the variance restored), ``"median"``, ``"p3m"``;
        means and P3M by default.
    alpha, delta, basins : sequences
        Settings of P3M (0.5 and 0.1 by default), all combinations of which are tried. An element of
        `delta` is anything that `coterie.centroids.p3m` takes. ``"search"`` among the basins
        chooses one for each attribute (`coterie.tuning.choose_basins`).
    importance
        Importance of the distance targets, as for `p3m`; 0.001 by default.
    risk, loss : str
        Measures that span the map and the front; less must be better.
    measures : sequence of str, optional
        Only these, and the two above; by default all that apply.
    random_state : int or None
        Seed of methods that draw at random.
    method_options : dict, optional
        Passed to every method.
    callback : callable, optional
        Called with a `Progress` after every release.

    Returns
    -------
    Tuning
        With `table`, `front`, `best` and `plot`.

    Examples
    --------
    >>> import coterie
    >>> patients = coterie.datasets.diabetes()[["age", "bmi", "bp"]]
    >>> found = coterie.tune(patients, [3, 5], ["mdav"], aggregations=["mean", "p3m"], delta=[0.2])
    >>> found.table[["k", "aggregation", "achieved_k"]].values.tolist()
    [[3, 'mean', 3.0], [3, 'p3m', 3.0], [5, 'mean', 5.0], [5, 'p3m', 5.0]]
    """
    import pandas as pd

    sizes = list(k) if isinstance(k, Iterable) and not isinstance(k, str) else [k]
    check_lists(k=sizes, methods=methods, aggregations=aggregations)
    aggregations = [NOW if one == BEFORE else one for one in aggregations]
    for one in aggregations:
        if one not in AGGREGATIONS:
            raise unknown_name("name in 'aggregations':", one, AGGREGATIONS)
    said = {"alpha": alpha, "delta": delta, "importance": importance, "basins": basins}
    for name, value in said.items():
        if value is not None and "p3m" not in aggregations:
            raise ParameterError(
                f"{name} has no effect without aggregation 'p3m'. Got {value!r}; add it, or leave "
                f"{name} out."
            )
    alpha = ALPHA if alpha is None else alpha
    delta = DELTA if delta is None else delta
    importance = IMPORTANCE if importance is None else importance
    basins = BASIN if basins is None else basins
    check_lists(alpha=alpha, delta=delta, basins=basins)
    for one in basins:
        if one not in (*BASINS, "search"):
            raise unknown_name("name in 'basins':", one, (*BASINS, "search"))
    limits = checked_options(method_options)
    for name in (risk, loss):
        if find(name).rises:
            raise ParameterError(
                f"The risk-utility map needs measures of which less is better; "
                f"{name!r}: {find(name).direction}. Choose another one."
            )
    keys, X = numeric(table, quasi_identifiers, confidential)
    sizes = [check_k(size, len(X), "tune") for size in sizes]
    wanted = None if measures is None else [*dict.fromkeys([*measures, risk, loss])]
    settings = list(settings_of(aggregations, alpha, delta, basins))
    for weight in alpha:  # before any work
        if not isinstance(weight, Real) or isinstance(weight, bool) or not 0 <= weight <= 1:
            raise bad_parameter("alpha", "tune", "numbers from 0 to 1", weight)
    for target in delta:
        distance_target("delta", target, len(X), keys, table, "tune")
    distance_target("importance", importance, len(X), keys, table, "tune")

    @lru_cache(maxsize=1)  # settings with the same groups follow each other
    def labels(size: int, method: str) -> NDArray[np.int64]:
        grouped = partition(standardize(X), size, method, random_state=random_state, **limits)
        return grouped.labels

    def make(one: _Setting) -> tuple[NDArray[np.float64], dict[str, Any]]:
        size, method, setting = one
        return released(X, labels(size, method), setting, importance, keys, table)

    def judge(one: _Setting, grouped: Any, seconds: float) -> dict[str, Any]:
        (size, method, setting), (values, fact) = one, grouped
        goal = setting.get("delta", delta[0])
        found = evaluate(
            frame_of(table, keys, X, confidential),
            frame_of(table, keys, values, confidential),
            keys,
            [str(name) for name in confidential],
            aligned=True,
            measures=wanted,
            delta=distance_target("delta", goal, len(X), keys, table, "tune"),
            importance=distance_target("importance", importance, len(X), keys, table, "tune"),
        )
        row = {"k": size, "method": method, **shown(setting), **fact}
        return {**row, **found.values_by_name()}

    every = list(itertools.product(sizes, methods, settings))
    rows = sweep(every, make, judge, phase="tune", callback=callback)
    return Tuning(pd.DataFrame(rows), risk, loss)
