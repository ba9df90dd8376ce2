"""Problems: all that is wrong with a table and its arguments, refused at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from coterie.errors import DataError, ParameterError, together

__all__ = ["Problems"]


@dataclass
class Problems:
    """What is wrong with a table and its arguments, gathered so that it is told at once."""

    texts: list[str] = field(default_factory=list)
    of_arguments: bool = False
    refused: set[str] = field(default_factory=set)

    def add(self, text: str, *, data: bool = False, column: str | None = None) -> None:
        """Note a problem: of the arguments, or of the data, with the column it refuses."""
        if column is not None:
            self.refused.add(column)
        text = text.rstrip(". ")
        if text not in self.texts:
            self.texts.append(text)
        self.of_arguments = self.of_arguments or not data

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
            raise error
