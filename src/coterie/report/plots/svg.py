"""A plot as SVG text to stand inside a page: small, accessible, in the page's own colors.

matplotlib writes a whole document with fixed colors, its own fonts and identifiers that repeat
from picture to picture. Inside a page colors become CSS variables (with the printed color where
the page sets none), text takes the page's font, and identifiers are kept only where they are used.
"""

from __future__ import annotations

import io
import re
import warnings
from html import escape
from typing import Any

from coterie.report.plain import printable
from coterie.report.plots.palette import COLORS

__all__ = ["inline_svg"]

DECIMALS = re.compile(r"(\d\.\d\d)\d+")
FONT = re.compile(r"font-family: [^;\"]*;? ?")
IDENTIFIER = re.compile(r' id="([^"]*)"')
REFERENCE = re.compile(r"(?:url\(#|href=\"#)([^)\"]+)")


def inline_svg(axes: Any, name: str, title: str, description: str) -> str:
    """The figure of `axes` as an ``<svg>`` element.

    Parameters
    ----------
    axes : matplotlib axes
        Of a figure of its own.
    name : str
        Tells this picture's identifiers from those of others on the page.
    title, description : str
        What is read out in place of the picture.

    Examples
    --------
    >>> from coterie.report.plots import group_sizes
    >>> from coterie.report.plots.svg import inline_svg
    >>> text = inline_svg(group_sizes([("5", 12), ("6", 3)]), "sizes", "Sizes", "12 of 5, 3 of 6")
    >>> text.startswith("<svg") and "var(--after" in text and "<script" not in text
    True
    """
    import matplotlib

    text = io.StringIO()
    style: Any = {"svg.fonttype": "none", "svg.hashsalt": name}
    with matplotlib.rc_context(style), warnings.catch_warnings():
        # The page has fonts for letters that matplotlib's own lacks.
        warnings.filterwarnings("ignore", r"Glyph \d+ .*missing from font", UserWarning)
        warnings.filterwarnings("ignore", "Matplotlib currently does not support", UserWarning)
        axes.figure.savefig(
            text, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type"))
        )
    drawn = text.getvalue()
    head = re.search(r"viewBox=\"([^\"]*)\"[^>]*>", drawn)
    assert head is not None
    body = drawn[head.end() : drawn.rindex("</svg>")]
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.S)
    body = re.sub(r"<defs>\s*<style[^>]*>.*?</style>\s*</defs>", "", body, flags=re.S)
    body = DECIMALS.sub(r"\1", FONT.sub("", body))
    body = re.sub(r' transform="rotate\(-?0 [^"]*\)"', "", body)
    body = _identified(body, name)
    for variable, code in COLORS.items():
        body = body.replace(code, f"var(--{variable},{code})")
    body = re.sub(r"\s*\n\s*", " ", body)
    body = re.sub(r"> +<", "><", body)
    for _ in range(4):  # what held an identifier only
        body = re.sub(r"<g>((?:(?!</?g\b).)*)</g>", r"\1", body)
    return (
        f'<svg viewBox="{head[1]}" role="img" aria-labelledby="{name}-t {name}-d">'
        f'<title id="{name}-t">{escape(printable(title))}</title>'
        f'<desc id="{name}-d">{escape(printable(description))}</desc>{body.strip()}</svg>'
    )


def _identified(body: str, name: str) -> str:
    """Identifiers that something refers to, made the page's own; the others left out."""
    used = set(REFERENCE.findall(body))
    short = {old: f"{name}-{place}" for place, old in enumerate(sorted(used))}
    body = IDENTIFIER.sub(lambda m: f' id="{short[m[1]]}"' if m[1] in used else "", body)
    return REFERENCE.sub(lambda m: m[0].replace(m[1], short[m[1]]), body)
