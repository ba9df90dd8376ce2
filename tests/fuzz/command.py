"""A plan on the command line, run in this process."""

from __future__ import annotations

import contextlib
import functools
import io
from pathlib import Path
from typing import Any

import typer.main

import coterie
from coterie.cli import main

# Every run would make all commands' options anew: half of the time that a small table takes.
typer.main.get_command = functools.cache(typer.main.get_command)


class Refused(Exception):
    """A refusal in one line."""


def command(plan: dict[str, Any], source: Path, target: Path, *, settings: bool) -> None:
    """The command line, in this process: exit code 0 and no word on errors, or 2 and one line.

    What is asked stands in flags, or in a settings file where one can hold it all.
    """
    arguments = ["anonymize", str(source), "-o", str(target), "--quiet"]
    held = _held(plan) if settings else None
    if held is None:
        arguments += flags(plan)
    else:
        file = source.with_name("settings.toml")
        file.write_text(held, encoding="utf-8")
        arguments += ["--config", str(file)]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    text = err.getvalue()
    if code == 0:
        if text:
            raise AssertionError(f"exit code 0 with an error: {text!r}")
        return
    if code != 2:
        raise AssertionError(f"exit code {code}: {text!r}")
    if text.count("\n") != 1 or not text.startswith("coterie: "):
        raise AssertionError(f"not one line: {text!r}")
    raise Refused(text.removesuffix("\n"))


def _held(plan: dict[str, Any]) -> str | None:
    """A plan as a settings file, None where it cannot hold everything."""
    try:
        text = coterie.Plan(**plan).to_toml()
        text.encode()
    except (coterie.CoterieError, UnicodeError):
        return None
    return None if "not a value that a file can hold" in text else text


FLAGS = {
    "k": "-k",
    "quasi_identifiers": "-q",
    "confidential": "--confidential",
    "identifiers": "--drop",
    "declared": "--declare",
    "unit": "--unit",
    "strata": "--strata",
    "unit_members": "--unit-members",
    "method": "--method",
    "time_limit": "--time-limit",
    "random_state": "--seed",
    "aggregation": "--aggregation",
    "delta": "--delta",
    "importance": "--importance",
    "missing": "--missing",
    "small_strata": "--small-strata",
    "sample_weight": "--weight",
    "rules": "--rule",
    "broken_rules": "--broken-rules",
    "on_violation": "--on-violation",
    "min_distinct": "--min-distinct",
    "max_share": "--max-share",
    "entropy_l": "--entropy-l",
    "t_closeness": "--t-closeness",
    "p_percent": "--p-percent",
    "alpha_k": "--alpha-k",
    "beta_likeness": "--beta-likeness",
    "delta_disclosure": "--delta-disclosure",
    "suppress_at_most": "--suppress-at-most",
    "unit_columns": "--unit-column",
    "pooled": "--pooled",
    "iterations": "--iterations",
}
BY_COLUMN = {
    "releases": "--release",
    "steps": "--step",
    "types": "--type",
    "transforms": "--transform",
    "attribute_weights": "--attribute-weight",
    "hierarchies": "--hierarchy",
}


def flags(plan: dict[str, Any]) -> list[str]:
    """A plan on the command line; what it has no flag for is left out there and in the plan."""
    for name in [name for name in plan if name not in {*FLAGS, *BY_COLUMN, "row_order"}]:
        del plan[name]
    made: list[str] = []
    for name, value in list(plan.items()):
        if name in BY_COLUMN:
            said = {column: _said(one) for column, one in _pairs(value) if "=" not in column}
            if None in said.values() or len(said) < len(_pairs(value)) or not said:
                del plan[name]  # a flag cannot say it
            else:
                made += [f"{BY_COLUMN[name]}={column}={one}" for column, one in said.items()]
        elif name == "row_order":
            made += ["--keep-order"] if value == "keep" else []
        elif value is not None:
            several = value if isinstance(value, (list, tuple)) else [value]
            joined = "" if len(FLAGS[name]) == 2 else "="
            made += [f"{FLAGS[name]}{joined}{one}" for one in several]
    return made


def _pairs(value: Any) -> list[tuple[str, Any]]:
    return list(value.items()) if isinstance(value, dict) else []


def _said(one: Any) -> str | None:
    """What is said of a column as a flag has it; None where it cannot."""
    if not isinstance(one, dict):
        return str(one)
    (kind, given), *rest = one.items()
    if rest or kind == "tree" or not isinstance(given, list):
        return None
    return f"{kind}:" + ",".join(map(str, given))
