"""The rule: which numbers a document may tell, and how many of their digits (`coterie.public`)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.errors import bad_parameter
from coterie.table.classes import count_classes

__all__ = ["KINDS", "MEASURES", "NOT_REPORTED", "DocumentRule", "rounded_to", "step_of", "words_of"]

KINDS = ("internal", "public")
# Every measure and what it is made of: the release alone, a share of the original's records, its
# loss; or moments and distributions of the original, which are not told.
MEASURES = {
    **dict.fromkeys(("achieved_k", "prosecutor", "journalist", "marketer"), "release"),
    **dict.fromkeys(("distinct_l", "entropy_l", "t_closeness"), "release"),
    **dict.fromkeys(("proximity_m", "dissimilarity"), "release"),
    **dict.fromkeys(("dld", "dld_expected", "own_group", "dr", "sl"), "share"),
    **dict.fromkeys(("sdid", "sdid_own", "rank_interval"), "share"),
    **dict.fromkeys(("exact_share", "offset_adversary", "changed"), "share"),
    **dict.fromkeys(("linkability", "inference"), "share"),
    "il": "loss",
    **dict.fromkeys(("il1s", "pil", "si", "means", "variances"), "moments"),
    **dict.fromkeys(("correlations", "eigenvalues", "ks", "pmse"), "moments"),
    # One record can decide about many predicates; which keys are the worst is told by few.
    **dict.fromkeys(("singling_out", "partial_knowledge", "population_risk"), "moments"),
    **dict.fromkeys(("analyses", "k_map"), "moments"),
}
NOT_REPORTED = "not reported"
NOTHING = {"value": None, "reported": False}
DIGITS = 3  # that a figure has at most
LEAST = 1e-12  # a step, at least
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def step_of(least: float) -> float:
    """The smallest of 1, 2, 5, 10, 20, ... and their tenths that is at least so large.

    Examples
    --------
    >>> from coterie.public.rule import step_of
    >>> [step_of(x) for x in (0.3, 2.0, 2.1, 70.0)]
    [0.5, 2.0, 5.0, 100.0]
    """
    power = math.floor(math.log10(max(least, LEAST)))
    for digit in (1, 2, 5, 10):
        step = float(f"{digit}e{power}")
        if step >= least * (1 - 1e-12):
            return step
    raise AssertionError(least)


@dataclass(frozen=True, eq=False)
class DocumentRule:
    """The kind of a document, and what follows from it for numbers.

    Attributes
    ----------
    kind : str
        ``"internal"`` or ``"public"``: in an internal one every number is told as it is.
    k : int
        Units that a statistic of the original must share to be told in public.
    units : (n,) int array or None
        Unit of each record; None if each record is one.

    Examples
    --------
    >>> import numpy as np
    >>> from coterie.public import DocumentRule
    >>> rule = DocumentRule("public", 3)
    >>> rule.few(np.array([0, 1, 1, 1]), 3).tolist()
    [True, False, True]
    >>> rule.count(2), rule.count(7)
    ('fewer than 3', '6 to 8')
    >>> rule.share(12.345, 1000), rule.share(0.1, 1000), rule.share(99.9, 1000)
    ({'value': 12.5, 'step': 0.5}, {'value': None, 'below': 0.75}, {'value': None, 'above': 99.25})
    >>> rule.figure(6.2341, 0.3), rule.figure(6.2341, 5.0), rule.figure(6.2341, 70.0)
    ({'value': 6.0, 'step': 0.5}, {'value': None, 'below': 7.5}, {'value': None, 'below': 150.0})
    """

    kind: str
    k: int
    units: Ints | None = None
    _base: list[int] = field(default_factory=list, repr=False)  # counted once

    @classmethod
    def of(cls, kind: str, k: int, units: Ints | None = None) -> DocumentRule:
        """The rule, or one line that says which kinds there are."""
        if kind not in KINDS:
            rule = "one of " + ", ".join(map(repr, KINDS))
            raise bad_parameter("kind", "report", rule, kind)
        return cls(kind, k, units)

    @property
    def internal(self) -> bool:
        """Whether everything may be told."""
        return self.kind == "internal"

    @property
    def base(self) -> int:
        """One more than the records that any k - 1 units have together."""
        if self.units is None:
            return self.k
        if not self._base:
            self._base.append(1 + round(self.most(np.ones(len(self.units)))))
        return self._base[0]

    def where(self, chosen: NDArray[np.bool_]) -> DocumentRule:
        """The rule for some of the records."""
        return self if self.units is None else replace(self, units=self.units[chosen], _base=[])

    def few(self, codes: Ints, bins: int) -> NDArray[np.bool_]:
        """The bins that hold fewer units or records than may be told, of bins 0..bins-1."""
        if self.internal:
            return np.zeros(bins, dtype=bool)
        held = np.bincount(codes, minlength=bins)
        if self.units is None:
            return held < self.k
        units = np.zeros(bins, dtype=np.int64)
        present, compact = np.unique(codes, return_inverse=True)
        if len(present):
            units[present] = count_classes(compact, self.units)
        return (units < self.k) | (held < self.base)

    def count(self, number: int, units: Ints | None = None) -> int | str:
        """A number of records of the original; `units` are theirs where they are not released."""
        if self.internal:
            return number
        if units is not None and 0 < len(np.unique(units)) < self.k:
            return f"fewer than {self.base}"
        start = number // self.base * self.base
        return f"{start} to {start + self.base - 1}" if start else f"fewer than {self.base}"

    def counts(self, numbers: Sequence[int], takes: int) -> list[int]:
        """Numbers that add up to a known total, each by the middle of its cell.

        What is left of the total goes to number `takes`. None of them may be one of `few`; empty
        where that leaves too little to be one of a cell.
        """
        reported = [int(number) for number in numbers]
        if self.internal or len(reported) == 1:
            return reported
        middle = (self.base - 1) // 2
        for place, number in enumerate(reported):
            if place != takes:
                reported[place] = number // self.base * self.base + middle
        reported[takes] = sum(map(int, numbers)) - sum(reported) + reported[takes]
        return reported if reported[takes] >= self.base else []

    def share(self, percent: float, records: float) -> dict[str, Any]:
        """A share of so many records, in percent: its value, or the limit that it is beyond."""
        if self.internal or not math.isfinite(percent):
            return {"value": percent if math.isfinite(percent) else None}
        if not records:  # a key that no released record has
            return dict(NOTHING)
        step = step_of(100.0 * self.base / records)
        if percent < 1.5 * step:
            return {"value": None, "below": 1.5 * step} if 1.5 * step < 100 else dict(NOTHING)
        if percent > 100.0 - 1.5 * step:
            return {"value": None, "above": 100.0 - 1.5 * step}
        return _on_grid(percent, step)

    def figure(
        self, value: float, influence: float, *, signed: bool = False, most: float = math.inf
    ) -> dict[str, Any]:
        """A sum of which the k - 1 units that matter most make up so much.

        One that cannot be negative is told as a limit where it is less than a step and a half, if
        that says more than that it is at most `most`, and has three digits at most.
        """
        if not math.isfinite(value):
            return {"value": None}
        if self.internal or (influence == 0.0 and (signed or value == 0.0)):
            return {"value": value}  # nothing that anybody adds: of a constant, say
        digits = 0.0
        if not signed and value > 0:
            digits = 10.0 ** (math.floor(math.log10(value)) - DIGITS + 1)
        step = step_of(max(influence, digits)) if math.isfinite(influence) else math.inf
        if not math.isfinite(step):
            return dict(NOTHING)
        if not signed and value < 1.5 * step:
            return {"value": None, "below": 1.5 * step} if 1.5 * step < most else dict(NOTHING)
        return _on_grid(value, step)

    def measure(
        self, name: str, value: float, records: float, influence: float = math.inf
    ) -> dict[str, Any] | None:
        """A measure by its name, as it may be told; None if it may not."""
        source = MEASURES.get(name, "moments")
        if self.internal:
            return {"value": value if math.isfinite(value) else None}
        if source == "moments":
            return None
        if source == "share":
            return self.share(value, records)
        return self.figure(value, influence if source == "loss" else 0.0, most=100.0)

    def most(self, contributions: Floats) -> float:
        """What the k - 1 units that matter most add to a sum over the records."""
        return float(self.largest(contributions).sum())

    def largest(self, contributions: Floats) -> Floats:
        """What each of those units adds, in absolute value."""
        if self.units is not None:
            contributions = np.bincount(self.units, contributions).astype(np.float64)
        held = np.abs(contributions)
        rest = len(held) - self.k + 1
        return np.partition(held, rest)[rest:] if 0 < rest < len(held) else held[: self.k - 1]


def _on_grid(value: float, step: float) -> dict[str, Any]:
    # Through decimal text: 61 * 0.1 must come out as 6.1.
    return {"value": float(f"{round(value / step) * step:.12g}"), "step": step}


def rounded_to(figures: Mapping[str, Any]) -> dict[str, Any]:
    """The step of each figure that is told as a number: the truth lies within half of it.

    Figures may lie deeper, as in `words_of`.
    """
    found: dict[str, Any] = {}
    for name, one in figures.items():
        deeper = "value" not in one or isinstance(one["value"], Mapping)
        step = rounded_to(one) if deeper else one.get("step")
        if step:
            found[name] = step
    return found


def words_of(reported: Mapping[str, Any], unit: str = "") -> Any:
    """What was told as a number or in words, for documents that have a single place for it.

    Of a mapping of figures, however deep, the same mapping of these.

    Examples
    --------
    >>> from coterie.public import words_of
    >>> words_of({"a": {"value": 6.0}, "b": {"value": None, "below": 1.5}}, " %")
    {'a': 6.0, 'b': 'less than 1.5 %'}
    """
    if "value" not in reported or isinstance(reported["value"], Mapping):
        return {name: words_of(one, unit) for name, one in reported.items()}
    if reported["value"] is not None:
        return float(reported["value"])
    for word, sign in (("below", "less"), ("above", "more")):
        if word in reported:
            return f"{sign} than {reported[word]:g}{unit}"
    return NOT_REPORTED
