"""Which statistics a report may tell: those that at least so many units share."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from coterie.classes import count_classes
from coterie.errors import bad_parameter

__all__ = ["KINDS", "Rule"]

KINDS = ("internal", "public")


@dataclass(frozen=True, eq=False)
class Rule:
    """The kind of a report and what follows from it.

    Attributes
    ----------
    kind : str
        ``"internal"`` or ``"public"``.
    k : int
        Units that a statistic of the original must share to be told in public.
    units : (n,) int array or None
        Unit of each record; None if each record is one.

    Examples
    --------
    >>> import numpy as np
    >>> from coterie.report.rule import Rule
    >>> Rule("public", 3).few(np.array([0, 1, 1, 1]), 3).tolist()
    [True, False, True]
    """

    kind: str
    k: int
    units: NDArray[np.int64] | None = None

    @classmethod
    def of(cls, kind: str, k: int, units: NDArray[np.int64] | None = None) -> Rule:
        """The rule, or one line that says which kinds there are."""
        if kind not in KINDS:
            rule = "one of " + ", ".join(map(repr, KINDS))
            raise bad_parameter("kind", "report", rule, kind)
        return cls(kind, k, units)

    @property
    def internal(self) -> bool:
        """Whether everything may be told."""
        return self.kind == "internal"

    def where(self, chosen: NDArray[np.bool_]) -> Rule:
        """The rule for some of the records."""
        return self if self.units is None else replace(self, units=self.units[chosen])

    def few(self, codes: NDArray[np.int64], bins: int) -> NDArray[np.bool_]:
        """The bins that hold fewer units than may be told, of bins 0..bins-1."""
        if self.internal:
            return np.zeros(bins, dtype=bool)
        if self.units is None:
            return np.bincount(codes, minlength=bins) < self.k
        held = np.zeros(bins, dtype=np.int64)
        present, compact = np.unique(codes, return_inverse=True)
        if len(present):
            held[present] = count_classes(compact, self.units)
        return held < self.k

    def tells(self, percent: float, n: int) -> bool:
        """Whether a share of n records stands for none, or for enough of them."""
        return self.internal or percent <= 0 or percent * n / 100.0 >= self.k - 1e-9
