"""Role proposals against roles set by hand: precision and recall, as the benchmark prints them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import coterie
from tests.advice.tables import Known, tables

WHAT = ("identifiers", "units", "weights", "codes", "dates")


def proposed(known: Known) -> dict[str, set[str]]:
    """What a look takes the columns for; whether a number of respondents is a code, is idle."""
    found = coterie.look(known.data)
    out = known.identifiers | known.units
    whole = [c for c in found.columns if c.kind in ("integer", "float") and c.name not in out]
    return {
        "identifiers": set(found.roles("identifier")),
        "units": set(found.roles("unit")),
        "weights": set(found.roles("weight")),
        "codes": {c.name for c in whole if c.meant == "code"},
        "dates": {c.name for c in found.columns if c.meant in ("date", "datetime")},
    }


def counted(
    known_tables: Iterable[Known],
) -> tuple[dict[str, tuple[int, int, int]], list[str], list[str]]:
    """Right, too many and too few of each kind; every difference in words; what would leak.

    An identifier or unit leaks where it is proposed as neither: it would be released as it is or
    as a key.
    """
    total = {what: [0, 0, 0] for what in WHAT}
    told, missed = [], []
    for known in known_tables:
        made = proposed(known)
        for what in WHAT:
            truth, said = getattr(known, what), made[what]
            total[what][0] += len(truth & said)
            total[what][1] += len(said - truth)
            total[what][2] += len(truth - said)
            told += [f"{known.name}: {n} is no {what[:-1]}" for n in sorted(said - truth)]
            told += [f"{known.name}: {n} is missed as {what[:-1]}" for n in sorted(truth - said)]
        out = made["identifiers"] | made["units"]
        missed += [f"{known.name}: {n}" for n in sorted((known.identifiers | known.units) - out)]
    return {what: (a, b, c) for what, (a, b, c) in total.items()}, told, missed


def printed(found: Mapping[str, tuple[int, int, int]]) -> str:
    """The counts as a table, with precision and recall."""
    lines = [f"{'':12} right  too many  too few  precision  recall"]
    for what, (right, many, few) in found.items():
        precision = 100 * right / max(1, right + many)
        recall = 100 * right / max(1, right + few)
        lines.append(f"{what:12} {right:5} {many:9} {few:8} {precision:8.0f} % {recall:5.0f} %")
    return "\n".join(lines)


if __name__ == "__main__":
    found, differences, missed = counted(tables())
    print(printed(found))
    print("\n".join([*differences, *(f"{name} would be released" for name in missed)]))
