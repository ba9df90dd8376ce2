"""Limits: what units and values every class of the release must hold beyond k records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coterie.guarantees.thresholds import THRESHOLDS
from coterie.partitioning.options import one_of
from coterie.plan.option import Flag, limit, names, option

__all__ = ["Limits"]


def _threshold(name: str, kind: str, doc: str, short: str, shape: str = "[COLUMN=]NUMBER") -> Any:
    """A limit on the values of a class: one for all columns, or by column."""
    flag = Flag(("--" + name.replace("_", "-"),), short, shape, "limits")
    return option(limit(*THRESHOLDS[name]), kind, doc, flag, adds=True, anywhere=True)


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Units of a class, and how its confidential values and amounts are spread over them."""

    unit_members: str = option(
        one_of("any", "together"),
        '{"any", "together"}',
        "Records of a unit (members of a household) may be in different groups, or share one.",
        Flag(("--unit-members",), "any, or together: all records of a unit in one group.", "WORD"),
        anywhere=True,
    )
    unit_columns: Sequence[str] = option(
        names(),
        "sequence of str",
        """Columns that are the same for all records of a unit (the size of a household), and stay
        so in the release: units are grouped on those of them that are keys, and records within
        these groups on all others.""",
        Flag(
            ("--unit-column",),
            "The same for all records of a unit, and released so.",
            "COLUMN",
            "names",
        ),
        adds=True,
        anywhere=True,
    )
    min_distinct: int | Mapping[str, int] | None = _threshold(
        "min_distinct",
        "int, or mapping of column to int",
        """Least different confidential values in a group. Like the next seven, a number is for
        every confidential column that is no key.""",
        "Least different confidential values in a class.",
    )
    max_share: float | Mapping[str, float] | None = _threshold(
        "max_share",
        "float, or mapping of column to float",
        "Largest share of one confidential value in a group.",
        "Largest share of one confidential value, 0 to 1.",
    )
    entropy_l: float | Mapping[str, float] | None = _threshold(
        "entropy_l",
        "float, or mapping of column to float",
        "Least exp(entropy) of the confidential values in a group.",
        "Least exp(entropy) of the values.",
    )
    t_closeness: float | Mapping[str, float] | None = _threshold(
        "t_closeness",
        "float, or mapping of column to float",
        """Largest distance of a group's confidential values from the whole table's: by ranks for
        numbers, dates and ordinals, with equal distances for other categories.""",
        "Largest distance from the table.",
    )
    alpha_k: float | Mapping[str, Any] | None = _threshold(
        "alpha_k",
        "float, or mapping of column to float or to a mapping of value to float",
        """(alpha, k)-anonymity: largest share of a sensitive value in a group. By column a number
        for all values, or a mapping of the sensitive ones to theirs.""",
        "(alpha, k): largest share of a sensitive value, 0 to 1.",
    )
    recursive_cl: tuple[float, int] | Mapping[str, tuple[float, int]] | None = _threshold(
        "recursive_cl",
        "(c, l), or mapping by column",
        """Recursive (c, l)-diversity: the most frequent confidential value of a group occurs less
        often than c times all but the l - 1 most frequent ones together.""",
        "Recursive (c, l)-diversity of the values.",
        "[COLUMN=]C,L",
    )
    beta_likeness: float | Mapping[str, float] | None = _threshold(
        "beta_likeness",
        "float, or mapping of column to float",
        """Enhanced beta-likeness: the share of no confidential value grows in a group by more than
        beta times, nor by more than -ln of, its share in the whole table.""",
        "Largest relative growth of a share.",
    )
    delta_disclosure: float | Mapping[str, float] | None = _threshold(
        "delta_disclosure",
        "float, or mapping of column to float",
        """delta-disclosure privacy: every confidential value of the table is in every group, with
        a share whose logarithm is within delta of that in the whole table.""",
        "Largest log ratio of a share to the table's.",
    )
    p_percent: float | Mapping[str, float] | None = _threshold(
        "p_percent",
        "float, or mapping of column to float",
        """In the sum of an amount over a group, all but the two largest units add at least p
        percent of the largest. Without columns, for every numeric key.""",
        "p% rule on sums over a class.",
    )
    dominance: tuple[int, float] | Mapping[str, tuple[int, float]] | None = _threshold(
        "dominance",
        "(count, percent), or mapping by column",
        """The `count` largest units add at most so many percent of the sum of an amount over a
        group. Without columns, for every numeric key.""",
        "The N largest units add at most PERCENT.",
        "[COLUMN=]N,PERCENT",
    )

    @property
    def limits(self) -> dict[str, Any]:
        """The thresholds on the values of a class, by rule; None where not asked for."""
        return {name: getattr(self, name) for name in THRESHOLDS}
