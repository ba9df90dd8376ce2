"""Cases run through coterie's public entry points; what comes out goes to the checker.

An attempt ends as "released" (or what its kind calls success), "refused" in one line, or with
findings. Every exception other than `CoterieError` is one, and so is a warning of NumPy's about
numbers.
"""

from __future__ import annotations

import contextlib
import json
import tempfile
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import coterie
from tests.fuzz import checker, grid, strict_csv
from tests.fuzz.asked import Asked, Finding
from tests.fuzz.cases import Case
from tests.fuzz.command import Refused, command
from tests.fuzz.dress import SEVERAL, dressed
from tests.fuzz.files import write_input
from tests.fuzz.plans import SECRET
from tests.fuzz.written import (
    OLD,
    formulas,
    in_cells,
    in_text,
    labeled,
    leftovers,
    nothing,
    raw,
    unmarked,
    without_empty,
)


@dataclass
class Attempt:
    """How a case ended.

    Attributes
    ----------
    outcome : str
        "released", "refused", "verified", "found"
    what : str
        Library or format.
    findings : list of Finding
        What must not be.
    message : str
        The line by which it was refused.
    """

    outcome: str
    what: str
    findings: list[Finding] = field(default_factory=list)
    message: str = ""


def attempt(case: Case) -> Attempt:
    """Run a case; never raises but for Ctrl-C."""
    run: Callable[[Case, Path], list[Finding]] = RUNS[case["kind"]]
    what = case.get("library") or case.get("format") or "csv"
    if case["kind"] == "file":
        what = f"{case['format']} to {case['target']}"
    try:
        with (
            warnings.catch_warnings(),
            tempfile.TemporaryDirectory(prefix="coterie-fuzz-") as folder,
        ):
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", RuntimeWarning)
            found = run(case, Path(folder))
    except Refused as error:
        return Attempt("refused", what, _one_line(str(error)), str(error))
    except coterie.CoterieError as error:
        return Attempt("refused", what, _one_line(str(error)), str(error))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # polars panics with one that is no Exception
        return Attempt("found", what, [_crash(error)])
    return Attempt("found" if found else "released", what, found)


def _one_line(text: str) -> list[Finding]:
    if len(text.splitlines()) != 1:
        return [Finding("message", f"of {len(text.splitlines())} lines: {text!r}")]
    return []


