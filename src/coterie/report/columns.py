"""One attribute before and after, as plain numbers: its distribution, mean and spread.

Every record that a report looks at is counted. Bins lie where the released values lie, in both
kinds of report; values beyond are counted in the bins at the ends. In a public report bins and
categories that fewer than k units of the original share are merged with others, the original's
numbers are those of cells (`coterie.public`), and what is chosen by size is chosen by the
release's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import DataError
from coterie.numbers.magnitude import magnitude
from coterie.public import DIGITS, DocumentRule, few_digits, of_mean
from coterie.table.encoding import BLANK, CATEGORICAL, Column

if TYPE_CHECKING:
    import pyarrow as pa

    from coterie.table.schema import Attribute

__all__ = ["describe", "numbers"]

CALENDAR = (-719_162.0, 2_932_896.0)  # the years 1 to 9999, in days: dates that can be drawn
BINS = 24
MOST_CATEGORIES = 10
OTHERS = "other categories"
ARTICLES = {"ancestor": "an ancestor of its codes", "interval": "an interval"}
MOST_LOST = 12  # categories no longer released that an internal report names


def describe(
    attribute: Attribute, before: pa.Array, after: pa.Array, rule: DocumentRule
) -> dict[str, Any]:
    """What a report tells about one attribute.

    Returns
    -------
    dict
        name, type, missing, codes (label and count of each missing code, original and released);
        ``kind`` "number" (edges, before, after, scale, mean, sd), "category"
        (labels, before, after) or "none" (why). In public also how many numbers a cell of
        ``before`` holds (the entry with the most released records takes what rounding leaves), and
        the step of the original's mean.
    """
    reported: dict[str, Any] = {"name": attribute.name, "type": attribute.type}
    if attribute.generalized:
        side = Column.of(attribute, before)
        why = f"released as {ARTICLES[attribute.release]}, which is true of its whole group"
        return {**reported, "missing": _missing((side, side), rule), "kind": "none", "why": why}
    try:
        sides = Column.of(attribute, before), Column.of(attribute, after)
    except DataError:
        return {
            **reported,
            "kind": "none",
            "why": "original and released values are of other types",
        }
    reported["missing"] = _missing(sides, rule)
    reported["codes"] = _codes(attribute, sides, rule)
    if all(side.missing.all() for side in sides):
        return {**reported, "kind": "none", "why": "every value is missing"}
    if any(side.missing.all() for side in sides):
        return {**reported, "kind": "none", "why": "every value of one side is missing"}
    if attribute.type in CATEGORICAL:
        return {**reported, "kind": "category", **_categories(attribute, *sides, rule)}
    if any(magnitude(side.values) for side in sides):
        return {**reported, "kind": "none", "why": "its numbers are too large or too small to draw"}
    return {**reported, "kind": "number", **_numbers(attribute, *sides, rule)}


def numbers(column: Column) -> NDArray[np.float64]:
    """The values, with days since 1970 for moments in time."""
    if column.per_day == 1:
        return column.values
    return (column.values + column.origin) / column.per_day


def _missing(sides: tuple[Column, Column], rule: DocumentRule) -> int | None:
    """Records without a value; None where fewer than k units lack it."""
    gaps = sides[0].missing
    if not gaps.any():
        return 0
    few = rule.few(gaps.astype(np.int64), 2)[1]
    return None if few else int(gaps.sum())


def _codes(
    attribute: Attribute, sides: tuple[Column, Column], rule: DocumentRule
) -> list[dict[str, Any]]:
    """How often each missing code stands in the column; of those that enough units share."""
    gaps = [side.gaps.astype(np.int64) for side in sides]
    kinds = BLANK + 1 + len(attribute.missing_codes)
    counts = [np.bincount(side, minlength=kinds) for side in gaps]
    few = rule.few(gaps[0], kinds)
    return [
        {
            "label": _label(attribute.missing_codes[place - BLANK - 1]),
            "before": int(counts[0][place]),
            "after": int(counts[1][place]),
        }
        for place in range(BLANK + 1, kinds)
        if counts[0][place] and not few[place]
    ]


def _numbers(
    attribute: Attribute, before: Column, after: Column, rule: DocumentRule
) -> dict[str, Any]:
    kept = [~side.missing for side in (before, after)]
    values = [numbers(side)[keep] for side, keep in zip((before, after), kept, strict=True)]
    dated = attribute.type in ("date", "datetime")
    whole = attribute.type in ("integer", "date")
    edges, scale = _edges(values[1], whole, dated, rule)
    codes = [
        np.clip(np.searchsorted(edges, side, "right") - 1, 0, len(edges) - 2) for side in values
    ]
    here = rule.where(kept[0])
    starts, counts = _merged(codes, len(edges) - 1, here)
    (mean, spread), released = ((float(side.mean()), float(side.std())) for side in values)
    average = here.figure(mean, of_mean(values[0], mean, here), signed=True)
    reported: dict[str, Any] = {
        "scale": scale,
        "edges": edges[np.append(starts, len(edges) - 1)].tolist(),
        "before": counts[0],
        "after": counts[1],
        "mean": [average["value"], _rounded(released[0], rule)],
        # Of the original the loss says it.
        "sd": [spread if rule.internal else None, _rounded(released[1], rule)],
    }
    if not rule.internal:
        reported |= {"cell": here.base, "mean_step": average.get("step")}
    else:
        reported["least"] = [float(side.min()) for side in values]
        reported["largest"] = [float(side.max()) for side in values]
    return reported


def _rounded(number: float, rule: DocumentRule) -> float:
    return number if rule.internal else float(f"{number:.4g}")


def _edges(
    released: NDArray[np.float64], whole: bool, dated: bool, rule: DocumentRule
) -> tuple[NDArray, str]:
    """Ends of the bins, from released values alone, and the scale they are even on.

    No two are equal, however close the values lie for their size, nor do they become so by the
    digits that everybody is told.
    """
    edges, scale = _even(released, whole, dated)
    if dated:
        edges = np.clip(edges, *CALENDAR)
    edges = np.unique(edges if rule.internal else [few_digits(edge) for edge in edges])
    if len(edges) == 1:
        half = abs(float(edges[0])) * 10.0 ** (2 - DIGITS)
        edges = np.array([few_digits(float(edges[0]) + side) for side in (-half, half)])
    return edges, scale


def _even(released: NDArray[np.float64], whole: bool, dated: bool) -> tuple[NDArray, str]:
    low, high = (float(v) for v in np.quantile(released, [0.005, 0.995]))
    if low == high:
        low, high = float(released.min()), float(released.max())
    scale = "date" if dated else "linear"
    if low == high:
        half = max(0.5, 4 * float(np.spacing(abs(low))))  # half a unit may be less than a digit
        return np.array([low - half, high + half]), scale
    # A bin more at either end takes what lies beyond, so that it does not swell the last ones.
    if whole:
        step = np.ceil((high - low) / BINS)
        start = max(np.floor(low) - step, 0.0 if low >= 0 and not dated else -np.inf)
        return np.arange(start - 0.5, np.ceil(high) + 1.5 * step, step), scale
    if not dated and low > 0 and high > 12 * float(np.median(released)):
        ratio = (high / low) ** (1 / BINS)
        return low * ratio ** np.arange(-1.0, BINS + 2), "log"
    step = (high - low) / BINS
    edges = low + step * np.arange(-1, BINS + 2)
    return (edges[1:] if 0 <= low < step else edges), scale


def _merged(
    codes: list[NDArray[np.int64]], bins: int, rule: DocumentRule
) -> tuple[NDArray[np.int64], list[list[int]]]:
    """First bin of each run that holds enough units of the original; what both sides hold."""
    starts = np.arange(bins)
    while True:
        place = [np.searchsorted(starts, side, "right") - 1 for side in codes]
        held = [np.bincount(side, minlength=len(starts)) for side in place]
        short = np.flatnonzero(rule.few(place[0], len(starts)))
        if not len(short) or len(starts) == 1:
            reported = rule.counts(held[0].tolist(), int(held[1].argmax()))
            if reported:
                return starts, [reported, held[1].tolist()]
        at = int(short[0]) if len(short) else int(held[1].argmin())
        # With the emptier neighbor: the picture keeps its shape.
        left = at == len(starts) - 1 or (at > 0 and held[1][at - 1] <= held[1][at + 1])
        starts = np.delete(starts, at if left else at + 1)


def _categories(
    attribute: Attribute, before: Column, after: Column, rule: DocumentRule
) -> dict[str, Any]:
    names = list(dict.fromkeys([*before.categories, *after.categories]))
    position = {name: place for place, name in enumerate(names)}
    codes = []
    for side in (before, after):
        table = np.array([position[name] for name in side.categories], dtype=np.int64)
        codes.append(table[side.values[~side.missing].astype(np.int64)])
    counts = np.array([np.bincount(side, minlength=len(names)) for side in codes])
    largest = np.argsort(-counts[0 if rule.internal else 1], kind="stable")
    order = np.arange(len(names)) if attribute.type == "ordinal" else largest
    here = rule.where(~before.missing)
    apart = here.few(codes[0], len(names))  # not told by name
    if rule.internal and attribute.type == "ordinal":
        apart = counts.sum(axis=0) == 0
    apart[[c for c in largest if not apart[c]][MOST_CATEGORIES:]] = True
    reported = _reported_categories(codes[0], counts, apart, order, here)
    # What is left of the total must not tell a small count: the smallest others join it.
    for c in largest[::-1]:
        if reported is not None:
            break
        apart[c] = True
        reported = _reported_categories(codes[0], counts, apart, order, here)
    assert reported is not None  # at the latest when all are one
    reported["labels"] = [OTHERS if c is None else _label(names[c]) for c in reported["labels"]]
    if not rule.internal:
        reported["cell"] = here.base
    else:
        gone = [_label(names[c]) for c in order if counts[0][c] and not counts[1][c]]
        reported["categories"] = [int((side > 0).sum()) for side in counts]
        reported["lost"] = gone[:MOST_LOST]
        reported["lost_more"] = max(0, len(gone) - MOST_LOST)
    return reported


def _reported_categories(
    codes: NDArray[np.int64],
    counts: NDArray[np.int64],
    apart: NDArray[np.bool_],
    order: NDArray[np.int64],
    rule: DocumentRule,
) -> dict[str, Any] | None:
    """What both sides hold of each category and of those `apart`; None if that says too much."""
    rest = apart[codes].astype(np.int64)
    if rest.any() and rule.few(rest, 2)[1]:
        return None
    labels: list[int | None] = [int(c) for c in order if not apart[c]]
    held = [[int(side[c]) for c in labels] for side in counts]
    others = counts[:, apart].sum(axis=1)
    if others.any():
        labels.append(None)
        for side, more in zip(held, others, strict=True):
            side.append(int(more))
    if not rule.internal and 0 in held[0]:
        return None  # released, but never a value of the original: one of the others
    reported = rule.counts(held[0], int(np.argmax(held[1])))
    return {"labels": labels, "before": reported, "after": held[1]} if reported else None


def _label(name: Any) -> str:
    return str(name).lower() if isinstance(name, bool) else str(name)
