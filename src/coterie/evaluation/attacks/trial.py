"""Trials of an attack: how often it succeeds, beside what succeeds without the release.

Rates have Wilson's interval (Wilson (1927), JASA 22:209-212). The risk is the share of what could
not be had without the release that the attack gets: (success - reference) / (1 - reference), where
the reference is the success on the control, and without a control that of the best attack without
the release. Its interval follows from those of the two rates by their first derivatives; where the
reference brings an interval of its own, from what its ends would change.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from numpy.typing import NDArray

from coterie.evaluation.case import Finding

__all__ = [
    "ALL",
    "ALL_KEYS",
    "NOBODY",
    "RAREST",
    "Attack",
    "Rate",
    "finding",
    "judged",
    "worst_of",
]

Z = 1.959963984540054  # 95 % of a normal distribution lie within so many standard deviations
ALL = "all"
RAREST = "rarest tenth"
ALL_KEYS = "all keys"  # what an intruder knows
NOBODY = "nobody"
NO_CONTROL = (
    "no control part was given: what the table as a whole tells about anybody counts as risk"
)


@dataclass(frozen=True)
class Rate:
    """A share of trials, 0 to 1, and how many there were; infinitely many where it is computed.

    `span` is its interval where that is not the one of so many trials.
    """

    value: float
    trials: float = math.inf
    span: tuple[float, float] | None = None

    @classmethod
    def of(cls, chances: NDArray) -> Rate:
        """The mean of what each trial had: success, failure, or the chance of success.

        The variance of chances is at most that of successes: the interval is not too narrow.
        """
        if not len(chances):
            return cls(0.0, 0.0)
        return cls(math.fsum(chances.tolist()) / len(chances), len(chances))

    @property
    def wilson(self) -> tuple[float, float]:
        """Middle and half width of the interval."""
        if math.isinf(self.trials):
            return self.value, 0.0
        n, p = self.trials, min(max(self.value, 0.0), 1.0)
        width = n + Z * Z
        return (n * p + Z * Z / 2) / width, Z / width * math.sqrt(n * p * (1 - p) + Z * Z / 4)


@dataclass(frozen=True)
class Attack:
    """One attack on one class of records; rates and risks in percent.

    Attributes
    ----------
    name : str
        What was done: "diagnosis by neighbors".
    column : str or None
        The confidential column it was after, if it was after one.
    knows : str
        What the intruder knows.
    who : str
        Whose records: "all" or "rarest tenth".
    trials : int
        How often it was tried.
    success, baseline : float
        How often it succeeded, and what succeeds without the release.
    control : float or None
        How often it succeeded on records that were not released; None if there are none.
    risk, low, high : float
        What the release adds, and its 95 % interval.
    """

    name: str
    column: str | None
    knows: str
    who: str
    trials: int
    success: float
    baseline: float
    control: float | None
    risk: float
    low: float
    high: float

    @property
    def described(self) -> str:
        """What was done, and what the intruder knows where that is not all keys."""
        return self.name if self.knows == ALL_KEYS else f"{self.name}, knowing {self.knows}"


def judged(
    name: str,
    success: Rate,
    baseline: Rate,
    control: Rate | None,
    *,
    column: str | None = None,
    knows: str = ALL_KEYS,
    who: str = ALL,
) -> Attack:
    """The attack with its risk and interval."""
    reference = baseline if control is None else control
    risk = _beyond(success.value, reference.value)
    low, high = _interval(success, reference, risk)
    if not success.trials:  # nobody to try it on: nothing is known
        low, high = 0.0, 1.0
    return Attack(
        name,
        column,
        knows,
        who,
        int(success.trials),
        100.0 * success.value,
        100.0 * baseline.value,
        None if control is None else 100.0 * control.value,
        100.0 * risk,
        100.0 * min(max(low, 0.0), 1.0),
        100.0 * min(max(high, 0.0), 1.0),
    )


def _interval(success: Rate, reference: Rate, risk: float) -> tuple[float, float]:
    """The limits of a risk, the risk between them."""
    (s, s_error), (r, r_error) = success.wilson, reference.wilson
    if reference.span is not None:
        r = reference.value
    if r >= 1.0:
        return risk, risk
    middle = (s - r) / (1.0 - r)
    if reference.span is None:
        down = up = r_error * (1.0 - s) / (1.0 - r) ** 2
    else:  # the risk falls as the reference rises
        least, most = reference.span
        up = (s - least) / (1.0 - least) - middle
        down = middle - (s - most) / (1.0 - most) if most < 1.0 else math.inf
    own = s_error / (1.0 - r)
    return min(middle - math.hypot(own, down), risk), max(middle + math.hypot(own, up), risk)


def _beyond(success: float, reference: float) -> float:
    """The share of what the reference misses; nothing where it misses nothing."""
    missed = 1.0 - reference
    return min(max((success - reference) / missed, 0.0), 1.0) if missed > 1e-12 else 0.0


def worst_of(attacks: Sequence[Attack]) -> Attack:
    """The attack on all records with the highest risk.

    Of attacks that are equally good the one with the higher upper limit, then the first.
    """
    whole = [one for one in attacks if one.who == ALL]
    return max(whole, key=lambda one: (one.risk, one.high, one.success))


def finding(attacks: Sequence[Attack], note: str = "") -> Finding:
    """The worst attack, and all of them beside it."""
    worst = worst_of(attacks)
    rare = [one.risk for one in attacks if one.who == RAREST]
    parts = {
        "low": worst.low,
        "high": worst.high,
        "success": worst.success,
        "baseline": worst.baseline,
        **({} if worst.control is None else {"control": worst.control}),
        "trials": float(worst.trials),
        **({RAREST: max(rare)} if rare else {}),
    }
    by_column: dict[str, float] = {}
    for one in attacks:
        if one.who == ALL and one.column is not None:
            by_column[one.column] = max(one.risk, by_column.get(one.column, 0.0))
    notes = [worst.described]
    notes += [note] if note else []
    notes += [NO_CONTROL] if worst.control is None else []
    return Finding(
        worst.risk,
        by_column=by_column or None,
        parts=parts,
        note="; ".join(notes),
        attacks=tuple(attacks),
    )
