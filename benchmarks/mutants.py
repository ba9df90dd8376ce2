"""Small changes of the source that tests notice or not: the page of what `make mutants` has tried.

    make mutants ROOM=all ARGS=--page

The verdicts are kept in tests/mutants/kept, the changes that nothing can notice with their reasons
in tests/mutants/equivalent.toml.
"""

from __future__ import annotations

from collections import Counter

from benchmarks.measured import Sheet
from tests.mutants.__main__ import KERNELS, every, is_published
from tests.mutants.results import EQUIVALENT, SURVIVING, seconds, verdicts

COLUMNS = {
    "room": "",
    "changes there are": ",",
    "tried": ",",
    "noticed at first": ",",
    "not noticed at first": ",",
    "noticed now": ",",
    "not noticed now": ",",
    "of them the same": ",",
    "left": ",",
}


def counted(room: str, published: bool) -> list[int]:
    """The figures of one row: first and last verdicts."""
    known, same = verdicts(room), EQUIVALENT.get(room, {})
    keys = [
        (file, change.key)
        for file, change in every(room)
        if is_published(room, file, change.owner) == published
    ]
    tried = [key for key in keys if key in known]
    first, last = (Counter(known[key][at] in SURVIVING for key in tried) for at in (0, 1))
    equal = sum(known[key][1] in SURVIVING and key in same for key in tried)
    return [len(keys), len(tried), first[False], first[True], last[False], last[True], equal,
            last[True] - equal]  # fmt: skip


def main() -> None:
    """Make the page."""
    sheet = Sheet(
        "mutants",
        "Changes of the source that tests notice",
        "mutants",
        """One comparison, operator, constant or condition of the source is changed, and the tests
        that reach it run, without reference data: kernels as plain Python, and compiled for a
        change elsewhere that is not noticed so. A change that no test notices is one that could be
        made by mistake. Formulas and constants of publications are those of
        `tests/mutants/published.py`; how many of their changes were tried so far stands beside how
        many there are. A test that never ends has noticed, too. *At first* is before tests were
        written for what had gone unnoticed; *the same* are changes that alter nothing that is
        promised (reasons below and in `tests/mutants/equivalent.toml`).""",
    )
    for title, published in (
        ("Published formulas and constants", True),
        ("Others, most of them steps of published algorithms", False),
    ):
        table = sheet.table(title, COLUMNS)
        rows = [counted(room, published) for room in KERNELS]
        for room, row in zip(KERNELS, rows, strict=True):
            table.add(room, *row)
        table.add("all", *map(sum, zip(*rows, strict=True)))
    table = sheet.table("What it took", {"room": "", "processor seconds": ",.0f"})
    for room in KERNELS:
        table.add(room, seconds(room))
    why = Counter(reason for room in EQUIVALENT.values() for reason in room.values())
    table = sheet.table("Why a change is the same", {"changes": ",", "reason": ""})
    for reason, count in why.most_common():
        table.add(count, reason)
    sheet.keep()


if __name__ == "__main__":
    main()
