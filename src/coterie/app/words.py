"""All words of the pages, from one catalog: a translation is another file of the same keys."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["catalog", "say"]

HERE = Path(__file__).parent / "words"
LANGUAGE = "en"


@cache
def catalog(language: str = LANGUAGE) -> dict[str, str]:
    """Every text by its key, ``page.name``."""
    content = tomllib.loads((HERE / f"{language}.toml").read_text(encoding="utf-8"))
    return {
        f"{part}.{name}": text for part, texts in content.items() for name, text in texts.items()
    }


def say(key: str, /, **values: Any) -> str:
    """A text of the catalog with its gaps filled.

    >>> say("step.open")
    'Open'
    """
    text = catalog()[key]
    return text.format(**values) if values else text
