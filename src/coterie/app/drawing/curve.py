"""Risk against loss: a line for each method over k, thresholds as lines across."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from coterie.app.drawing.svg import element, join, short, ticks
from coterie.app.words import say

__all__ = ["curve", "described"]

WIDE, HIGH = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 52, 16, 14, 46
SERIES = 6  # colors
TOUCH = 13  # radius of what a finger can hit


def curve(
    points: Sequence[Mapping[str, Any]],
    bars: Mapping[str, float],
    chosen: tuple[int, str] | None = None,
) -> Markup:
    """The picture; each point is a button that takes it, by the form of its row in the table.

    Parameters
    ----------
    points : sequence of dict
        With ``place`` in the table, k, method, loss, risk, sample.
    bars : mapping
        Thresholds on ``il`` and ``dld_expected``.
    chosen : (int, str), optional
        k and method of the plan.
    """
    drawn = [point for point in points if not point["refused"]]
    wide = max([1.0, *(p["risk"] for p in drawn), bars.get("dld_expected", 0.0)]) * 1.08
    high = max([1.0, *(p["loss"] for p in drawn), bars.get("il", 0.0)]) * 1.08

    def x(risk: float) -> float:
        return LEFT + (WIDE - LEFT - RIGHT) * risk / wide

    def y(loss: float) -> float:
        return HIGH - BOTTOM - (HIGH - TOP - BOTTOM) * loss / high

    parts = [
        *(_across(y(tick), short(tick)) for tick in ticks(high)),
        *(_mark(x(tick), short(tick)) for tick in ticks(wide)),
        *_titles(),
        *_bars(bars, x, y),
    ]
    methods = list(dict.fromkeys(p["method"] for p in drawn))
    for number, method in enumerate(methods):
        for sample in (True, False):
            mine = [p for p in drawn if p["method"] == method and p["sample"] == sample]
            mine.sort(key=lambda p: p["k"])
            look = f"series-{number % SERIES + 1}" + (" sample" if sample else "")
            line = " ".join(f"{x(p['risk']):.1f},{y(p['loss']):.1f}" for p in mine)
            parts.append(element("polyline", class_=f"line {look}", points=line))
            parts += [_point(p, x(p["risk"]), y(p["loss"]), look, chosen) for p in mine]
    return element(
        "svg",
        *parts,
        class_="curve",
        viewBox=f"0 0 {WIDE} {HIGH}",
        role="group",
        aria_label=say("choose.picture"),
    )


def described(point: Mapping[str, Any]) -> str:
    """A point in words."""
    key = "choose.point" if point["measured"] else "choose.point_most"
    words = say(
        key,
        k=point["k"],
        method=point["method"],
        loss=short(point["loss"]),
        risk=short(point["risk"]),
    )
    return words + (" " + say("choose.of_sample") if point["sample"] else "")


def _point(
    point: Mapping[str, Any], x: float, y: float, look: str, chosen: tuple[int, str] | None
) -> Markup:
    mine = chosen == (point["k"], point["method"]) and not point["sample"]
    label = say("choose.take_point", point=described(point))
    return element(
        "g",
        element("title", label),
        element("circle", class_="touch", cx=x, cy=y, r=TOUCH),
        element("circle", class_=f"dot {look}", cx=x, cy=y, r=7 if mine else 5),
        element("text", f"{point['k']}", class_="label", x=x + 9, y=y - 7),
        class_="point chosen" if mine else "point",
        role="button",
        tabindex=0,
        data_submit=f"take-{point['place']}",
        id=f"point-{point['place']}",
        aria_label=label,
    )


def _across(y: float, label: str) -> Markup:
    return join(
        element("line", class_="rule", x1=LEFT, x2=WIDE - RIGHT, y1=y, y2=y),
        element("text", label, class_="tick", x=LEFT - 8, y=y + 4, text_anchor="end"),
    )


def _mark(x: float, label: str) -> Markup:
    return element("text", label, class_="tick", x=x, y=HIGH - BOTTOM + 18, text_anchor="middle")


def _titles() -> list[Markup]:
    middle = LEFT + (WIDE - LEFT - RIGHT) / 2
    turned = f"rotate(-90 14 {(HIGH - BOTTOM) / 2:.0f})"
    return [
        element("text", say("choose.axis_risk"), class_="axis-title", x=middle, y=HIGH - 6,
                text_anchor="middle"),
        element("text", say("choose.axis_loss"), class_="axis-title", x=14,
                y=(HIGH - BOTTOM) / 2, text_anchor="middle", transform=turned),
    ]  # fmt: skip


def _bars(bars: Mapping[str, float], x: Any, y: Any) -> list[Markup]:
    elements = []
    if "il" in bars:
        at = y(bars["il"])
        elements.append(element("line", class_="bar-line", x1=LEFT, x2=WIDE - RIGHT, y1=at, y2=at))
        elements.append(
            element("text", say("choose.most_loss"), class_="bar-label", x=WIDE - RIGHT, y=at - 5,
                    text_anchor="end")
        )  # fmt: skip
    if "dld_expected" in bars:
        at = x(bars["dld_expected"])
        elements.append(element("line", class_="bar-line", x1=at, x2=at, y1=TOP, y2=HIGH - BOTTOM))
        elements.append(element("text", say("choose.most_risk"), class_="bar-label", x=at - 5,
                            y=TOP + 10, text_anchor="end"))  # fmt: skip
    return elements
