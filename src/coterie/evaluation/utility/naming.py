"""What the estimates of an analysis are called: for people to read, no two of them alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from coterie.evaluation.utility.sums import Name, Own

__all__ = ["domain_texts", "term_texts"]

Written = Callable[[Any], str]


def domain_texts(names: Iterable[Name]) -> dict[Name, str]:
    """Of domains; where two would read alike, numbers in full and words in quotes.

    >>> domain_texts([("a", 0.5), ("b", 1.0)])
    {('a', 0.5): 'a, 0.5', ('b', 1.0): 'b, 1'}
    >>> list(domain_texts([("a, b", "c"), ("a", "b, c")]).values())
    ["'a, b', 'c'", "'a', 'b, c'"]
    """
    return _apart(names, _domain)


def term_texts(names: Iterable[Name]) -> dict[Name, str]:
    """Of the terms of a regression; where two would read alike, words in quotes.

    >>> list(term_texts([("age", None), ("sex", "f")]).values())
    ['age', 'sex = f']
    """
    return _apart(names, _term)


def _apart(names: Iterable[Name], text: Callable[[Any, Written], str]) -> dict[Name, str]:
    short = {name: text(name, _short) for name in names}
    if len(set(short.values())) == len(short):
        return short
    return {name: text(name, _whole) for name in short}


def _domain(name: tuple[Any, ...], written: Written) -> str:
    return ", ".join(map(written, name)) or "all"


def _term(name: Any, written: Written) -> str:
    if isinstance(name, Own):
        return name.value
    column, category = name
    return written(column) if category is None else f"{written(column)} = {written(category)}"


def _short(value: Any) -> str:
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def _whole(value: Any) -> str:
    return repr(value) if isinstance(value, (float, str)) else str(value)
