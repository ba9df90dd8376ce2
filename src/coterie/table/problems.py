"""Problems: all that is wrong with a table and its arguments, refused at once."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from coterie.errors import DataError, ParameterError, together

__all__ = ["Problems"]


@dataclass
class Problems:
    """What is wrong with a table and its arguments, gathered so that it is told at once.

    Attributes
    ----------
    texts : list of str
        The problems.
    columns : dict of str to tuple of str
        Of each of them the columns that it is about, in whose place a form shows it.
    of_arguments : bool
        Whether any is of the arguments.
    refused : set of str
        Columns whose values cannot be read.
    """

    texts: list[str] = field(default_factory=list)
    columns: dict[str, tuple[str, ...]] = field(default_factory=dict)
    of_arguments: bool = False
    refused: set[str] = field(default_factory=set)
    _about: tuple[str, ...] = ()

    @contextlib.contextmanager
    def about(self, column: str) -> Iterator[None]:
        """What is noted in the block is about this column, if it does not say otherwise."""
        before, self._about = self._about, (column,)
        try:
            yield
        finally:
            self._about = before

    def add(
        self, text: str, *, data: bool = False, columns: Iterable[str] = (), refuses: bool = False
    ) -> None:
        """Note a problem: of the arguments, or of the data; with the columns that it is about.

        With `refuses` their values cannot be read.
        """
        named = tuple(columns) or self._about
        text = text.rstrip(". ")
        if text not in self.texts:
            self.texts.append(text)
        self.columns[text] = tuple(dict.fromkeys([*self.columns.get(text, ()), *named]))
        self.of_arguments = self.of_arguments or not data
        if refuses:
            self.refused.update(named)

    def refuse(self, *others: Problems, first: Sequence[str] = ()) -> None:
        """Raise one error that tells them all, if there are any.

        Those of the arguments that were known before come `first`, then these, then `others`.
        """
        every = (self, *others)
        texts = list(dict.fromkeys([*first, *(text for one in every for text in one.texts)]))
        if texts:
            of_arguments = bool(first) or any(one.of_arguments for one in every)
            kind = ParameterError if of_arguments else DataError
            error = kind(together(texts))
            error.problems = tuple(texts)
            error.columns = {
                text: tuple(dict.fromkeys(n for one in every for n in one.columns.get(text, ())))
                for text in texts
            }
            raise error
