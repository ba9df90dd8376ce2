"""Input files, written without coterie: text by the letter, the others by their own libraries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from tests.fuzz import strict_csv
from tests.fuzz.cases import Case
from tests.fuzz.dress import dressed

ABSENT = "LEAK-of-a-label-that-no-record-has"


def write_input(case: Case, path: Path) -> None:
    """The case's table in its format."""
    columns = case["columns"]
    {
        "csv": _csv,
        "parquet": _parquet,
        "feather": _feather,
        "xlsx": _excel,
        "sav": _labeled,
        "dta": _labeled,
    }[case["format"]](case, columns, path)


def _csv(case: Case, columns: list[dict[str, Any]], path: Path) -> None:
    records = strict_csv.records_of(columns, case["rows"])
    dialect = dict(case["dialect"])
    encoding = dialect.pop("encoding", "utf-8")
    path.write_bytes(strict_csv.write(records, **dialect).encode(encoding, "replace"))


def _arrow(columns: list[dict[str, Any]]) -> pa.Table:
    table = dressed("pyarrow", columns)
    for place, known in enumerate(table.schema):
        # What these files cannot hold is not theirs to try.
        if pa.types.is_run_end_encoded(known.type):
            table = table.set_column(
                place, known.name, pa.compute.run_end_decode(table.column(place).chunk(0))
            )
    return table


def _parquet(case: Case, columns: list[dict[str, Any]], path: Path) -> None:
    import pyarrow.parquet as pq

    table = _arrow(columns)
    noted = table.replace_schema_metadata({"note": "SECRET-in-metadata"})
    try:
        pq.write_table(noted, path)
    except (pa.ArrowException, OSError):  # a type that Parquet does not know
        pq.write_table(pa.table({c["name"]: _words(c) for c in columns}), path)


def _feather(case: Case, columns: list[dict[str, Any]], path: Path) -> None:
    import pyarrow.feather as feather

    noted = _arrow(columns).replace_schema_metadata({"note": "SECRET-in-metadata"})
    feather.write_feather(noted, path)


def _excel(case: Case, columns: list[dict[str, Any]], path: Path) -> None:
    import openpyxl
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    book = openpyxl.Workbook()
    sheet = book.active

    def cell(value: Any) -> Any:
        if isinstance(value, float) and not abs(value) < 1e300:
            return None
        if isinstance(value, int) and abs(value) > 2**53:
            return str(value)
        return ILLEGAL_CHARACTERS_RE.sub("?", value) if isinstance(value, str) else value

    for place, column in enumerate(columns):
        for row, value in enumerate([column["name"], *column["values"]]):
            made = sheet.cell(row + 1, place + 1)
            made.value = cell(value)
            if isinstance(made.value, str):
                made.data_type = "s"  # not a formula
    book.save(path)


def _labeled(case: Case, columns: list[dict[str, Any]], path: Path) -> None:
    import pandas as pd
    import pyreadstat

    names = {c["name"]: f"v{place}" for place, c in enumerate(columns)}
    _rename(case, names)
    table = {}
    labels: dict[str, dict[Any, str]] = {}
    for column in case["columns"]:
        values = column["values"]
        if column["kind"] in ("integer", "float", "boolean"):
            numbers = [None if v is None or abs(v) > 1e300 else float(v) for v in values]
            table[column["name"]] = pd.Series(numbers, dtype="float64")
            if case.get("labels") and column["kind"] == "integer":
                labels[column["name"]] = {5.0: "five", 123456.0: ABSENT}
        elif column["kind"] in ("date", "moment"):
            table[column["name"]] = pd.Series(values, dtype="datetime64[us]")
        else:
            words = ["" if v is None else str(v).replace("\0", "")[:200] for v in values]
            table[column["name"]] = pd.Series(words, dtype=object)
    writer = pyreadstat.write_sav if case["format"] == "sav" else pyreadstat.write_dta
    if case["format"] == "dta":
        labels = {name: {int(k): v for k, v in known.items()} for name, known in labels.items()}
    writer(pd.DataFrame(table), str(path), variable_value_labels=labels)


def _rename(case: Case, names: dict[str, str]) -> None:
    """Labeled files know few characters in names: plain ones, in the plan as well."""

    def renamed(value: Any) -> Any:
        if isinstance(value, str):
            return names.get(value, value)
        if isinstance(value, list):
            return [renamed(v) for v in value]
        if isinstance(value, dict):
            return {renamed(k): v for k, v in value.items()}
        return value

    for column in case["columns"]:
        column["name"] = names[column["name"]]
    case["roles"] = renamed({role: list(known) for role, known in case["roles"].items()})
    case["roles"] = {role: renamed(known) for role, known in case["roles"].items()}
    plan = {n: renamed(v) for n, v in case["plan"].items()}
    plan.pop("rules", None)
    plan.pop("broken_rules", None)
    case["plan"] = plan


def _words(column: dict[str, Any]) -> list[str | None]:
    return [None if v is None else ascii(v) for v in column["values"]]
