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

    def put_first(self, texts: Sequence[str]) -> None:
        """Tell problems of the arguments that were found before."""
        self.texts = list(dict.fromkeys([*texts, *self.texts]))
        self.of_arguments = self.of_arguments or bool(texts)

    def refuse(self, *others: Problems) -> None:
        """Raise one error that tells them all, and what was found elsewhere, if there are any."""
        every = (self, *others)
        texts = list(dict.fromkeys(text for one in every for text in one.texts))
        if texts:
            kind = ParameterError if any(one.of_arguments for one in every) else DataError
            error = kind(together(texts))
            error.problems = tuple(texts)
            raise error
