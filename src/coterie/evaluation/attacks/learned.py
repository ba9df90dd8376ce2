"""A learned model as an intruder: trained on the release, asked about persons.

Gradient boosting of trees (Friedman (2001), Annals of Statistics 29:1189-1232) as scikit-learn has
it: from the released keys to the released confidential values. It finds what neighbors miss where
many keys tell nothing; small enough to be trained in seconds.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.attacks.reach import Persons
from coterie.evaluation.attacks.secret import Secret
from coterie.evaluation.case import Case
from coterie.numbers.magnitude import magnitude

__all__ = ["predictions"]

MOST_TRAINED = 20_000  # released records
MOST_CLASSES = 12  # values that are told apart; each costs a tree in every round
MOST_CODES = 255  # categories that a tree can tell apart
ROUNDS, LEAVES = 40, 15
FEWEST, RECORDS_A_ROUND = 10, 200  # of small tables more rounds learn nothing
Floats = NDArray[np.float64]


def predictions(
    case: Case, secret: Secret, places: Sequence[int], asked: Sequence[Persons]
) -> list[tuple[Floats, NDArray]]:
    """What the model says of each set of persons: values, and which gap where it says one."""
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
    from threadpoolctl import threadpool_limits

    seed = case.settings.seed
    rng = np.random.default_rng(None if seed is None else [seed, 4])
    rows = np.arange(case.n)
    if secret.numbers:
        rows = np.flatnonzero(secret.column.gaps[1] == 0)
    if len(rows) > MOST_TRAINED:
        rows = np.sort(rng.choice(rows, MOST_TRAINED, replace=False))
    codes, values = _classes(secret, rows)
    keys = [case.pair.keys[place] for place in places]
    # Trees know no unit, and differences must be numbers.
    units = [magnitude(column.released.astype(np.float64)) for column in keys]
    features = np.column_stack(
        [_feature(c.released, c.gaps[1], rows, unit) for c, unit in zip(keys, units, strict=True)]
    )
    informative = ~np.isnan(features).all(axis=0)  # a column of gaps teaches nothing
    if not informative.any() or (not secret.numbers and len(values) < 2):
        guess = secret.best(np.arange(case.n))
        return [_constant(guess, len(who.rows)) for who in asked]
    branching = np.array([not c.numeric and len(c.categories) <= MOST_CODES for c in keys])
    settings = {
        "max_iter": min(ROUNDS, FEWEST + len(rows) // RECORDS_A_ROUND),
        "max_leaf_nodes": LEAVES,
        "early_stopping": False,
        "categorical_features": branching[informative],
        "random_state": 0 if seed is None else seed % 2**31,
    }
    wanted = codes
    power = 0
    if secret.numbers:
        power = magnitude(secret.column.released[rows])
        wanted = np.ldexp(secret.column.released[rows], -power)
    known = [
        np.column_stack(
            [
                _feature(who.keys[p].original, who.keys[p].gaps[0], who.rows, unit)
                for p, unit in zip(places, units, strict=True)
            ]
        )
        for who in asked
    ]
    # One thread: several wait for each other by spinning, which on a busy machine takes minutes.
    with threadpool_limits(1):
        if secret.numbers:
            model = HistGradientBoostingRegressor(loss="absolute_error", **settings)
        else:
            model = HistGradientBoostingClassifier(**settings)
        model.fit(features[:, informative], wanted)
        answers = [model.predict(rows[:, informative]) for rows in known]
    predicted = []
    for reported in answers:
        if secret.numbers:
            predicted.append((np.ldexp(reported, power), np.zeros(len(reported), dtype=np.int64)))
        else:
            predicted.append(
                (values[reported.astype(np.int64), 0], values[reported.astype(np.int64), 1])
            )
    return predicted


def _classes(secret: Secret, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], Floats]:
    """The most frequent values, gaps among them, as classes; the others count as the first."""
    if secret.numbers:
        return np.empty(0, dtype=np.int64), np.empty((0, 2))
    pairs = np.column_stack([secret.column.released[rows], secret.column.gaps[1][rows]])
    found, codes, count = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
    order = np.argsort(-count, kind="stable")[:MOST_CLASSES]
    place = np.zeros(len(found), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place[codes.ravel()], found[order].astype(np.float64)


def _feature(values: NDArray, gaps: NDArray, rows: NDArray[np.int64], unit: int) -> Floats:
    column = np.ldexp(values[rows].astype(np.float64), -unit)
    column[gaps[rows] != 0] = np.nan
    return column


def _constant(guess: tuple[float, int], count: int) -> tuple[Floats, NDArray]:
    return np.full(count, guess[0]), np.full(count, guess[1])
