"""``coterie verify``: whether a file, made by any tool, is k-anonymous on its keys."""

from __future__ import annotations

import dataclasses
import json as text
from typing import Annotated

import typer

from coterie.cli.options import Format, Json, K, Keys, Strata, Unit, number_or_text
from coterie.cli.streams import input_path
from coterie.errors import ParameterError

__all__ = ["command"]


def command(
    released: Annotated[str, typer.Argument(metavar="RELEASED", help="File to judge, or -.")],
    k: K = None,
    keys: Keys = None,
    strata: Strata = None,
    unit: Unit = None,
    file_format: Format = None,
    json: Json = False,
) -> None:
    """Count the classes of a file; exit code 1 if one is smaller than k."""
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
            )
    except NotKAnonymous as failure:
        if json:
            typer.echo(text.dumps({"k_anonymous": False, **failure.counts}))
        raise
    typer.echo(
        text.dumps({"k_anonymous": True, **dataclasses.asdict(found)}) if json else str(found)
    )
