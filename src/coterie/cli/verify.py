"""``coterie verify``: whether a file, made by any tool, is k-anonymous on its keys."""

from __future__ import annotations

import dataclasses
import json as text
from typing import Annotated

import typer

from coterie.cli.options import (
    Confidential,
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
)
from coterie.cli.streams import input_path
from coterie.errors import ParameterError

__all__ = ["command"]


def command(
    released: Annotated[str, typer.Argument(metavar="RELEASED", help="File to judge, or -.")],
    k: K = None,
    keys: Keys = None,
    strata: Strata = None,
    unit: Unit = None,
    confidential: Confidential = None,
    min_distinct: MinDistinct = None,
    max_share: MaxShare = None,
    entropy_l: EntropyL = None,
    t_closeness: TCloseness = None,
    p_percent: PPercent = None,
    dominance: Dominance = None,
    rules: Rules = None,
    file_format: Format = None,
    json: Json = False,
) -> None:
    """Count the classes of a file; exit code 1 if one is smaller than k or misses a promise."""
    from coterie.edits import RuleBroken
    from coterie.table.read import read
    from coterie.verification import NotKAnonymous, verify

    if k is None or not keys:
        raise ParameterError("verify must be given -k and at least one -q COLUMN.")
    try:
        with input_path(released, file_format) as path:
            found = verify(
                read(path, format=file_format),
                number_or_text(k),
                keys,
                strata=strata or (),
                unit=unit,
                rules=rules or (),
                confidential=confidential or (),
                min_distinct=limits(min_distinct, "--min-distinct"),
                max_share=limits(max_share, "--max-share"),
                entropy_l=limits(entropy_l, "--entropy-l"),
                t_closeness=limits(t_closeness, "--t-closeness"),
                p_percent=limits(p_percent, "--p-percent"),
                dominance=limits(dominance, "--dominance"),
            )
    except NotKAnonymous as failure:
        if json:
            typer.echo(text.dumps({"k_anonymous": False, **failure.counts}))
        raise
    except RuleBroken as failure:
        if json:
            checks = [dataclasses.asdict(one) for one in failure.checks]
            typer.echo(text.dumps({"k_anonymous": True, "rules": checks}))
        raise
    typer.echo(
        text.dumps({"k_anonymous": True, **dataclasses.asdict(found)}) if json else str(found)
    )
