"""Values that become text: merged, cut to a prefix, or in bands.

Three steps, of which the first and the last look at a part of the table alone: which values there
are, what becomes of each, and the part with that done to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.errors import listed, shown
from coterie.hierarchy.rungs import band_text, text_of
from coterie.recoding.cells import Cells
from coterie.table.arrays import from_values
from coterie.table.problems import Problems

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["TextRule", "TextValues"]


@dataclass(frozen=True, eq=False)
class TextValues:
    """The values of a column in the order in which they were met, and whether they mean missing.

    Those of parts add up, in the order of the parts.
    """

    kind: str
    held: Mapping[Any, bool] = field(default_factory=dict)

    @classmethod
    def of(cls, cells: Cells) -> TextValues:
        """What a part has."""
        codes, values = _coded(cells)
        held = np.zeros(len(values), dtype=np.bool_)
        held[codes[cells.there]] = True
        return cls(cells.kind, dict(zip(values, held.tolist(), strict=True)))

    def __add__(self, other: TextValues) -> TextValues:
        return TextValues(self.kind, {**self.held, **other.held})

    def settled(
        self, name: str, rule: Mapping[str, Any], k: int, problems: Problems
    ) -> TextRule | None:
        """What becomes of each value; None, and a problem, where that cannot be."""
        (kind, setting), *_ = rule.items()
        try:
            became = {
                value: RECODED[kind](setting, value) for value, held in self.held.items() if held
            }
        except (KeyError, ValueError, ArithmeticError):
            problems.add(
                f"The recoding of column {name!r} into {kind} is for "
                f"{'numbers' if kind == 'bands' else 'codes'}. Got {self.kind}: leave it out"
            )
            return None
        if kind == "merge" and not self._merged(name, setting, problems):
            return None
        return TextRule(rule, became)

    def _merged(self, name: str, setting: Mapping[str, Any], problems: Problems) -> bool:
        """Whether the values that are to be merged are there; the others are problems."""
        known = {text_of(value) for value in self.held}
        named = [text_of(one) for several in setting.values() for one in several]
        unknown = [one for one in named if one not in known]
        if unknown:
            problems.add(
                f"The recoding of column {name!r} must merge values of it. Got "
                f"{listed(map(shown, unknown), 5)}, which it has not: correct them",
                data=True,
            )
        taken = [label for label in setting if label in known and label not in named]
        if taken:
            problems.add(
                f"The recoding of column {name!r} must not give a merged category the name of "
                f"another one. Got {listed(map(shown, taken), 5)}: merge it too, or name it anew"
            )
        return not unknown and not taken


@dataclass(frozen=True, eq=False)
class TextRule:
    """What becomes of each value.

    Attributes
    ----------
    asked : mapping
        As the plan has it.
    became : mapping
        The text of each value of the table.
    """

    asked: Mapping[str, Any]
    became: Mapping[Any, str]

    @property
    def rule(self) -> Mapping[str, Any]:
        """The rule: nothing was left to be found."""
        return self.asked

    @property
    def type(self) -> pa.DataType:
        """Of the recoded column."""
        import pyarrow as pa

        return pa.string()

    @property
    def values(self) -> dict[str, str]:
        """The same, the values as text."""
        return {text_of(value): new for value, new in self.became.items()}

    @property
    def distinct(self) -> tuple[int, int]:
        """Different values before and after."""
        return len(self.became), len(set(self.became.values()))

    def applied(self, cells: Cells) -> tuple[pa.Array, int]:
        """A part of the column recoded, and how many of its records changed."""
        import pyarrow as pa

        codes, values = _coded(cells)
        # A value that means missing stays, as text.
        became = [self.became.get(value, text_of(value)) for value in values]
        texts = from_values([*became, None], pa.string())
        recoded = texts.take(pa.array(np.where(cells.blank, len(values), codes)))
        other = np.array([text_of(v) != new for v, new in zip(values, became, strict=True)], bool)
        return recoded, int(other[codes[cells.there]].sum()) if len(other) else 0


def _coded(cells: Cells) -> tuple[Any, list[Any]]:
    encoded = cells.array.dictionary_encode()
    codes = np.asarray(encoded.indices.fill_null(0).to_numpy(zero_copy_only=False))
    return codes, encoded.dictionary.to_pylist()


def _merge(setting: Mapping[str, Any], value: Any) -> str:
    text = text_of(value)
    return next((k for k, several in setting.items() if text in map(text_of, several)), text)


def _prefix(length: int, value: Any) -> str:
    text = text_of(value)
    ends = [place for place, sign in enumerate(text, 1) if sign.isalnum()]
    return text[: ends[length - 1]] if length < len(ends) else text


def _band(width: Any, value: Any) -> str:
    number = Decimal(text_of(value))
    return band_text(number, number, Decimal(text_of(width)))


RECODED: dict[str, Callable[[Any, Any], str]] = {"merge": _merge, "prefix": _prefix, "bands": _band}
