"""SVG elements as text, everything in them escaped; and scales."""

from __future__ import annotations

import math

from markupsafe import Markup, escape

__all__ = ["element", "join", "short", "ticks"]


def element(name: str, *content: str | Markup, **attributes: object) -> Markup:
    """One element; an underscore in an attribute's name stands for a hyphen.

    >>> print(element("text", "a < b", class_="small", x=1.5))
    <text class="small" x="1.5">a &lt; b</text>
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_text(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = join(*content)
    return Markup(f"<{name}{written}>{inside}</{name}>")


def join(*parts: str | Markup) -> Markup:
    """Elements and texts, one after the other."""
    return Markup("").join(parts)


def short(number: float) -> str:
    """A number for a tick: at most three digits that matter."""
    return f"{number:.3g}"


def ticks(top: float, count: int = 4) -> list[float]:
    """Round numbers from 0 up to `top`.

    >>> ticks(17.0)
    [0.0, 5.0, 10.0, 15.0]
    """
    if top <= 0:
        return [0.0]
    rough = top / count
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * one for one in (1, 2, 5, 10) if size * one >= rough)
    return [step * place for place in range(int(top / step + 1e-9) + 1)]


def _text(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
