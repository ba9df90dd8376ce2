"""A summary as one self-contained page: no scripts, nothing loaded from outside."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from coterie.report import words
from coterie.report.pictures import MOST_DRAWN, comparison_pictures, pictures, risk_of
from coterie.report.plain import legible
from coterie.report.verdict import share

__all__ = ["html", "page"]

TEMPLATES = Path(__file__).parent / "templates"


def html(summary: Mapping[str, Any]) -> str:
    """Render a summary.

    Parameters
    ----------
    summary : mapping
        What `summary`, `judged_summary` or `comparison_summary` gave, or JSON gave back.

    Returns
    -------
    str
        A page that follows the reader's choice of light or dark, fits a phone, and prints.

    Examples
    --------
    >>> import coterie
    >>> from coterie.report import html, summary
    >>> r = coterie.anonymize(coterie.datasets.diabetes(), 5, ["age", "bmi"], method="mdav")
    >>> page = html(summary(r, "public"))
    >>> page.startswith("<!DOCTYPE html>") and "<script" not in page
    True
    """
    summary = legible(summary)
    compared = summary["about"] == "comparison"
    drawn = comparison_pictures(summary) if compared else pictures(summary)
    return page("comparison.html" if compared else "release.html", summary, drawn)


def page(template: str, summary: Mapping[str, Any], drawn: Mapping[str, Any]) -> str:
    """A template filled with a summary and its pictures."""
    return (
        _environment()
        .get_template(template)
        .render(
            s=summary,
            figures=summary["figures"],
            found={one["name"]: one for one in summary.get("measures", ())},
            pictures=drawn,
            most_drawn=MOST_DRAWN,
        )
    )


def unbroken(text: str) -> str:
    """The text with numbers kept beside their percent sign, and k beside its value."""
    return text.replace(" %", "\u00a0%").replace("k = ", "k\u00a0=\u00a0")


@cache
def _environment() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Any] = {
        "percent": lambda number: unbroken(words.percent(number)),
        "count": words.count,
        "figure": words.figure,
        "listing": words.listing,
        "share": lambda score: unbroken(share(score)),
        "unbroken": unbroken,
        "basename": lambda source: ", ".join(Path(path).name for path in source.split(", ")),
        "risk_of": risk_of,
        "pretty": lambda found: json.dumps(found, indent=1, ensure_ascii=False),
    }
    environment.filters |= filters
    environment.globals["value"] = words.value
    environment.globals["style"] = (TEMPLATES / "style.css").read_text(encoding="utf-8")
    return environment
