"""Plain data and printable text: what JSON, XML and pages can hold, whatever a table is called.

Names of columns and categories come from tables and may be anything: control characters that XML
forbids and terminals obey, marks that turn the direction of the text around them, half of a pair of
surrogates. `printable` shows them; numbers that JSON has no word for get one in `to_json`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

__all__ = ["legible", "plain", "printable", "to_json"]

SURROGATES = range(0xD800, 0xE000)
# What a reader cannot see and a program may obey: left-to-right and right-to-left embeddings,
# overrides and isolates, and the two code points that are no characters in XML.
TURNING = (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFFFE, 0xFFFF)
SHOWN = {
    **{code: chr(0x2400 + code) for code in range(32)},  # the picture of each control character
    0x7F: "\u2421",
    **dict.fromkeys((*range(0x80, 0xA0), *TURNING, *SURROGATES), "\ufffd"),
}
ON_PAGES = {code: sign for code, sign in SHOWN.items() if chr(code) not in "\t\n\r"}
WORDS = {math.inf: "infinite", -math.inf: "minus infinite"}


def printable(text: str) -> str:
    r"""The text with signs in place of characters that cannot be shown, line breaks included.

    Examples
    --------
    >>> from coterie.report.plain import printable
    >>> printable("a\x00b\nc"), printable("\u202e1.txt")
    ('a␀b␊c', '�1.txt')
    """
    return text if text.isprintable() else text.translate(SHOWN)


def legible(found: Any) -> Any:
    """Plain data with every text and name in it printable; line breaks and tabs stay."""
    if isinstance(found, str):
        return found if found.isprintable() else found.translate(ON_PAGES)
    if isinstance(found, Mapping):
        return {legible(name): legible(value) for name, value in found.items()}
    return [legible(value) for value in found] if isinstance(found, (list, tuple)) else found


def plain(found: Any) -> Any:
    """What JSON can hold: NumPy's numbers as Python's, None for what is no number."""
    if isinstance(found, Mapping):
        return {str(name): plain(one) for name, one in found.items()}
    if isinstance(found, (list, tuple)):
        return [plain(one) for one in found]
    if hasattr(found, "tolist"):
        return plain(found.tolist())
    if isinstance(found, float):
        return found if math.isfinite(found) else None
    if found is None or isinstance(found, (str, int)):
        return found
    return str(found)


def to_json(found: Any, indent: int | None = None) -> str:
    """JSON text that every reader takes: what is no number is null, and infinity a word.

    Examples
    --------
    >>> from coterie.report.plain import to_json
    >>> to_json({"a": float("inf"), "b": [float("nan"), 1]})
    '{"a": "infinite", "b": [null, 1]}'
    """
    return json.dumps(plain(_worded(found)), indent=indent, ensure_ascii=False, allow_nan=False)


def _worded(found: Any) -> Any:
    """Infinity in words, at any depth."""
    if isinstance(found, Mapping):
        return {name: _worded(value) for name, value in found.items()}
    if isinstance(found, (list, tuple)):
        return [_worded(value) for value in found]
    if hasattr(found, "tolist"):
        return _worded(found.tolist())
    return WORDS.get(found, found) if isinstance(found, float) else found
