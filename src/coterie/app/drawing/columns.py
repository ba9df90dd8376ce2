"""A column at a glance, and before beside after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from coterie.app.drawing.svg import element, join

__all__ = ["glance", "pair"]

WIDTH, HEIGHT = 120, 36
WIDE, HIGH = 300, 110


def glance(picture: Mapping[str, Any] | None, label: str) -> Markup:
    """The small picture of a column: bars of its counts."""
    if picture is None:
        return Markup("")
    counts = picture["counts"]
    top = max(counts) or 1
    step = WIDTH / max(len(counts), 4)
    gap = 1.0 if picture["kind"] == "bins" else min(3.0, step / 4)
    bars = [
        element(
            "rect",
            class_="bar",
            x=place * step,
            y=HEIGHT - max(HEIGHT * count / top, 1.0 if count else 0.0),
            width=step - gap,
            height=max(HEIGHT * count / top, 1.0 if count else 0.0),
        )
        for place, count in enumerate(counts)
    ]
    return element(
        "svg", *bars, class_="glance", viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_label=label
    )


def pair(reported: Mapping[str, Any], label: str) -> Markup:
    """A key before and after: counts of the original filled, of the release outlined."""
    if reported["kind"] == "none":
        return Markup("")
    before, after = _shares(reported["before"]), _shares(reported["after"])
    top = max([*before, *after, 1e-9])
    edges = _edges(reported, len(before))
    bars = join(
        *(_bar("before", edges[i], edges[i + 1], share / top) for i, share in enumerate(before)),
        *(_bar("after", edges[i], edges[i + 1], share / top) for i, share in enumerate(after)),
    )
    line = element("line", class_="axis", x1=0, x2=WIDE, y1=HIGH, y2=HIGH)
    return element(
        "svg",
        bars,
        line,
        class_="pair",
        viewBox=f"0 0 {WIDE} {HIGH + 1}",
        role="img",
        aria_label=label,
    )


def _edges(reported: Mapping[str, Any], count: int) -> list[float]:
    """Where bars begin and end: bins may be of several widths, categories are not."""
    given = reported.get("edges")
    if (
        given
        and len(given) == count + 1
        and given[-1] > given[0]
        and reported.get("scale") != "log"
    ):
        span = given[-1] - given[0]
        return [WIDE * (edge - given[0]) / span for edge in given]
    return [WIDE * place / count for place in range(count + 1)]


def _bar(kind: str, left: float, right: float, share: float) -> Markup:
    high = share * (HIGH - 4)
    inset = 1.5 if kind == "after" else 0.5
    return element(
        "rect",
        class_=kind,
        x=left + inset,
        y=HIGH - high,
        width=max(right - left - 2 * inset, 0.5),
        height=high,
    )


def _shares(counts: Sequence[float]) -> list[float]:
    whole = sum(counts) or 1
    return [count / whole for count in counts]
