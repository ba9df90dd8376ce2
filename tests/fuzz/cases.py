"""Cases: what is tried, as plain data that can be written down, read again and made smaller.

A case is a dict: its kind, the table (columns with names, kinds, dtypes and values), the plan, and
what the kind needs beside that. `KINDS` says how often each kind is tried.
"""

from __future__ import annotations

import datetime
import math
import uuid
from decimal import Decimal
from pathlib import Path
from typing import Any

from tests.fuzz import plans, strict_csv
from tests.fuzz.chooser import Chooser
from tests.fuzz.dress import LIBRARIES

Case = dict[str, Any]

FORMATS = ["csv", "parquet", "feather", "xlsx", "sav", "dta"]
SIMPLE = ["integer", "float", "text", "boolean", "date", "moment"]  # what any format can hold
ARROW_ONLY = ["decimal", "duration", "clock", "blob", "list", "struct"]
DIALECTS = {
    "delimiter": [",", ";", "\t", "|"],
    "line": ["\n", "\r\n", "\r"],
    "encoding": ["utf-8", "utf-8-sig", "utf-16", "cp1252"],
    "quote_all": [False, True],
    "last_line": [True, False],
}


def memory(choose: Chooser) -> Case:
    """A table of a library through `coterie.anonymize`."""
    library = choose.one(list(LIBRARIES))
    made = plans.table(choose, library)
    return {"library": library, **made, "plan": plans.asked(choose, made)}


