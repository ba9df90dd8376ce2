"""Recoding: what is done to columns before anything else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from coterie.plan.option import Flag, by_column, option
from coterie.recoding.rule import RULE, check_recoding

__all__ = ["Recodings"]


@dataclass(frozen=True, kw_only=True)
class Recodings:
    """Merged categories, prefixes, bands, rounding, top and bottom codes, by column."""

    recodings: Mapping[str, Mapping[str, Any]] | None = option(
        by_column(RULE, check_recoding),
        "mapping, optional",
        """By column: what is done to its values first (`coterie.recoding`): categories merged,
        codes cut to a prefix, numbers in bands, rounded, top and bottom coded. Loss and truth
        are those beside the table as it was.""",
        Flag(
            ("--recode",),
            "COLUMN=prefix:2, bands:10, round:5, top:90 or top:auto, bottom:18; the last three "
            "also together, as round:5,top:90. Merging needs a settings file.",
            "COLUMN=RULE",
            "recodings",
        ),
        adds=True,
        anywhere=True,
        of_column="recode",
    )
