"""``coterie evaluate``: how risky and how useful a release is, by any tool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from coterie.cli.asked import arguments, number_or_text, refuse, takes
from coterie.cli.options import AS_USUAL, Config, Json, Reading
from coterie.cli.progress import bar
from coterie.cli.reports import Report, check_report, write_report
from coterie.cli.streams import check_text, distinct_paths, write_text
from coterie.errors import DataError, ParameterError, unknown_name
from coterie.plan.columns import Columns
from coterie.plan.option import of
from coterie.plan.roles import Roles
from coterie.report.plain import to_json

if TYPE_CHECKING:
    from coterie.evaluation import Evaluation

__all__ = ["command"]


# What a plan says of the columns, and the column by which rows are matched.
JUDGED = (
    *("quasi_identifiers", "confidential", "strata", "unit", "sample_weight"),
    *("types", "orders", "missing_codes", "attribute_weights", "match", "analyses"),
    *("hierarchies", "releases", "steps"),
)


@takes(*JUDGED)
def command(
    original: Annotated[str, typer.Argument(metavar="ORIGINAL", help="The table before.")],
    released: Annotated[str, typer.Argument(metavar="RELEASED", help="The table after.")],
    asked: Any,
    aligned: Annotated[
        bool, typer.Option(help="Your word that row i is the same record in both files.")
    ] = False,
    crosswalk: Annotated[
        str | None,
        typer.Option(metavar="CSV", help="What `anonymize --crosswalk` wrote: aligns the rows."),
    ] = None,
    measure: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this one; repeat for more.")
    ] = None,
    known: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="A key that the intruder knows; all by default."),
    ] = None,
    control: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Records that were not released: attacks compare."),
    ] = None,
    attempts: Annotated[
        str | None, typer.Option(metavar="INTEGER", help="Trials of each attack; 2000.")
    ] = None,
    riskiest: Annotated[
        str | None,
        typer.Option(metavar="CSV", help="Internal: every record, from the riskiest on."),
    ] = None,
    report: Report = None,
    config: Config = None,
    reading: Reading = AS_USUAL,
    json: Json = False,
) -> None:
    """Judge a release; measures that compare rows need --aligned, --match or --crosswalk."""
    from coterie.evaluation import evaluate
    from coterie.evaluation.declared import declared_columns
    from coterie.table.formats import FORMATS
    from coterie.table.infer import infer
    from coterie.table.read import read

    match = asked.pop("match", None)
    if sum((aligned, match is not None, crosswalk is not None)) > 1:
        raise ParameterError("evaluate must be given one of --aligned, --match and --crosswalk.")
    check_report(report)
    check_text("--riskiest", riskiest)
    read_from = {"ORIGINAL": original, "RELEASED": released, "--crosswalk": crosswalk}
    for name, path in {**read_from, "--control": control}.items():
        distinct_paths(
            {name: path, "--report": report, "--riskiest": riskiest},
            written=("--report", "--riskiest"),
        )
    wanted, problems = arguments(config, asked)
    refuse(problems)
    files = (original, released)
    given = {**reading.options, "line_breaks": reading.line_breaks or None}
    sources = [
        read(path, format=reading.file_format, **_options_of(path, given, files, FORMATS))
        for path in files
    ]
    before, after = (source.frame for source in sources)
    shared = [name for name in before.columns if name in after.columns]
    others = {*wanted.get("confidential", ()), *wanted.get("strata", ()), match}
    others |= {wanted.get("unit"), wanted.get("sample_weight")}
    wanted.setdefault("quasi_identifiers", [name for name in shared if name not in others])
    for name in (*wanted["quasi_identifiers"], *wanted.get("confidential", ())):
        if name not in shared:
            raise ParameterError(f"Column {name!r} must be in both files. Got it in one or none.")
    # The columns are what they were to `anonymize`: read off the whole original.
    described = [*of(Roles), *of(Columns), "quasi_identifiers"]
    schema = infer(sources[0], **{n: wanted[n] for n in described if n in wanted})
    if crosswalk is not None:
        rows = _rows(read(crosswalk).frame, len(before), len(after), original, released)
        before, aligned = before[rows], True
    wanted_analyses = tuple(wanted.get("analyses", ()))
    looked = declared_columns(schema, _readable(wanted_analyses))
    looked = [*dict.fromkeys([*looked, *([match] if match is not None else [])])]
    for name in looked:
        if name not in before.columns:
            raise unknown_name("column", name, before.columns)
    options: dict[str, Any] = {"measures": measure} if measure else {}
    options["analyses"] = wanted_analyses
    if known:
        options["known"] = known
    if attempts is not None:
        options["attempts"] = number_or_text(attempts)
    if control is not None:
        held_out = read(control, line_breaks=reading.line_breaks).frame
        options["control"] = held_out.select(
            [n for n in looked if n in held_out.columns]
        ).to_native()
    if riskiest is not None and not (aligned or match is not None):
        raise ParameterError(
            "--riskiest names records one by one. Got no way to align the rows; give --aligned, "
            "--match or --crosswalk."
        )
    there = [name for name in looked if name in after.columns]
    compared: dict[str, Any] = {
        "original": before.select(looked).to_native(),
        "released": after.select(there).to_native(),
        "aligned": aligned,
        "match": match,
        "schema": schema,
    }
    with bar(json) as callback:
        found = evaluate(**compared, **options, callback=callback)
    if measure and not len(found):
        raise ParameterError(
            f"No measure could be taken: {'; '.join(f'{n}: {w}' for n, w in found.refused.items())}"
        )
    if riskiest is not None:
        from coterie.evaluation.riskiest import by_record

        listed = by_record(**compared)
        if crosswalk is not None:  # by their rows in the file, not in the release
            listed["original_row"] = [rows[row] for row in listed["original_row"]]
        write_text(riskiest, listed.to_csv(index=False))
    if report:
        from coterie.report import judged_summary

        whole, cut = (
            replace(source, frame=frame)
            for source, frame in zip(sources, (before, after), strict=True)
        )
        keys, watched = schema.keys, schema.confidential
        matched = aligned or match is not None
        write_report(
            lambda: judged_summary(whole, cut, keys, watched, found, matched, schema), report
        )
    typer.echo(_as_json(found) if json else repr(found))


def _as_json(found: Evaluation) -> str:
    scores = {
        name: {
            "value": score.value,
            "kind": score.kind,
            "title": score.title,
            "direction": score.direction,
            "by_column": score.by_column,
            "parts": score.parts,
            "note": score.note,
            **({"attacks": [asdict(a) for a in score.attacks]} if score.attacks else {}),
            **({"sets": [asdict(one) for one in score.sets]} if score.sets else {}),
        }
        for name, score in found.items()
    }
    return to_json({"measures": scores, "refused": found.refused}, indent=2)


def _options_of(
    path: str, given: Mapping[str, Any], files: Sequence[str], formats: Mapping[str, Any]
) -> dict[str, Any]:
    """The options of reading that are for a file: of two formats, for the one that has them."""

    def has(file: str, name: str) -> bool:
        suffix = Path(file).suffix.lower()
        return any(suffix in f.extensions and name in f.options for f in formats.values())

    return {
        name: value
        for name, value in given.items()
        if value is not None and (has(path, name) or not any(has(file, name) for file in files))
    }


def _readable(analyses: tuple[str, ...]) -> tuple[str, ...]:
    """The analyses, or one line for the first that cannot be read."""
    from coterie.plan.analysis import read_analysis

    for text in analyses:
        try:
            read_analysis(text)
        except ValueError as error:
            raise ParameterError(f"{error}.") from None
    return analyses


def _rows(crosswalk: Any, most: int, records: int, original: str, released: str) -> list[int]:
    """The row of the original that each released row was."""
    known = "original_row" in crosswalk.columns
    rows = crosswalk["original_row"].to_list() if known else []
    valid = len(rows) == records == len(set(rows))
    if not valid or not all(isinstance(row, int) and 0 <= row < most for row in rows):
        raise DataError(
            f"The crosswalk must name a row of {original} for each of the {records} rows of "
            f"{released}. Got {len(rows)} rows; give the one written with that release."
        )
    return rows
