"""Evaluation: the measures of one release by name, and those that were refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from numpy.typing import NDArray

from coterie.errors import NotMeasured, unknown_name
from coterie.evaluation.case import Finding

__all__ = ["Evaluation", "Score"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Score(Finding):
    """One measure of a release.

    Attributes
    ----------
    name, title, kind, direction, bounds, reference
        As in the table of measures.
    value : float
        The figure.
    by_column : dict or None
        The figure of each column, where it has one.
    by_record : array or None
        The figure of each record, where it has one.
    parts : dict or None
        Figures that belong to it, by name.
    note : str
        How it was taken and what it leaves out, where there is something to say: which moments
        normalize the release, over which records a key with gaps counts.
    attacks : tuple of Attack
        Those that were tried, where the measure tries any: success, baseline, control and risk of
        each, with intervals (`coterie.evaluation.attacks.trial`).
    sets : tuple of KnownKeys
        Keys and pairs of keys that an intruder may know, and what each gives away.
    estimates : tuple of Estimate
        Of the declared analyses, before and after.
    """

    name: str
    title: str
    kind: str
    direction: str
    bounds: tuple[float, float]
    reference: str

    @property
    def says(self) -> str:
        """Title and note in one sentence."""
        return f"{self.title} ({self.note})" if self.note else self.title

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        return f"Score({self.name} = {self.value:.6g}, {self.direction})"


class Evaluation(Mapping[str, Score]):
    """The measures of one release, by name, in the order of the table.

    Attributes
    ----------
    refused : dict
        Name and reason of every measure that was not computed.
    seconds : float
        Time it took.
    classes : array or None
        Units in each class, where classes were formed.
    pooled : dict
        Where strata were pooled: the name under which `by_column` of the loss has them, and theirs.
    """

    def __init__(
        self,
        scores: dict[str, Score],
        refused: dict[str, str],
        seconds: float,
        classes: NDArray | None = None,
        pooled: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self._scores = scores
        self.refused = refused
        self.seconds = seconds
        self.classes = classes
        self.pooled = dict(pooled or {})

    def __getitem__(self, name: str) -> Score:
        if name in self._scores:
            return self._scores[name]
        if name in self.refused:
            raise NotMeasured(f"The measure {name!r} was refused: {self.refused[name]}")
        raise NotMeasured(str(unknown_name("measure", name, [*self._scores, *self.refused])))

    def __iter__(self) -> Iterator[str]:
        return iter(self._scores)

    def __len__(self) -> int:
        return len(self._scores)

    def values_by_name(self) -> dict[str, float]:
        """The plain figures."""
        return {name: score.value for name, score in self._scores.items()}

    def __repr__(self) -> str:
        lines = [
            f"{score.kind:<10} {name:<17} {score.value:>12.6g}  {score.says}; {score.direction}"
            for name, score in self._scores.items()
        ]
        lines += [f"refused    {name:<17} {'':>12}  {why}" for name, why in self.refused.items()]
        return "\n".join(lines)
