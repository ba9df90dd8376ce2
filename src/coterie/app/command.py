"""The command line that does what a plan asks for: flags, or a settings file where they fail."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from coterie.app.forms import recoding_text
from coterie.cli.asked import arguments, rule_text
from coterie.errors import CoterieError
from coterie.plan import Plan
from coterie.plan.columns import EVERYWHERE
from coterie.plan.option import Option
from coterie.plan.plan import options

__all__ = ["command_line", "flags"]


def command_line(
    plan: Plan,
    table: str,
    output: str,
    *,
    reading: Mapping[str, str] | None = None,
    config: str = "plan.toml",
) -> str:
    """The equal command, fit for a shell.

    Parameters
    ----------
    plan : Plan
    table, output : str
        Files.
    reading : mapping, optional
        How the table is read: format, delimiter, encoding, sheet.
    config : str
        The settings file that it names where flags cannot say what the plan does.

    Examples
    --------
    >>> from coterie.plan import Plan
    >>> command_line(Plan(k=5, quasi_identifiers=["age", "first name"]), "in.csv", "out.csv")
    "coterie anonymize in.csv -k 5 -q age -q 'first name' -o out.csv"
    """
    words = flags(plan)
    if words is None:
        words = ["--config", config]
    for name, value in (reading or {}).items():
        words += [f"--{name}", value]
    return shlex.join(["coterie", "anonymize", _path(table), *words, "-o", _path(output)])


def flags(plan: Plan) -> list[str] | None:
    """The plan as flags; None where they cannot say it, or would say something else."""
    words: list[str] = []
    said: dict[str, Any] = {}
    for name, value in plan.given.items():
        option = options()[name]
        texts = _texts(option, value)
        if texts is None:
            return None
        assert option.flag is not None
        flag = option.flag.names[0]
        if option.flag.reads == "keep":
            words.append(flag.partition("/")[0])
            said[name] = True
            continue
        for text in texts:
            words += [f"{flag}={text}"] if text.startswith("-") else [flag, text]
        said[name] = texts if option.flag.reads not in ("text", "number") else texts[0]
    # The reader of the flags has the last word: what it makes of them must be the plan again.
    try:
        found, problems = arguments(None, said)
    except CoterieError:
        return None
    if problems or Plan.gather(found)[0] != plan:
        return None
    return words


def _texts(option: Option, value: Any) -> list[str] | None:
    if option.flag is None:
        return None
    reads = option.flag.reads
    if reads in ("text", "number"):
        return [str(value)]
    if reads == "keep":
        return []
    if reads == "names":
        return [str(one) for one in value]
    if reads == "lists":
        return [f"{name}={','.join(map(str, levels))}" for name, levels in value.items()]
    if reads == "codes":
        return [
            str(code) if name == EVERYWHERE else f"{name}={code}"
            for name, codes in value.items()
            for code in codes
        ]
    if reads == "rules":
        rules = {name: rule_text(rule) for name, rule in value.items()}
        return None if None in rules.values() else [f"{n}={rule}" for n, rule in rules.items()]
    if reads == "recodings":
        merging = any("merge" in rule for rule in value.values())
        return None if merging else [f"{n}={recoding_text(rule)}" for n, rule in value.items()]
    if isinstance(value, Mapping):
        return [f"{name}={_limit(one)}" for name, one in value.items()]
    return [_limit(value)]


def _limit(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _path(name: str) -> str:
    return f"./{name}" if name.startswith("-") else name
