"""k-anonymity of any table, by whatever tool it was made: counted, not assumed.

A class is a set of records that share all values of the declared keys, strata included, so that
nobody who reads the file can tell them apart by these (`coterie.table.classes`): a missing value is
a value like any other, and "1" and "1.0" are two in a text file. The table is k-anonymous on those
keys if every class has at least k records, or k distinct units where several records may stand for
one unit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.centroids.edits import Check, RuleBroken, check, read_rules
from coterie.errors import CoterieError
from coterie.guarantees.beyond_k import BeyondK, NotAdmissible
from coterie.guarantees.finding import RuleFinding
from coterie.numbers.checks import check_k
from coterie.table.classes import (
    class_codes,
    class_sizes,
    count_classes,
    spelled_apart,
    value_codes,
)
from coterie.table.source import Source

__all__ = ["NotAdmissible", "NotKAnonymous", "Verification", "count", "verified", "verified_table"]

SHOWN = 5  # classes below k that a message counts out; all are in the exception


@dataclass(frozen=True)
class Verification:
    """What was counted.

    Attributes
    ----------
    k : int
        What was asked for.
    achieved : int
        Units in the smallest class.
    records, classes : int
        How many there are.
    keys : tuple of str
        The columns whose combinations were counted.
    unit : str or None
        The column that tells units apart; None if each record is one.
    rules : tuple of Check
        Rules that every record keeps.
    findings : tuple of Finding
        How the classes stand to each further guarantee that was asked for.
    left_out : tuple of str
        What a plan asks for and a released table cannot show, each with its reason.
    other_sets : tuple of Verification
        Where a plan groups sets of keys apart (`attribute_groups`): the sets with larger classes.
    """

    k: int
    achieved: int
    records: int
    classes: int
    keys: tuple[str, ...]
    unit: str | None
    findings: tuple[RuleFinding, ...] = ()
    rules: tuple[Check, ...] = ()
    left_out: tuple[str, ...] = ()
    other_sets: tuple[Verification, ...] = ()

    def __str__(self) -> str:
        what = "units" if self.unit is not None else "records"
        text = (
            f"k-anonymous on {', '.join(self.keys)}: {self.records:,} records in {self.classes:,} "
            f"classes, each of at least {self.achieved} {what} (k = {self.k})"
        )
        kept = [f"{len(self.rules)} rule(s) kept by every record"] if self.rules else []
        return "; ".join(
            [text, *map(str, self.findings), *kept, *map(str, self.other_sets), *self.left_out]
        )


class NotKAnonymous(CoterieError):
    """Some combination of the declared keys is shared by fewer than k units.

    Attributes
    ----------
    k, achieved : int
        What was asked for, and the size of the smallest class.
    keys : tuple of str
        The columns whose combinations were counted.
    violations : list of dict
        Each class below k: its values by column, and ``"units"``. Original values if the table
        holds them: not for publication.
    spelled : tuple of str
        Columns that hold a value in several spellings: these can be told apart.
    """

    is_answer = True

    def __init__(
        self,
        k: int,
        achieved: int,
        keys: Sequence[str],
        violations: list[dict[str, Any]],
        spelled: Sequence[str] = (),
    ):
        self.k = k
        self.achieved = achieved
        self.violations = violations
        self.keys = tuple(keys)
        self.spelled = tuple(spelled)
        sizes = sorted(v["units"] for v in violations)[:SHOWN]
        super().__init__(
            f"Not {k}-anonymous on {', '.join(keys)}: {len(violations)} class(es) have fewer than "
            f"{k} units, the smallest {', '.join(map(str, sizes))}. Protect the table "
            "(coterie anonymize), or ask for a smaller k or for fewer keys."
            + (
                f" Values of {', '.join(spelled)} are spelled in several ways, such as 1 and 1.0 "
                "or NaN and an empty cell, which a reader can tell apart: write each in one way."
                if spelled
                else ""
            )
        )

    @property
    def counts(self) -> dict[str, Any]:
        """What may be told: sizes, none of the values."""
        return {
            "k": self.k,
            "achieved": self.achieved,
            "keys": list(self.keys),
            "classes_below_k": len(self.violations),
            "smallest": sorted(v["units"] for v in self.violations)[:SHOWN],
            "spelled_in_several_ways": list(self.spelled),
        }


def verified(
    k: int, sizes: Mapping[int, int], names: Sequence[str], records: int, unit: str | None
) -> Verification:
    """What the sizes of all classes show, in units; `sizes` counts the classes of each.

    Raises
    ------
    NotKAnonymous
    """
    smallest = min(sizes)
    if smallest < k:
        small = [size for size in sorted(sizes) if size < k for _ in range(sizes[size])]
        raise NotKAnonymous(k, smallest, names, [{"units": size} for size in small])
    return Verification(k, smallest, records, sum(sizes.values()), tuple(names), unit)


def verified_table(
    source: Source,
    k: int,
    names: tuple[str, ...],
    units: NDArray[np.int64] | None,
    unit: str | None,
) -> Verification:
    """What a table of known `units`, those of the column `unit`, shows; raises as `verified`."""
    sizes = Counter(class_sizes(source, names, units).tolist())
    return verified(k, sizes, names, len(source.frame), unit)


def count(
    source: Source,
    k: int,
    keys: tuple[str, ...],
    unit: str | None,
    guarantees: BeyondK,
    rules: Sequence[str],
    missing_codes: Mapping[str, Sequence[Any]] | None,
    *,
    together: bool = False,
) -> Verification:
    """Count the classes on `keys`, and judge what else was guaranteed of them.

    Raises
    ------
    NotKAnonymous, NotAdmissible, RuleBroken
        With the proof, if a class is smaller than k, or misses one of the guarantees, or if a
        record breaks a rule.
    """
    size = check_k(k, len(source.frame), "verify")
    codes = class_codes(source, keys)
    owners = value_codes(source, [unit]) if unit is not None else None
    units = count_classes(codes, owners)
    small = np.flatnonzero(units < size)
    if len(small):
        apart = spelled_apart(source, keys)
        raise NotKAnonymous(
            size,
            int(units.min()),
            keys,
            _violations(source, keys, codes, units, small, apart),
            apart,
        )
    findings = guarantees.constraints(source, owners, together=together).findings(codes, size)
    findings = tuple(one for one in findings if one.rule != "unit")  # counted above
    NotAdmissible.unless_kept(findings)
    checks = check(source, read_rules(rules, list(source.frame.columns)), missing_codes)
    if any(one.broken for one in checks):
        raise RuleBroken(checks)
    return Verification(
        size, int(units.min()), len(codes), len(units), keys, unit, findings, checks
    )


def _violations(
    source: Source,
    keys: Sequence[str],
    codes: NDArray[np.int64],
    units: NDArray[np.int64],
    small: NDArray[np.int64],
    apart: Sequence[str],
) -> list[dict[str, Any]]:
    first = np.zeros(len(units), dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    rows: list[Mapping[str, Any]] = (
        source.frame[first[small].tolist()].select(list(keys)).rows(named=True)
    )
    found = [{**row, "units": int(units[c])} for row, c in zip(rows, small, strict=True)]
    for name in apart:
        for one, at in zip(found, first[small].tolist(), strict=True):
            if name in source.spelled:
                one[name] = source.spelled[name][at].as_py()
    return found
