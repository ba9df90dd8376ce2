"""Roles: what the columns are to the release, k and the keys first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coterie.partitioning.options import integer
from coterie.plan.option import Flag, column, names, option

__all__ = ["Roles", "Task"]


@dataclass(frozen=True)
class Task:
    """The two things that every release is asked with."""

    k: int = option(
        integer(0, 2),
        "int",
        "Every combination of released key values is shared by at least k units.",
        Flag(("-k",), "Least units that share key values.", "INTEGER", "number"),
        anywhere=True,
    )
    quasi_identifiers: Sequence[str] = option(
        names(at_least=1),
        "sequence of str",
        "The keys: what an intruder may know. Grouped and released as centroids.",
        Flag(("-q", "--quasi-identifier"), "A key; repeat for each.", "COLUMN", "names"),
        adds=True,
        anywhere=True,
    )


@dataclass(frozen=True, kw_only=True)
class Roles:
    """What the other columns are."""

    confidential: Sequence[str] = option(
        names(),
        "sequence of str",
        "Released as they are, and watched. A column may be key and confidential.",
        Flag(("--confidential",), "Released as is, watched.", "COLUMN", "names"),
        adds=True,
        anywhere=True,
    )
    identifiers: Sequence[str] = option(
        names(),
        "sequence of str",
        "Dropped. A unit or a weight counts before.",
        Flag(("--drop",), "Identifier: left out.", "COLUMN", "names"),
        adds=True,
        anywhere=True,
    )
    declared: Sequence[str] = option(
        names(),
        "sequence of str",
        "Columns that look like identifiers and are none.",
        Flag(("--declare",), "Looks like an identifier, is none.", "COLUMN", "names"),
        adds=True,
        anywhere=True,
    )
    unit: str | None = option(
        column(),
        "str, optional",
        """Column that tells respondents apart, where one may have several records: every group
        then holds at least k different ones.""",
        Flag(("--unit",), "Tells units apart, if one has several records.", "COLUMN"),
        anywhere=True,
    )
    strata: Sequence[str] = option(
        names(),
        "sequence of str",
        "Columns whose combinations are never mixed in a group; released as they are.",
        Flag(("--strata",), "Never mixed in a group; released as it is.", "COLUMN", "names"),
        adds=True,
        anywhere=True,
    )
    sample_weight: str | None = option(
        column(),
        "str, optional",
        """Column of positive weights for centroids, losses and the risk of a population. Released
        as it is, unless it is named in `identifiers` as well.""",
        Flag(("--weight",), "Column of sample weights.", "COLUMN"),
        anywhere=True,
    )
