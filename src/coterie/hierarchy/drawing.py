"""A hierarchy as lines of text: a label a line, indented by its depth, with what lies below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

__all__ = ["drawn"]

MOST = 12  # labels below one that are drawn


def drawn(
    paths: Iterable[Sequence[str]], counts: Mapping[str, int], depth: int | None = None
) -> Iterator[str]:
    r"""The tree of paths, values first and the root last; `counts` are those of the values.

    Examples
    --------
    >>> paths = [("11", "1", "*"), ("12", "1", "*"), ("2", "2", "*")]
    >>> print("\n".join(drawn(paths, {"11": 4, "12": 1, "2": 3})))
    *  8
      1  5
        11  4
        12  1
      2  3
    """
    below: dict[tuple[str, ...], dict[str, None]] = {}
    total: dict[tuple[str, ...], int] = {}
    roots: dict[str, None] = {}
    for path in paths:
        size = counts.get(path[0], 0)
        above: tuple[str, ...] = ()
        for label in dict.fromkeys(reversed(path)):  # a short branch stands on several levels
            (below.setdefault(above, {}) if above else roots)[label] = None
            above = (*above, label)
            total[above] = total.get(above, 0) + size
    for root in roots:
        yield from _branch((root,), below, total, depth)


def _branch(
    at: tuple[str, ...],
    below: Mapping[tuple[str, ...], Mapping[str, None]],
    total: Mapping[tuple[str, ...], int],
    depth: int | None,
) -> Iterator[str]:
    indent = "  " * (len(at) - 1)
    yield f"{indent}{at[-1]}  {total[at]:,}"
    labels = list(below.get(at, ()))
    if not labels or (depth is not None and len(at) > depth):
        return
    for label in labels[:MOST]:
        yield from _branch((*at, label), below, total, depth)
    if len(labels) > MOST:
        rest = sum(total[(*at, label)] for label in labels[MOST:])
        yield f"{indent}  ... and {len(labels) - MOST:,} more  {rest:,}"