def _crash(error: BaseException) -> Finding:
    """An exception, with the last line of coterie's own that it came through."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if "/coterie/" in f.filename.replace("\\", "/")]
    place = f"{own[-1].filename.rpartition('/coterie/')[2]}:{own[-1].lineno}" if own else "outside"
    text = " ".join(str(error).split())[:200]
    return Finding("crash", f"{type(error).__name__} at {place}: {text}")


def memory(case: Case, folder: Path) -> list[Finding]:
    """A table of a library through `coterie.anonymize`."""
    table = dressed(case["library"], case["columns"])
    before = grid.of_table(table)
    release = coterie.anonymize(table, **case["plan"])
    asked, data = Asked.of(case), release.data
    after = grid.of_table(data)
    found = checker.check(asked, before, after)
    if type(data) is not type(table):
        found.append(Finding("type", f"{type(table)} became {type(data)}"))
    if grid.of_table(table).tokens != before.tokens:
        found.append(Finding("input", "the caller's table was changed"))
    return found + _evidence(release) + _verified(asked, data, after)


def _evidence(release: Any) -> list[Finding]:
    found = []
    for kind in ("public", "internal"):
        text = release.evidence.json(kind)
        if SECRET in text:
            found.append(Finding("identifier", f"in the {kind} evidence"))
        try:
            json.loads(text, parse_constant=_no_constant)
        except ValueError as error:
            found.append(Finding("evidence", f"{kind} is no JSON: {error}"))
    return found


def _no_constant(text: str) -> None:
    raise ValueError(f"it holds {text}")


def _verified(asked: Asked, data: Any, after: grid.Grid) -> list[Finding]:
    """`coterie.verify` says of the release what the checker counts."""
    if len(asked.key_sets) > 1:
        return []
    try:
        counted = coterie.verify(data, asked.k, asked.keys, strata=asked.strata)
    except coterie.CoterieError as error:
        return [Finding("verify", f"refuses the release: {error}")]
    if counted.achieved != checker.smallest(after, asked.key_sets[0]):
        return [Finding("verify", f"counts {counted.achieved}")]
    return []


def file(case: Case, folder: Path) -> list[Finding]:
    """A file through the API or the command; the target is read with other libraries."""
    source = folder / f"in.{case['format']}"
    target = folder / "out" / f"out.{case['target']}"
    target.parent.mkdir()
    write_input(case, source)
    delimiter = case["dialect"]["delimiter"]
    before = grid.of_file(source, delimiter)
    if case.get("old"):
        target.write_text(OLD)
    try:
        if case["by_command"]:
            command(case["plan"], source, target, settings=case["settings"])
        else:
            coterie.anonymize(source, **case["plan"]).write(target)
    except (Refused, coterie.CoterieError):
        nothing(case, target)
        raise
    found = leftovers(target)
    if case["target"] == "csv":
        delimiter = delimiter if case["format"] == "csv" and delimiter != "\t" else ","
        found += formulas(target.read_bytes(), delimiter)
        before = in_text(before, case["columns"])
    after = unmarked(grid.of_file(target, delimiter))
    if case["format"] in ("sav", "dta"):
        before = without_empty(before)
    if case["target"] in ("sav", "dta"):
        before = labeled(before, after)
    if case["target"] == "xlsx":
        before, after = in_cells(before), in_cells(after)
    if before.names != [column["name"] for column in case["columns"]]:
        return found  # the format has changed a name: the plan would mean other columns
    return found + checker.check(Asked.of(case), before, after) + raw(target)


def text(case: Case, folder: Path) -> list[Finding]:
    """A spoiled text file: refused, or read as a careful reader reads it."""
    source, target = folder / "in.csv", folder / "out.csv"
    source.write_bytes(case["content"])
    read_as = _by_some_delimiter(case["content"], case["delimiter"])
    coterie.anonymize(source, **case["plan"]).write(target)
    content = target.read_bytes()
    written = strict_csv.sniff(content)
    delimiter = case["delimiter"] if case["delimiter"] != "\t" else ","
    hidden = case["plan"].get("identifiers") or ()
    if hidden and SECRET in written:
        return [Finding("identifier", "of a spoiled text file is released")]
    if read_as is None:
        return [Finding("strict", "a text that is no table was released")]
    released = _by_some_delimiter(content, delimiter)
    if released is None:
        return [Finding("strict", "what was released is no table")]
    return checker.check(Asked.of(case), read_as, unmarked(released))


def _by_some_delimiter(content: bytes, likely: str) -> grid.Grid | None:
    """A text as a table, None if it is none: text of one column may have any delimiter in it."""
    for delimiter in (likely, ",", ";", "\t", "|"):
        with contextlib.suppress(strict_csv.Malformed, UnicodeError):
            return grid.of_csv(content, delimiter)
    return None


def tiles(case: Case, folder: Path) -> list[Finding]:
    """Tiles of a file."""
    source, target = folder / f"in.{case['format']}", folder / "out" / "out.parquet"
    target.parent.mkdir()
    write_input({**case, "dialect": {}}, source)
    before = grid.of_file(source)
    try:
        coterie.distributed.anonymize(
            source, target, engine="tiles", tile=case["tile"], **case["plan"]
        )
    except coterie.CoterieError:
        nothing(case, target)
        raise
    return (
        leftovers(target)
        + checker.check(Asked.of(case), before, grid.of_file(target))
        + raw(target)
    )


def verify(case: Case, folder: Path) -> list[Finding]:
    """What `coterie.verify` counts is what a reader counts."""
    keys = [*case["roles"]["key"], *case["roles"]["stratum"]]
    if case["library"] == "csv":
        table: Any = folder / "in.csv"
        write_input({**case, "format": "csv", "dialect": {}}, table)
        seen = grid.of_file(table)
        if set(keys) - set(seen.names):
            return []
    else:
        if any(c["name"] in keys and c["dtype"].startswith(SEVERAL) for c in case["columns"]):
            return []  # what is verified is the table as a file has it
        table = dressed(case["library"], case["columns"])
        seen = grid.of_table(table)
    least = checker.smallest(seen, keys)
    k = case["k"]
    try:
        counted = coterie.verify(table, k, keys).achieved
    except coterie.NotKAnonymous as error:
        counted = error.achieved
    return [] if counted == least else [Finding("verify", f"counts {counted}, a reader {least}")]


def order(case: Case, folder: Path) -> list[Finding]:
    """The same release for any order of the records."""
    made = []
    for rows in (range(case["rows"]), case["shuffled"]):
        columns = [
            {**c, "values": [c["values"][row] for row in rows], "places": list(rows)}
            for c in case["columns"]
        ]
        release = coterie.anonymize(dressed(case["library"], columns), **case["plan"])
        made.append(grid.of_table(release.data))
    if made[0].tokens != made[1].tokens:
        names = [name for name in made[0].names if made[0].tokens[name] != made[1].tokens[name]]
        return [Finding("order", f"of the records shows in {names}")]
    # A scale is declared here by its records, in their order.
    scales = {c["name"] for c in case["columns"] if "ordered" in c["dtype"]}
    one, other = ({n: g.listed[n] for n in g.listed if n not in scales} for g in made)
    if one != other:
        names = [name for name in one if one[name] != other.get(name)]
        return [Finding("order", f"of the records shows in the categories of {names}")]
    return []


def panel(case: Case, folder: Path) -> list[Finding]:
    """Two releases of a table: who has both finds every record among k units."""
    table = dressed(case["library"], case["columns"])
    before = grid.of_table(table)
    first = coterie.anonymize(table, **case["plan"])
    second = coterie.anonymize(table, **{**case["second"], "previous": first})
    found = checker.check(Asked.of(case, case["second"]), before, grid.of_table(second.data))
    asked = [Asked.of(case), Asked.of(case, case["second"])]
    cells: dict[int, list[Any]] = {}
    for one, release in zip(asked, (first, second), strict=True):
        seen = grid.of_table(release.data)
        rows = checker.aligned(one, before, seen)
        if not isinstance(rows, list):
            return found
        keys = zip(*(seen.tokens[name] for name in one.key_sets[0]), strict=True)
        for row, cell in zip(rows, keys, strict=True):
            cells.setdefault(row, []).append((one is asked[1], cell))
    alike: dict[Any, set[Any]] = {}
    for row, parts in cells.items():
        unit = case["plan"].get("unit")
        alike.setdefault(tuple(parts), set()).add(before.tokens[unit][row] if unit else row)
    both = [len(units) for parts, units in alike.items() if len(parts) == 2]
    least = min(case["plan"]["k"], case["second"]["k"])
    if both and min(both) < least and case["second"].get("departed") != "tell":
        found.append(Finding("panel", f"{min(both)} units share a cell of both releases"))
    return found


def report(case: Case, folder: Path) -> list[Finding]:
    """A public report holds no identifier."""
    release = coterie.anonymize(dressed(case["library"], case["columns"]), **case["plan"])
    target = folder / f"report{case['extension']}"
    release.report(target, kind="public")
    written = target.read_text(encoding="utf-8")
    if case["extension"] == ".json":
        json.loads(written, parse_constant=_no_constant)
    return [Finding("identifier", "in the public report")] if SECRET in written else []


def look(case: Case, folder: Path) -> list[Finding]:
    """What a table is: told without a value that fewer than k records have."""
    seen = coterie.look(dressed(case["library"], case["columns"]), k=case["k"])
    told = {"json": seen.json(), "html": seen.html()}
    json.loads(told["json"], parse_constant=_no_constant)
    return [Finding("identifier", f"in {kind}") for kind, text in told.items() if SECRET in text]


RUNS = {
    "memory": memory,
    "hang": memory,
    "file": file,
    "text": text,
    "tiles": tiles,
    "verify": verify,
    "order": order,
    "panel": panel,
    "report": report,
    "look": look,
}
