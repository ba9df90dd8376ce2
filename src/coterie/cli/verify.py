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
    from coterie.verification import NotAdmissible, NotKAnonymous, verify

    if k is None or not keys:
        raise ParameterError("verify must be given -k and at least one -q COLUMN.")
    known = {*keys, *(confidential or ()), *(strata or ())}
    wishes = {
        "min_distinct": min_distinct,
        "max_share": max_share,
        "entropy_l": entropy_l,
        "t_closeness": t_closeness,
        "p_percent": p_percent,
        "dominance": dominance,
    }
    try:
        with input_path(released, file_format) as path:
            found = verify(
                read(path, format=file_format, spelled=True),
                number_or_text(k),
                keys,
                strata=strata or (),
                unit=unit,
                rules=rules or (),
                confidential=confidential or (),
                **{
                    name: limits(texts, "--" + name.replace("_", "-"), known)
                    for name, texts in wishes.items()
                },
            )
    except NotKAnonymous as failure:
        if json:
            typer.echo(text.dumps({"k_anonymous": False, **failure.counts}))
        raise
    except NotAdmissible as failure:
        if json:
            missed = [dataclasses.asdict(one) for one in failure.findings]
            typer.echo(text.dumps({"k_anonymous": True, "as_promised": False, "missed": missed}))
        raise
    except RuleBroken as failure:
        if json:
            checks = [dataclasses.asdict(one) for one in failure.checks]
            typer.echo(text.dumps({"k_anonymous": True, "rules": checks}))
        raise
    typer.echo(
        text.dumps({"k_anonymous": True, **dataclasses.asdict(found)}) if json else str(found)
    )
