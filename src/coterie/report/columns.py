"""One attribute before and after, as plain numbers: its distribution, mean and spread.

Every record is counted, none is sampled. Bins lie where the released values lie, in both kinds of
report; values beyond are counted in the bins at the ends. In a public report bins and categories
that fewer than k units of the original share are merged with others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie.encoding import BLANK, CATEGORICAL, DAY, Column, per_second
from coterie.errors import DataError
from coterie.magnitude import magnitude
from coterie.report.rule import Rule

if TYPE_CHECKING:
    import pyarrow as pa

    from coterie.table.schema import Attribute

__all__ = ["describe", "numbers"]

BINS = 24
MOST_CATEGORIES = 10
MOST_LOST = 12  # categories no longer released that an internal report names


def describe(attribute: Attribute, before: pa.Array, after: pa.Array, rule: Rule) -> dict[str, Any]:
    """What a report tells about one attribute.

    Returns
    -------
    dict
        name, type, missing, codes (label and count of each missing code, original and released);
        ``kind`` "number" (edges, before, after, scale, mean, sd), "category"
        (labels, before, after) or "none" (why).
    """
    told: dict[str, Any] = {"name": attribute.name, "type": attribute.type}
    try:
        sides = Column.of(attribute, before), Column.of(attribute, after)
    except DataError:
        return {**told, "kind": "none", "why": "original and released values are of other types"}
    told["missing"] = _missing(sides, rule)
    told["codes"] = _codes(attribute, sides, rule)
    if all(side.missing.all() for side in sides):
        return {**told, "kind": "none", "why": "every value is missing"}
    if any(side.missing.all() for side in sides):
        return {**told, "kind": "none", "why": "every value of one side is missing"}
    if attribute.type in CATEGORICAL:
        return {**told, "kind": "category", **_categories(attribute, *sides, rule)}
    if any(magnitude(side.values) for side in sides):
        return {**told, "kind": "none", "why": "its numbers are too large or too small to draw"}
    return {**told, "kind": "number", **_numbers(attribute, *sides, rule)}


def numbers(column: Column) -> NDArray[np.float64]:
    """The values, with days since 1970 for moments in time."""
    import pyarrow as pa

    kind = column.arrow_type
    if column.attribute.type != "datetime" or not pa.types.is_timestamp(kind):
        return column.values  # days already, where dates were declared datetimes
    return (column.values + column.origin) / (DAY * per_second(kind))


def _missing(sides: tuple[Column, Column], rule: Rule) -> int | None:
    """Records without a value; None where fewer than k units lack it."""
    gaps = sides[0].missing
    if not gaps.any():
        return 0
    few = rule.few(gaps.astype(np.int64), 2)[1]
    return None if few else int(gaps.sum())


def _codes(attribute: Attribute, sides: tuple[Column, Column], rule: Rule) -> list[dict[str, Any]]:
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


def _numbers(attribute: Attribute, before: Column, after: Column, rule: Rule) -> dict[str, Any]:
    kept = [~side.missing for side in (before, after)]
    values = [numbers(side)[keep] for side, keep in zip((before, after), kept, strict=True)]
    dated = attribute.type in ("date", "datetime")
    whole = attribute.type in ("integer", "date")
    edges, scale = _edges(values[1], whole, dated)
    codes = [
        np.clip(np.searchsorted(edges, side, "right") - 1, 0, len(edges) - 2) for side in values
    ]
    starts = _merged(codes[0], len(edges) - 1, rule.where(kept[0]))
    place = np.searchsorted(starts, np.arange(len(edges) - 1), "right") - 1
    counts = [np.bincount(place[side], minlength=len(starts)) for side in codes]
    told: dict[str, Any] = {
        "scale": scale,
        "edges": edges[np.append(starts, len(edges) - 1)].tolist(),
        "before": counts[0].tolist(),
        "after": counts[1].tolist(),
        "mean": [_rounded(float(side.mean()), rule) for side in values],
        "sd": [_rounded(float(side.std()), rule) for side in values],
    }
    if rule.internal:
        told["least"] = [float(side.min()) for side in values]
        told["largest"] = [float(side.max()) for side in values]
    return told


def _rounded(number: float, rule: Rule) -> float:
    return number if rule.internal else float(f"{number:.4g}")


def _edges(released: NDArray[np.float64], whole: bool, dated: bool) -> tuple[NDArray, str]:
    """Ends of the bins, from released values alone, and the scale they are even on."""
    low, high = (float(v) for v in np.quantile(released, [0.005, 0.995]))
    if low == high:
        low, high = float(released.min()), float(released.max())
    scale = "date" if dated else "linear"
    if low == high:
        return np.array([low - 0.5, high + 0.5]), scale
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


def _merged(codes: NDArray[np.int64], bins: int, rule: Rule) -> NDArray[np.int64]:
    """First bin of each run of bins that together hold enough units of the original."""
    starts = np.arange(bins)
    while len(starts) > 1:
        place = np.searchsorted(starts, codes, "right") - 1
        short = np.flatnonzero(rule.few(place, len(starts)))
        if not len(short):
            break
        held = np.bincount(place, minlength=len(starts))
        at = int(short[0])
        # With the emptier neighbour: the picture keeps its shape.
        left = at == len(starts) - 1 or (at > 0 and held[at - 1] <= held[at + 1])
        starts = np.delete(starts, at if left else at + 1)
    return starts


def _categories(attribute: Attribute, before: Column, after: Column, rule: Rule) -> dict[str, Any]:
    names = list(dict.fromkeys([*before.categories, *after.categories]))
    position = {name: place for place, name in enumerate(names)}
    codes = []
    for side in (before, after):
        table = np.array([position[name] for name in side.categories], dtype=np.int64)
        codes.append(table[side.values[~side.missing].astype(np.int64)])
    counts = np.array([np.bincount(side, minlength=len(names)) for side in codes])
    order = np.arange(len(names))
    if attribute.type != "ordinal":
        order = np.argsort(-counts[0], kind="stable")
    here = rule.where(~before.missing)
    apart = here.few(codes[0], len(names))  # not told by name
    if rule.internal and attribute.type == "ordinal":
        apart = counts.sum(axis=0) == 0
    largest = np.argsort(-counts[0], kind="stable")
    apart[[c for c in largest if not apart[c]][MOST_CATEGORIES:]] = True
    # What is left of the total must not tell a small count: the smallest others join it.
    for c in largest[::-1]:
        rest = apart[codes[0]].astype(np.int64)
        if not rest.any() or not here.few(rest, 2)[1]:
            break
        apart[c] = True
    shown = [int(c) for c in order if not apart[c]]
    told: dict[str, Any] = {
        "labels": [_label(names[c]) for c in shown],
        "before": [int(counts[0][c]) for c in shown],
        "after": [int(counts[1][c]) for c in shown],
    }
    rest = counts[:, apart].sum(axis=1)
    if rest.any():
        told["labels"].append("other categories")
        told["before"].append(int(rest[0]))
        told["after"].append(int(rest[1]))
    if rule.internal:
        gone = [_label(names[c]) for c in order if counts[0][c] and not counts[1][c]]
        told["categories"] = [int((side > 0).sum()) for side in counts]
        told["lost"] = gone[:MOST_LOST]
        told["lost_more"] = max(0, len(gone) - MOST_LOST)
    return told


def _label(name: Any) -> str:
    return str(name).lower() if isinstance(name, bool) else str(name)
