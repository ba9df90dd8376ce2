"""Columns that give each other away: equal, scaled, logged, sums, prefixes, functions.

Numbers: candidates are found by correlation and least squares on a sample, made as short as they
can be, and confirmed on all records. Other values: by what determines what. A relation counts
where who knows some columns can say the other one of (nearly) every record, whatever the noise of
rounding; O(n) for each that is confirmed, O(m d^2) on a sample of m records to find them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coterie.advice.dependencies import determined
from coterie.advice.facts import ColumnFacts, sample_of
from coterie.advice.fitting import (
    SHARE,
    correlation,
    fitted_values,
    gives_back,
    line,
    logarithms,
    share_given,
    slopes,
    spread,
)

__all__ = ["Relation", "find_relations"]

EXACT = 1e-6
LEAST = 30  # records that a relation of numbers must hold on
PER_TERM = 10  # records for each column of it
MOST_TERMS = 12
FEW = 3  # values of a number that many things determine


@dataclass(frozen=True)
class Relation:
    """What gives a column away.

    Attributes
    ----------
    column : str
        The column that is given back.
    of : tuple of str
        The columns that do it together.
    kind : str
        "equal", "scaled", "logged", "sum", "linear", "product", "prefix" or "function".
    exact : bool
        To the last digits; else nearly.
    share : float
        Share of the records with values in all of them for which it holds.
    text : str
        In words: "turnover = goods + services".
    """

    column: str
    of: tuple[str, ...]
    kind: str
    exact: bool
    share: float
    text: str


def find_relations(
    columns: Mapping[str, ColumnFacts],
    targets: Sequence[str] | None = None,
    by: Sequence[str] | None = None,
) -> list[Relation]:
    """What gives `targets` back from `by`; by default, every column from all the others."""
    wanted = list(columns) if targets is None else list(targets)
    given = list(columns) if by is None else list(by)
    found = {(r.column, r.of): r for r in _functions(columns, wanted, given)}
    for one in _of_numbers(columns, wanted, given):
        before = found.get((one.column, one.of))
        if before is None or before.kind == "function":  # a formula says more
            found[one.column, one.of] = one
    return list(found.values())


def _functions(
    columns: Mapping[str, ColumnFacts], targets: Sequence[str], by: Sequence[str]
) -> list[Relation]:
    """What a single column determines because its values always come with the same ones."""
    found = []
    back: dict[str, list[str]] = {}
    for name in by:
        others = [columns[t] for t in targets if t != name]
        back[name] = determined(columns[name], others)
    for name, known in back.items():
        for other in known:
            kind, text = _kind(columns[name], columns[other])
            found.append(Relation(other, (name,), kind, True, 1.0, text))
    return found


def _kind(one: ColumnFacts, other: ColumnFacts) -> tuple[str, str]:
    """How a column gives another one back, of which it is known that it does."""
    pairs = np.unique(np.column_stack([one.codes, other.codes])[one.codes >= 0], axis=0)
    pairs = pairs[pairs[:, 1] >= 0][:2000]
    texts = [(str(one.values[int(a)].as_py()), str(other.values[int(b)].as_py())) for a, b in pairs]
    if all(a == b for a, b in texts):
        return "equal", f"{other.name} = {one.name}"
    if one.kind == "text" or one.whole:
        lengths = {len(b) for _, b in texts}
        if len(texts) > 2 and len(lengths) == 1 and all(a.startswith(b) for a, b in texts):
            size = lengths.pop()
            return "prefix", f"{other.name} is the first {size} characters of {one.name}"
    if len(pairs) == other.distinct:
        return "function", f"{other.name} and {one.name} go one to one"
    return "function", f"{one.name} determines {other.name}"


def _of_numbers(
    columns: Mapping[str, ColumnFacts], targets: Sequence[str], by: Sequence[str]
) -> list[Relation]:
    """Single columns, sums, linear combinations and products of numbers."""
    numeric = {
        name: column
        for name, column in columns.items()
        if column.numbers is not None
        and column.distinct > FEW
        and np.isfinite(column.numbers).all()
        and column.present >= LEAST
    }
    given = [name for name in by if name in numeric]
    wanted = [name for name in targets if name in numeric]
    if not wanted or not given:
        return []
    rows = sample_of(next(iter(columns.values())).rows)
    sample = {name: numeric[name].number_of(rows) for name in dict.fromkeys([*given, *wanted])}
    known = _Given(numeric, sample, given)
    found = []
    for target in wanted:
        # Single columns before several, plain numbers before logarithms.
        tried = (
            one(known, target, logs=logs) for one in (_single, _several) for logs in (False, True)
        )
        found.append(next((one for one in tried if one is not None), None))
    return [one for one in found if one is not None]


@dataclass(frozen=True)
class _Given:
    """Columns of numbers, their values on a sample, and those that others are sought in."""

    columns: Mapping[str, ColumnFacts]
    sample: Mapping[str, NDArray[np.float64]]
    by: Sequence[str]

    def of(self, name: str, *, logged: bool) -> NDArray[np.float64] | None:
        """The sample of a column, or its logarithms where there are some."""
        return logarithms(self.sample[name]) if logged else self.sample[name]

    def others(self, target: str) -> list[str]:
        """What may give a column back: all but itself."""
        return [name for name in self.by if name != target]


def _single(given: _Given, target: str, *, logs: bool) -> Relation | None:
    """One column of which the target is a multiple, a logarithm or an exponential."""
    y = given.of(target, logged=logs)
    if y is None:
        return None
    best: tuple[float, str, bool] | None = None
    for name in given.others(target):
        for logged in (False, True):
            x = given.of(name, logged=logged)
            both = None if x is None else ~(np.isnan(x) | np.isnan(y))
            if x is None or both is None or both.sum() < min(LEAST, len(y)):
                continue
            r = correlation(x[both], y[both])
            if abs(r) > 0.99 and (best is None or abs(r) > best[0] + 1e-12):
                best = (abs(r), name, logged)
    if best is None:
        return None
    _, name, logged = best
    kind = "scaled" if logs == logged else "logged"
    fit = _confirmed(given.columns, target, [name], logs=logs, logged=logged)
    if fit is None:
        return None
    share, exact, slope = fit
    if kind == "logged":
        text = f"{target} = {'log' if logged else 'exp'} of {name}, scaled"
    elif logs and abs(slope[0] - 1) > 1e-6:
        kind, text = "product", f"{target} is a power of {name}"
    elif exact and abs(slope[0] - 1) < 1e-9 and abs(slope[1]) < 1e-9:
        kind, text = "equal", f"{target} = {name}"
    else:
        text = f"{target} = {name}, scaled or shifted"
    return Relation(target, (name,), kind, exact, share, text + ("" if exact else ", nearly"))


def _several(given: _Given, target: str, *, logs: bool) -> Relation | None:
    """A sum, a linear combination or a product that gives the target back."""
    y = given.of(target, logged=logs)
    if y is None:
        return None
    terms = {}
    for name in given.others(target):
        x = given.of(name, logged=logs)
        if x is not None and np.isnan(x).mean() < 0.5 and np.nanmin(x) < np.nanmax(x):
            terms[name] = x
    names = _strongest(terms, y, len(y) // PER_TERM)
    if len(names) < 2:
        return None
    matrix = np.column_stack([terms[name] for name in names])
    both = ~(np.isnan(matrix).any(axis=1) | np.isnan(y))
    if both.sum() < max(LEAST, PER_TERM * len(names)):
        return None
    truth = given.sample[target][both]
    kept = list(range(len(names)))
    if not gives_back(truth, fitted_values(matrix[both], y[both], logs=logs)):
        return None
    for place in sorted(kept, key=lambda i: abs(correlation(matrix[both, i], y[both]))):
        fewer = [i for i in kept if i != place]
        if fewer and gives_back(truth, fitted_values(matrix[both][:, fewer], y[both], logs=logs)):
            kept = fewer
    if not 2 <= len(kept) <= MOST_TERMS:
        return None
    chosen = [names[i] for i in kept]
    fit = _confirmed(given.columns, target, chosen, logs=logs, logged=logs)
    if fit is None:
        return None
    share, exact, slope = fit
    return _worded(target, chosen, slope, share, exact, logs=logs)


def _worded(
    target: str,
    names: list[str],
    slope: NDArray[np.float64],
    share: float,
    exact: bool,
    *,
    logs: bool,
) -> Relation:
    signs = slope[:-1]
    if logs:
        kind = "product"
        text = f"{target} is a product or ratio of {' and '.join(names)}"
    elif np.allclose(np.abs(signs), 1, atol=1e-3):
        kind = "sum"
        parts = [("- " if s < 0 else "+ ") + n for n, s in zip(names, signs, strict=True)]
        parts.sort(key=lambda part: part[0] == "-")  # spent - services, not - services + spent
        shift = " + a constant" if abs(slope[-1]) > 1e-6 * (1 + np.abs(slope).max()) else ""
        text = f"{target} = {' '.join(parts).removeprefix('+ ')}{shift}"
    else:
        kind, text = "linear", f"{target} is a linear combination of {', '.join(names)}"
    return Relation(target, tuple(names), kind, exact, share, text + ("" if exact else ", nearly"))


def _strongest(
    terms: Mapping[str, NDArray[np.float64]], y: NDArray[np.float64], most: int
) -> list[str]:
    """The columns to try, those that go with the target most if there are too many."""
    if len(terms) <= most:
        return list(terms)

    def strength(name: str) -> float:
        both = ~(np.isnan(terms[name]) | np.isnan(y))
        return -abs(correlation(terms[name][both], y[both]))

    return sorted(terms, key=strength)[:most]


def _confirmed(
    columns: Mapping[str, ColumnFacts],
    target: str,
    names: Sequence[str],
    *,
    logs: bool,
    logged: bool,
) -> tuple[float, bool, NDArray[np.float64]] | None:
    """Share of all records given back, whether exactly, and the coefficients; None if too few."""
    every = slice(None)
    truth = columns[target].number_of(every)
    y = logarithms(truth) if logs else truth
    parts = [columns[name].number_of(every) for name in names]
    raised = [logarithms(part) if logged else part for part in parts]
    if y is None or any(part is None for part in raised):
        return None
    matrix = np.column_stack([part for part in raised if part is not None])
    both = ~(np.isnan(matrix).any(axis=1) | np.isnan(y))
    if both.sum() < max(LEAST, len(truth) // 2):
        return None
    slope = slopes(matrix[both], y[both])
    fitted = line(matrix[both], slope)
    fitted = np.exp(np.minimum(fitted, 700)) if logs else fitted
    share = share_given(truth[both], fitted)
    if share < SHARE:
        return None
    scale = np.abs(truth[both]) + spread(truth[both])
    exact = bool((np.abs(truth[both] - fitted) <= EXACT * scale).all())
    return share, exact, slope
