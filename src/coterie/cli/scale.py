"""``coterie anonymize --engine tiles|dask|spark``: parts in, parts out, for any size."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import typer

from coterie.cli.progress import bar
from coterie.cli.reports import Accounts
from coterie.errors import ParameterError, bad_parameter
from coterie.plan import Plan
from coterie.plan.plan import options

__all__ = ["check", "run"]

ENGINES = ("memory", "tiles", "dask", "spark")
FOR = {"scheduler": "dask", "workers": "dask or spark"}  # the others are for all of them

# What is asked of the command itself, beside a plan, that tables in parts have too. What is not
# named here is refused, so that a new flag is never passed over in silence.
UNDERSTOOD = {
    *("input_file", "output", "config", "evidence", "public_evidence", "json", "quiet"),
    *("engine", "scheduler", "workers", "tile", "scratch"),
    *("delimiter", "encoding", "line_breaks", "dates", "report", "report_kind"),
    *("dossier", "threshold", "sweep_k", "metadata"),
}


def check(context: typer.Context, given: Mapping[str, Any]) -> None:
    """Refuse options that mean nothing for the engine, by name."""
    engine = given["engine"]
    if engine not in ENGINES:
        raise bad_parameter("--engine", "anonymize", "one of " + ", ".join(ENGINES), engine)
    if engine == "memory":
        for name, value in given.items():
            if name != "engine" and value is not None:
                raise ParameterError(
                    f"--{name} is for --engine {FOR.get(name, 'tiles, dask or spark')}. "
                    f"Got {value!r} with --engine memory; leave it out."
                )
        return
    flags = {option.name: option.opts[-1] for option in context.command.params}
    for name, value in context.params.items():
        known = name in UNDERSTOOD or (name in options() and options()[name].anywhere)
        if value and not known:
            raise ParameterError(
                f"{flags[name]} is for --engine memory. Got it with --engine {engine}: leave it "
                "out."
            )
    if "-" in (context.params["input_file"], context.params["output"]):
        raise ParameterError(
            f"--engine {engine} reads and writes files and folders. Got -; name them."
        )


def run(
    source: str,
    target: str,
    plan: Plan,
    given: Mapping[str, Any],
    accounts: Accounts,
    *,
    json: bool,
) -> None:
    """Protect a table in parts and tell about it."""
    from coterie.cli.summary import written_table
    from coterie.distributed import anonymize

    wanted = {name: value for name, value in given.items() if value is not None}
    with bar(accounts.quiet) as callback:
        written = anonymize(source, target, plan, callback=callback, **wanted)
    accounts.write_evidence(written)
    accounts.write(written, target, lambda stage: None)
    if json:
        typer.echo(written.evidence.json("internal"))
    elif not accounts.quiet:
        written_table(written)
