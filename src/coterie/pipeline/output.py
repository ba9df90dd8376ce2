"""Output: released parts proven and given their name, as a folder, as one file, or as text.

Parquet is proven as it is read back. A CSV file is written from proven parts and read back field by
field: equal values have equal text, so its classes are those that were proven, or unions of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.errors import DataError
from coterie.pipeline.engines.engine import Run
from coterie.pipeline.engines.workspace import Workspace, check_folder
from coterie.pipeline.ordering import Final
from coterie.pipeline.proof import Proven, Read, prove
from coterie.pipeline.stages import Stages
from coterie.pipeline.work import Work
from coterie.table import atomic
from coterie.table.formats import csv as csv_format
from coterie.table.formats.blocks import blocks
from coterie.table.formats.formulas import unmarked
from coterie.table.parts import PARQUET, Part

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["check_target", "publish", "text_details"]

TEXT = (".csv", ".tsv")


def check_target(target: Path) -> None:
    """Refuse a name that says another format, or that cannot be written."""
    suffix = target.suffix.lower()
    if suffix in (*PARQUET, *TEXT):
        atomic.check_target(target, str(target))
    elif suffix:
        raise DataError(
            f"{target} must be a .parquet or .csv file, or a folder (a name without extension). "
            f"Got {suffix!r}; this engine writes Parquet and CSV only."
        )
    else:
        check_folder(target)


def publish(
    run: Run,
    work: Work,
    target: Path,
    finals: Sequence[Final],
    dialect: Mapping[str, Any],
    folders: Workspace,
    stages: Stages,
) -> tuple[Proven, tuple[str, ...]]:
    """Prove what was written, then give it its name; gives the files as well."""
    ready = work.save("proof")
    records = sum(final.rows for final in finals)
    suffix = target.suffix.lower()
    if suffix in PARQUET:
        with atomic.replacing(target) as temporary:
            _join(finals, temporary, str(target))
            stages.done("write")
            places = [(str(temporary), n) for n in range(len(finals))]
            proven = prove(run, ready, _read(work, finals, places), records)
        return proven, (str(target),)
    proven = prove(run, ready, _read(work, finals, [(f.path, 0) for f in finals]), records)
    if suffix in TEXT:
        details = {**text_details(dialect, target), **work.plan.put_down}
        with atomic.replacing(target) as temporary:
            _write_text(finals, temporary, str(target), details)
            stages.done("write")
            _check_text(finals, temporary, str(target), details)
        return proven, (str(target),)
    folders.publish(target)
    return proven, tuple(str(target / Path(final.path).name) for final in finals)


def _read(work: Work, finals: Sequence[Final], places: Sequence[tuple[str, int]]) -> list[Read]:
    """The written parts, each a row group of a file."""
    schema = work.released
    found = []
    for final, (path, group) in zip(finals, places, strict=True):
        unreleased = () if final.unreleased is None else ((final.unreleased, 0, final.rows),)
        found.append(Read(Part(path, (group,), 0, final.rows), schema, unreleased))
    return found


def _join(finals: Sequence[Final], path: Path, target: str) -> None:
    """All parts in one file, a row group each."""
    import pyarrow.parquet as pq

    try:
        schema = pq.read_schema(finals[0].path)
        with pq.ParquetWriter(path, schema) as writer:
            for final in finals:
                with pq.ParquetFile(final.path) as file:
                    writer.write_table(file.read(), row_group_size=final.rows)
        atomic.sync(path)
    except OSError as error:
        raise atomic.cannot_write(target, error) from error


def text_details(dialect: Mapping[str, Any], target: Path) -> dict[str, Any]:
    """How a text file is written: as the one that was read; nothing for other formats."""
    suffix = target.suffix.lower()
    if suffix not in TEXT:
        return {}
    return dict(dialect) or {"delimiter": "\t" if suffix == ".tsv" else ",", "encoding": "utf-8"}


def _write_text(finals: Sequence[Final], path: Path, target: str, details: dict[str, Any]) -> None:
    """All parts as the records of one text file."""
    import pyarrow.parquet as pq

    try:
        for number, final in enumerate(finals):
            csv_format.write(pq.read_table(final.path), path, details, more=number > 0)
        atomic.sync(path)
    except UnicodeEncodeError as error:
        raise DataError(
            f"{target} cannot be written in {details['encoding']} ({error}). Give an encoding "
            "that holds every text, such as utf-8; nothing was changed."
        ) from None
    except OSError as error:
        raise atomic.cannot_write(target, error) from error


def _check_text(finals: Sequence[Final], path: Path, target: str, details: dict[str, Any]) -> None:
    """Read the file back and compare every field with what was to be written."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    waiting: pa.Table | None = None
    seen = 0
    back = blocks(path, details["delimiter"], details["encoding"])
    for final in finals:
        wanted = csv_format.fields(pq.read_table(final.path), details)
        while waiting is None or waiting.num_rows < wanted.num_rows:
            block = next(back, None)
            if block is None:
                break
            waiting = block if waiting is None else pa.concat_tables([waiting, block])
        found = None if waiting is None else waiting.slice(0, wanted.num_rows)
        same = (
            found is not None
            and found.column_names == wanted.column_names
            and found.num_rows == wanted.num_rows
            and all(
                # A text that had a mark of its own has lost it, as one that was marked has.
                pc.all(pc.equal(pc.fill_null(a, ""), pc.fill_null(unmarked(b), ""))).as_py()
                for a, b in zip(found.columns, wanted.columns, strict=True)
            )
        )
        if not same:
            raise DataError(
                f"{target} cannot hold the table: what was read back from record {seen} on is not "
                "what was written. Choose another format, such as .parquet; nothing was changed."
            )
        assert waiting is not None
        seen += wanted.num_rows
        waiting = waiting.slice(wanted.num_rows)
    if next(back, None) is not None or (waiting is not None and waiting.num_rows):
        raise DataError(f"{target} holds more records than were written; nothing was changed.")
