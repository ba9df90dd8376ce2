"""``coterie anonymize``: protect a file and write the proven release."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from coterie.cli import scale
from coterie.cli.dossiers import check_dossier, check_dossier_alone, write_folder
from coterie.cli.options import (
    Confidential,
    Config,
    Dominance,
    EntropyL,
    Format,
    Json,
    K,
    Keys,
    MaxShare,
    MinDistinct,
    PPercent,
    Rules,
    Strata,
    TCloseness,
    Unit,
    limits,
    number_or_text,
    pairs,
    split_pair,
)
from coterie.cli.progress import bar
from coterie.cli.reports import Report, check_report, write_report
from coterie.cli.streams import (
    check_output,
    distinct_paths,
    read_input,
    write_output,
    write_text,
)
from coterie.errors import ParameterError

__all__ = ["command"]

# What a settings file may hold beside what describes the columns.
SETTINGS = [
    "k",
    "quasi_identifiers",
    "confidential",
    "identifiers",
    "declared",
    "unit",
    "strata",
    "unit_members",
    "min_distinct",
    "max_share",
    "entropy_l",
    "t_closeness",
    "p_percent",
    "dominance",
    "on_violation",
    "method",
    "method_options",
    "time_limit",
    "iterations",
    "random_state",
    "aggregation",
    "delta",
    "importance",
    "alpha",
    "missing",
    "small_strata",
    "sample_weight",
    "attribute_weights",
    "attribute_groups",
    "rules",
    "broken_rules",
    "previous",
    "match",
    "leavers",
    "row_order",
]


def command(
    context: typer.Context,
    input_file: Annotated[str, typer.Argument(metavar="IN", help="File to protect, or -.")],
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="File to write, or -.")
    ] = None,
    k: K = None,
    keys: Keys = None,
    confidential: Confidential = None,
    drop: Annotated[list[str] | None, typer.Option(help="Identifier: left out.")] = None,
    declare: Annotated[
        list[str] | None, typer.Option(help="Looks like an identifier, is none.")
    ] = None,
    unit: Unit = None,
    strata: Strata = None,
    unit_members: Annotated[
        str | None, typer.Option(help="any, or together: all records of a unit in one group.")
    ] = None,
    min_distinct: MinDistinct = None,
    max_share: MaxShare = None,
    entropy_l: EntropyL = None,
    t_closeness: TCloseness = None,
    p_percent: PPercent = None,
    dominance: Dominance = None,
    on_violation: Annotated[
        str | None, typer.Option(help="repair, or refuse: groups that miss one of these.")
    ] = None,
    method: Annotated[str | None, typer.Option(help="See `coterie methods`.")] = None,
    time_limit: Annotated[
        str | None, typer.Option(metavar="SECONDS", help="For methods that search.")
    ] = None,
    seed: Annotated[
        str | None, typer.Option(metavar="INTEGER", help="Of methods that draw at random.")
    ] = None,
    aggregation: Annotated[str | None, typer.Option(help="mean, median or p3m.")] = None,
    delta: Annotated[
        str | None, typer.Option(metavar="NUMBER|COLUMN", help="p3m: least distance, in sd.")
    ] = None,
    importance: Annotated[
        str | None, typer.Option(metavar="NUMBER|COLUMN", help="p3m: of the wish, 0 to 1.")
    ] = None,
    alpha: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="p3m: weight of the wishes, 0 to 1.")
    ] = None,
    missing: Annotated[str | None, typer.Option(help="error, drop or pattern.")] = None,
    missing_code: Annotated[
        list[str] | None,
        typer.Option(help="CODE, or COLUMN=CODE: a value that means missing."),
    ] = None,
    small_strata: Annotated[str | None, typer.Option(help="error, merge or drop.")] = None,
    weight: Annotated[str | None, typer.Option(help="Column of sample weights.")] = None,
    attribute_weight: Annotated[list[str] | None, typer.Option(help="COLUMN=NUMBER.")] = None,
    column_type: Annotated[list[str] | None, typer.Option("--type", help="COLUMN=TYPE.")] = None,
    order: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN=A,B,C", help="Categories of an ordinal, lowest first."),
    ] = None,
    rules: Rules = None,
    broken_rules: Annotated[
        str | None, typer.Option(help="error, repair or drop: originals that break a rule.")
    ] = None,
    previous: Annotated[
        list[str] | None,
        typer.Option(metavar="CROSSWALK", help="Of an earlier release: both stay safe together."),
    ] = None,
    match: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Names each record in the tables of all releases."),
    ] = None,
    leavers: Annotated[
        str | None, typer.Option(help="error, drop or tell: old classes that a few have left.")
    ] = None,
    transform: Annotated[list[str] | None, typer.Option(help="COLUMN=log1p|asinh|rank.")] = None,
    keep_order: Annotated[bool, typer.Option(help="Rows as they came, not sorted.")] = False,
    delimiter: Annotated[str | None, typer.Option(help="Of a CSV file.")] = None,
    encoding: Annotated[str | None, typer.Option(help="Of a CSV file.")] = None,
    config: Config = None,
    file_format: Format = None,
    evidence: Annotated[
        str | None, typer.Option(help="Write the internal evidence as JSON to this file.")
    ] = None,
    public_evidence: Annotated[
        str | None, typer.Option(help="Write the public evidence as JSON to this file.")
    ] = None,
    crosswalk: Annotated[
        str | None,
        typer.Option(help="Write the internal crosswalk (never to be published) to this file."),
    ] = None,
    report: Report = None,
    report_kind: Annotated[
        str | None,
        typer.Option(metavar="KIND", help="internal (default), or public: fit to be published."),
    ] = None,
    dossier: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="New folder for what a review board signs."),
    ] = None,
    threshold: Annotated[
        list[str] | None,
        typer.Option(metavar="MEASURE=NUMBER", help="Of the dossier: a bar that must be met."),
    ] = None,
    sweep_k: Annotated[
        list[str] | None,
        typer.Option(metavar="INTEGER", help="Of the dossier: another k to compare; repeat."),
    ] = None,
    metadata: Annotated[
        str | None, typer.Option(metavar="FILE", help="Public sheet: .xml (DDI) or .json.")
    ] = None,
    engine: Annotated[
        str,
        typer.Option(help="memory; or tiles, dask: parts on the disk, tables of any size."),
    ] = "memory",
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="dask: of a cluster that is running.")
    ] = None,
    workers: Annotated[
        str | None, typer.Option(metavar="INTEGER", help="dask: processes on this machine.")
    ] = None,
    tile: Annotated[
        str | None, typer.Option(metavar="INTEGER", help="tiles, dask: records of a tile.")
    ] = None,
    scratch: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="tiles, dask: for original values.")
    ] = None,
    dry_run: Annotated[bool, typer.Option(help="Do everything but write.")] = False,
    json: Json = False,
    quiet: Annotated[bool, typer.Option(help="No progress, no summary.")] = False,
) -> None:
    """Protect a file: k-anonymous on the declared keys, proven before it takes its name."""
    import coterie.table.config as settings
    from coterie.cli.summary import release_table
    from coterie.crosswalk import Crosswalk, identities
    from coterie.pipeline import anonymize
    from coterie.pipeline.stages import Stages

    if output is None and not dry_run:
        raise ParameterError("anonymize must be given -o OUT, or --dry-run. Got neither.")
    audience = check_report(report, report_kind)
    bars = {name: number_or_text(text) for name, text in pairs(threshold, "--threshold").items()}
    check_dossier(dossier, bars, sweep_k, metadata)
    if dry_run and (dossier or metadata):
        raise ParameterError("--dry-run writes nothing. Leave out --dossier and --metadata.")
    if dry_run and (evidence or public_evidence or crosswalk or report):
        raise ParameterError("--dry-run writes nothing. Leave out the files for evidence.")
    at_scale = {
        "engine": engine,
        "scheduler": scheduler,
        "workers": number_or_text(workers),
        "tile": number_or_text(tile),
        "scratch": scratch,
    }
    text = {"delimiter": delimiter, "encoding": encoding}
    scale.check(context, at_scale)
    if output is not None and engine == "memory":
        check_output(output, input_file, file_format)
    arguments: dict[str, Any] = settings.load(config, SETTINGS) if config else {}
    files = {
        "-o": output,
        "--evidence": evidence,
        "--public-evidence": public_evidence,
        "--crosswalk": crosswalk,
        "--report": report,
        "--metadata": metadata,
    }
    earlier = previous or arguments.get("previous") or ()
    distinct_paths(
        {
            "IN": input_file,
            "--config": config,
            **{f"previous {path}": path for path in earlier if isinstance(path, str)},
            **files,
        },
        written=[name for name in files if name != "-o" or engine == "memory"],  # else a folder
    )
    check_dossier_alone(dossier, files)
    given = {
        "k": number_or_text(k),
        "quasi_identifiers": keys,
        "confidential": confidential,
        "identifiers": drop,
        "declared": declare,
        "unit": unit,
        "strata": strata,
        "unit_members": unit_members,
        "on_violation": on_violation,
        "method": method,
        "time_limit": number_or_text(time_limit),
        "random_state": number_or_text(seed),
        "aggregation": aggregation,
        "missing": missing,
        "small_strata": small_strata,
        "rules": rules,
        "broken_rules": broken_rules,
        "previous": previous,
        "match": match,
        "leavers": leavers,
        "sample_weight": weight,
        "row_order": "keep" if keep_order else None,
        "delta": number_or_text(delta),
        "importance": number_or_text(importance),
        "alpha": number_or_text(alpha),
    }
    arguments.update({name: value for name, value in given.items() if value not in (None, [])})
    columns = _declared(arguments)
    for name, texts in (
        ("min_distinct", min_distinct),
        ("max_share", max_share),
        ("entropy_l", entropy_l),
        ("t_closeness", t_closeness),
        ("p_percent", p_percent),
        ("dominance", dominance),
    ):
        if texts:
            arguments[name] = limits(texts, "--" + name.replace("_", "-"), columns)
    for name, texts, option in (
        ("types", column_type, "--type"),
        ("transforms", transform, "--transform"),
    ):
        if texts:
            arguments[name] = {**arguments.get(name, {}), **pairs(texts, option, columns)}
    if order:
        given_orders = {c: v.split(",") for c, v in pairs(order, "--order", columns).items()}
        arguments["orders"] = {**arguments.get("orders", {}), **given_orders}
    if attribute_weight:
        numbers = pairs(attribute_weight, "--attribute-weight", columns)
        arguments["attribute_weights"] = {c: number_or_text(v) for c, v in numbers.items()}
    for required, flag in (("k", "-k"), ("quasi_identifiers", "-q")):
        if arguments.get(required) in (None, []):
            raise ParameterError(f"anonymize must be given {flag}, or a --config that has it.")
    if missing_code:
        arguments["missing_codes"] = _codes(missing_code, arguments, columns)

    if engine != "memory":
        scale.run(
            input_file,
            str(output),
            arguments,
            {**at_scale, **text},
            evidence={"internal": evidence, "public": public_evidence},
            json=json,
            quiet=quiet,
        )
        return
    stages = Stages(None)
    source = read_input(input_file, file_format, delimiter=delimiter, encoding=encoding)
    stages.done("file read")
    matched = arguments.get("match")
    if matched is not None and not arguments.get("previous"):
        if not crosswalk:
            raise ParameterError("--match needs --previous or --crosswalk. Got neither.")
        identities(source, arguments.pop("match"))  # only for the crosswalk: checked first
    with bar(quiet) as callback:
        release = anonymize(source, callback=callback, **arguments)
    stages.done("release")
    if not dry_run:
        write_output(output or "", file_format, release.write)
        stages.done("written and proved again")
    for kind, file in (("internal", evidence), ("public", public_evidence)):
        if file and not dry_run:
            write_text(file, release.evidence.json(kind))
    if crosswalk and not dry_run:
        write_text(crosswalk, Crosswalk.of(release, matched).text())
    stages.done("evidence")
    told = None
    kept = f"The release was written to {output if output != '-' else 'standard output'}."
    if report:
        # The release is whole by now, on standard output too: a report that fails cannot lose it.
        from coterie.report import summary

        with bar(quiet) as callback:
            told = write_report(lambda: summary(release, audience, callback), report, kept)
        stages.done("report")
    if metadata:
        from coterie.dossier import write_metadata

        write_metadata(release, metadata, file=output or "")
        stages.done("metadata")
    if dossier:
        with bar(quiet) as callback:
            write_folder(release, dossier, bars, sweep_k, output or "", callback, kept)
        stages.done("dossier")
    if json:
        typer.echo(release.evidence.json("internal"), err=output == "-")
    elif not quiet:
        written = "" if dry_run else (output or "")
        release_table(release, written, stages.seconds, report or "", told)


def _declared(arguments: dict[str, Any]) -> set[str]:
    """The columns that have a role, to tell ``=`` in a name from the one before a value."""
    lists = ("quasi_identifiers", "confidential", "identifiers", "declared", "strata")
    names = {name for role in lists for name in arguments.get(role, ())}
    return names | {arguments[role] for role in ("unit", "sample_weight") if role in arguments}


def _codes(texts: list[str], arguments: dict[str, Any], columns: set[str]) -> dict[str, list[Any]]:
    """``-999`` counts for every key, ``income=-999`` for one column."""
    codes: dict[str, list[Any]] = {
        c: list(v) for c, v in arguments.get("missing_codes", {}).items()
    }
    for text in texts:
        name, value = split_pair(text, columns)
        for column in arguments["quasi_identifiers"] if value is None else [name]:
            codes.setdefault(column, []).append(number_or_text(text if value is None else value))
    return codes
