"""k-anonymity of any table or file, by whatever tool it was made: counted, not assumed.

A class is a set of records that share all values of the declared keys, strata included, so that
nobody who reads the file can tell them apart by these (`coterie.classes`): a missing value is a
value like any other, and "1" and "1.0" are two in a text file. The table is k-anonymous on those
keys if every class has at least k records, or k distinct units where several records may stand for
one unit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coterie.checks import check_k
from coterie.classes import class_codes, count_classes, spelled_apart, value_codes
from coterie.edits import Check, RuleBroken, check, read_rules
from coterie.errors import CoterieError, bad_parameter, unknown_name
from coterie.partitioning.constraints import Finding
from coterie.promises import OF_VALUES, NotAdmissible, Promises
from coterie.table.read import read
from coterie.table.source import Source

__all__ = ["NotAdmissible", "NotKAnonymous", "Verification", "verify"]

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
        How the classes stand to each further promise that was asked for.
    """

    k: int
    achieved: int
    records: int
    classes: int
    keys: tuple[str, ...]
    unit: str | None
    findings: tuple[Finding, ...] = ()
    rules: tuple[Check, ...] = ()

    def __str__(self) -> str:
        what = "units" if self.unit else "records"
        text = (
            f"k-anonymous on {', '.join(self.keys)}: {self.records:,} records in {self.classes:,} "
            f"classes, each of at least {self.achieved} {what} (k = {self.k})"
        )
        kept = [f"{len(self.rules)} rule(s) kept by every record"] if self.rules else []
        return "; ".join([text, *map(str, self.findings), *kept])


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
            f"{k} units, the smallest {', '.join(map(str, sizes))}. Protect the table with a "
            "smaller set of keys or a larger k, or merge those classes."
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


def verify(
    table: Any,
    k: int,
    quasi_identifiers: Sequence[str],
    *,
    strata: Sequence[str] = (),
    unit: str | None = None,
    rules: Sequence[str] = (),
    missing_codes: Mapping[str, Sequence[Any]] | None = None,
    confidential: Sequence[str] = (),
    min_distinct: int | Mapping[str, int] | None = None,
    max_share: float | Mapping[str, float] | None = None,
    entropy_l: float | Mapping[str, float] | None = None,
    t_closeness: float | Mapping[str, float] | None = None,
    p_percent: Mapping[str, float] | None = None,
    dominance: Mapping[str, tuple[int, float]] | None = None,
) -> Verification:
    """Count the classes of a table or file and prove that each has at least `k` units.

    Parameters
    ----------
    table : path, or pandas, polars or pyarrow table
        The release to judge, made by any tool.
    k : int
        Least number of units in a class.
    quasi_identifiers : sequence of str
        The keys: columns that an intruder may know.
    strata : sequence of str
        Columns that were released as they are and count as keys too.
    unit : str, optional
        Column that tells units apart, where one unit may have several records.
    rules : sequence of str
        What every record must keep, such as ``"total == a + b"``.
    missing_codes : mapping of column to values, optional
        Values that mean missing: rules do not apply to them.
    confidential : sequence of str
        Columns whose values in a class must not be too much alike, as the next four say.
    min_distinct, max_share, entropy_l, t_closeness : number, or mapping of column to number
        Least different values, largest share of one, least exp(entropy), and largest distance of
        the class from the whole table: by ranks for numbers and dates, else with equal distances.
    p_percent, dominance : mapping of column to number, or to (count, percent)
        Amounts in the file that no unit may dominate in a class. Not of keys: a released key no
        longer tells what each unit added.

    Raises
    ------
    NotKAnonymous
        If a class is smaller; its ``violations`` hold the proof.
    RuleBroken
        If a record breaks a rule.
    NotAdmissible
        If a class misses another of the promises; its ``findings`` say which.

    Examples
    --------
    >>> import pandas as pd
    >>> import coterie
    >>> released = pd.DataFrame({"age": [34, 34, 51, 51], "sex": ["f", "f", "m", "m"]})
    >>> coterie.verify(released, k=2, quasi_identifiers=["age", "sex"]).achieved
    2
    >>> coterie.verify(released, k=3, quasi_identifiers=["age"])
    Traceback (most recent call last):
        ...
    coterie.verification.NotKAnonymous: Not 3-anonymous on age: 2 class(es) have ...
    """
    source = table if isinstance(table, Source) else read(table, spelled=True)
    if isinstance(quasi_identifiers, str) or not quasi_identifiers:
        rule = "a sequence of at least one column name"
        raise bad_parameter("quasi_identifiers", "verify", rule, quasi_identifiers)
    keys = tuple(dict.fromkeys([*quasi_identifiers, *strata]))
    columns = list(source.frame.columns)
    for name in (*keys, *([unit] if unit is not None else [])):
        if name not in columns:
            raise unknown_name("column", name, columns)
    if isinstance(confidential, str):
        raise bad_parameter("confidential", "verify", "a sequence of column names", confidential)
    for name in confidential:
        if name not in columns:
            raise unknown_name("column", name, columns)
    source.refuse_odd([*keys, *([unit] if unit is not None else []), *confidential])
    promises = Promises.of(
        "verify",
        source,
        keys,
        confidential,
        min_distinct=min_distinct,
        max_share=max_share,
        entropy_l=entropy_l,
        t_closeness=t_closeness,
        p_percent=p_percent,
        dominance=dominance,
    )
    if confidential and not any(rule in promises.asked for rule in OF_VALUES):
        raise bad_parameter(
            "confidential",
            "verify",
            "given with one of " + ", ".join(OF_VALUES),
            list(confidential),
            "Say what to promise, or leave it out.",
        )
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
    findings = promises.constraints(source, owners).findings(codes, size)
    findings = tuple(one for one in findings if one.rule != "unit")  # counted above
    NotAdmissible.unless_kept(findings)
    checks = check(source, read_rules(rules, columns), missing_codes)
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