def hang(choose: Chooser) -> Case:
    """More records of one or two keys with units: what once made repairs endless."""
    made = plans.table(choose, "pyarrow", most=20, kinds=["float", "integer", "text"])
    n = choose.integer(30, 120)
    form = choose.integer(0, 2)
    if form == 0:
        cities = [2.17, 13.38, -3.7]
        values: list[Any] = [choose.one(cities) + choose.real(-1e-6, 1e-6) for _ in range(n)]
    elif form == 1:
        values = [choose.one([0.0, 0.0, 1e6 + choose.real(0, 1)]) for _ in range(n)]
    else:
        values = [float(choose.integer(-(10**6), 10**6)) for _ in range(n)]
    columns = [{"name": "a", "kind": "float", "dtype": "double", "values": values}]
    roles: dict[str, list[str]] = {**{role: [] for role in plans.ROLES}, "key": ["a"]}
    if choose.chance(70):
        units = [choose.integer(1, max(8, n // 3)) for _ in range(n)]
        columns.append({"name": "u", "kind": "integer", "dtype": "int64", "values": units})
        roles["unit"] = ["u"]
    made = {"columns": columns, "roles": roles, "rows": n}
    plan = plans.asked(choose, made)
    plan["method"] = choose.one([*plans.FAST, *plans.PATHS, "ls", "lsc", "ilsm", "ilsmc"])
    plan.pop("time_limit", None)
    return {"library": "pyarrow", **made, "plan": plan}


def file(choose: Chooser) -> Case:
    """A file, by path through `coterie.anonymize` and `Release.write`, or by the command."""
    source = choose.one(FORMATS)
    target = choose.one([source, source, *FORMATS])
    kinds = [*SIMPLE, *ARROW_ONLY] if source in ("parquet", "feather") else SIMPLE
    made = plans.table(choose, "pyarrow", kinds=kinds)
    case: Case = {
        "format": source,
        "target": target,
        **made,
        "plan": plans.asked(choose, made),
        "by_command": choose.chance(50),
        "settings": choose.chance(50),
        "dialect": {name: options[0] for name, options in DIALECTS.items()},
    }
    if source == "csv" and choose.chance(60):
        case["dialect"] = {name: choose.one(options) for name, options in DIALECTS.items()}
    if source in ("sav", "dta"):
        case["labels"] = choose.chance(50)
    if choose.chance(20):
        case["old"] = True  # a file of the target's name is there already
    return case


def text(choose: Chooser) -> Case:
    """A CSV file with something wrong in it: it must be refused, or harmless."""
    made = plans.table(choose, "pyarrow", kinds=SIMPLE)
    records = strict_csv.records_of(made["columns"], made["rows"])
    dialect = {name: choose.one(options) for name, options in DIALECTS.items()}
    encoding = dialect.pop("encoding")
    written = strict_csv.write(records, **dialect)
    for _ in range(choose.integer(1, 2)):
        at = choose.integer(0, len(written))
        what = choose.one(
            [
                '"',
                '""',
                '"5 ft',
                'x"',
                dialect["delimiter"],
                dialect["line"],
                "\0",
                "'",
                " ",
                "\ufeff",
            ]
        )
        form = choose.integer(0, 3)
        if form == 0:
            written = written[:at] + what + written[at:]
        elif form == 1:  # at the beginning of a field
            places = [i + 1 for i, c in enumerate(written) if c == dialect["delimiter"]]
            at = choose.one(places) if places else at
            written = written[:at] + what + written[at:]
        elif form == 2:
            written = written[:at]
        else:
            written = written[:at] + written[at + 1 :]
    return {
        "content": written.encode(encoding, "replace"),
        "delimiter": dialect["delimiter"],
        **made,
        "columns": [{**c, "values": []} for c in made["columns"]],
        "plan": plans.asked(choose, made),
    }


def tiles(choose: Chooser) -> Case:
    """A Parquet or CSV file through `coterie.distributed.anonymize` in tiles."""
    source = "csv" if choose.chance(30) else "parquet"
    kinds = SIMPLE if source == "csv" else [*SIMPLE, *ARROW_ONLY]
    made = plans.table(choose, "pyarrow", most=choose.one([40, 350]), kinds=kinds)
    plan = plans.asked(choose, made, engine="tiles")
    plan.pop("time_limit", None)  # a tile has none
    return {"format": source, **made, "plan": plan, "tile": choose.one([100, 1000])}


def verify(choose: Chooser) -> Case:
    """A table or CSV file as it is: `coterie.verify` must count as a reader does."""
    library = choose.one([*LIBRARIES, "csv"])
    kinds = SIMPLE if library == "csv" else None
    made = plans.table(choose, "pyarrow" if library == "csv" else library, most=12, kinds=kinds)
    for column in made["columns"]:
        few = column["values"][: choose.integer(1, 3)]
        if library == "csv" and choose.chance(40):
            few = choose.one(SPELLINGS)
            column.update(kind="text", dtype="string")
        column["values"] = [choose.one(few) for _ in range(made["rows"])]
    return {"library": library, **made, "k": choose.integer(2, 3)}


# Texts that a reader can tell apart and a program may take for one value.
SPELLINGS = [
    ["1", "1.0"],
    ["1", "1.00", "1e0"],
    ["1", " 1"],
    ["0", "-0"],
    ["", "nan"],
    ["2020-01-01T00:00:00Z", "2020-01-01T00:00:00+00:00"],
    ["2020-01-01", "2020-01-01T00:00:00"],
    ["true", "True"],
    ["é", "e\u0301"],
]


def order(choose: Chooser) -> Case:
    """Records alike in all keys, with other columns of any kind, twice: the second time shuffled.

    What is released must not depend on the order of the records.
    """
    library = choose.one(list(LIBRARIES))
    made = plans.table(choose, library, most=12)
    keys = made["roles"]["key"]
    n = made["rows"]
    for column in made["columns"]:
        if column["name"] in keys:
            column.update(kind="integer", dtype="int64" if library != "polars" else "Int64")
            column["values"] = [5] * n
    left = list(range(n))
    shuffled = [left.pop(choose.integer(0, len(left) - 1)) for _ in range(n)]
    released = {role: names for role, names in made["roles"].items() if role not in ("unit",)}
    plan = {
        "k": 2,
        "quasi_identifiers": keys,
        "identifiers": [*made["roles"]["identifier"], *made["roles"]["unit"]],
        "declared": [name for names in released.values() for name in names],
        "method": "mdav",
        "random_state": 0,
    }
    return {"library": library, **made, "plan": plan, "shuffled": shuffled}


def panel(choose: Chooser) -> Case:
    """The same records released twice, the second time beside the first."""
    case = memory(choose)
    second = plans.asked(choose, case)
    for name in ("attribute_groups", "small_strata"):
        case["plan"].pop(name, None)
        second.pop(name, None)
    if choose.chance(50):
        second["small_strata"] = "drop"
    if case["roles"]["tag"] and choose.chance(50):
        second["match"] = case["roles"]["tag"][0]
    if choose.chance(30):
        second["departed"] = choose.one(["drop", "tell"])
    return {**case, "second": second}


def report(choose: Chooser) -> Case:
    """A release and its public report."""
    case = memory(choose)
    case["plan"]["method"] = "mdav"
    return {**case, "extension": choose.one([".json", ".json", ".html"])}


def look(choose: Chooser) -> Case:
    """A table that is looked at before anything is protected."""
    library = choose.one(list(LIBRARIES))
    return {"library": library, **plans.table(choose, library), "k": choose.integer(2, 9)}


# How often each kind is tried, of a hundred; the seconds that one takes are in `make fuzz`'s table.
KINDS = {
    memory: 60,
    hang: 4,
    file: 16,
    text: 5,
    tiles: 2,
    verify: 5,
    order: 3,
    panel: 2,
    report: 1,
    look: 2,
}
NAMED = {kind.__name__: kind for kind in KINDS}


def generate(seed: str, kinds: list[str] | None = None) -> Case:
    """The case of a seed; of some kinds only if they are given."""
    choose = Chooser(seed)
    chosen = [kind for kind in KINDS if kinds is None or kind.__name__ in kinds]
    drawn = choose.integer(1, sum(KINDS[kind] for kind in chosen))
    for kind in chosen:
        drawn -= KINDS[kind]
        if drawn <= 0:
            return {"kind": kind.__name__, "seed": seed, **kind(choose)}
    raise AssertionError("the shares add up")


def save(case: Case, path: Path, findings: list[str]) -> None:
    """Write a case as text, with what was found as comments."""
    lines = [f"# {line}" for finding in findings for line in finding.splitlines()]
    lines += ["# Run it again: make fuzz CASE=" + path.name, "{"]
    for name, value in case.items():
        if name == "columns":
            lines.append('    "columns": [')
            lines += [f"        {column!a}," for column in value]
            lines.append("    ],")
        else:
            lines.append(f"    {name!r}: {value!a},")
    path.write_text("\n".join([*lines, "}", ""]), encoding="utf-8")


def load(path: Path) -> Case:
    """A case from its file."""
    return read(path.read_text(encoding="utf-8"))


def read(text: str) -> Case:
    """A case from its text: one expression of plain values."""
    known = {
        "nan": math.nan,
        "inf": math.inf,
        "Decimal": Decimal,
        "datetime": datetime,
        "UUID": uuid.UUID,
        "__builtins__": {"set": set},
    }
    case: Case = eval(text, known)
    return case
