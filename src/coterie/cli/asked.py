"""Flags made from the plan's options: one table, every command.

A command that takes an argument `asked` and is decorated with `takes` gets a flag for each option
named; it finds there what was said, and `settled` joins it with the settings file.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Annotated, Any

import typer

from coterie.cli.options import Reading
from coterie.errors import ParameterError, bad_parameter, together
from coterie.plan import Plan
from coterie.plan.columns import EVERYWHERE
from coterie.plan.option import Option
from coterie.plan.plan import options

__all__ = [
    "arguments",
    "number_or_text",
    "pairs",
    "read_rule",
    "refuse",
    "rule_text",
    "settled",
    "split_pair",
    "takes",
]

ONE = ("text", "number", "keep")  # readings of a flag that is given once
RUNGS = ("prefix", "bands", "dates")  # of hierarchies that a flag can hold


def takes(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the flags of some options, in the place of its parameter `asked`.

    Those of `Reading` stand in the place of its parameter `reading`.
    """
    chosen = [options()[name] for name in names]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        def run(**values: Any) -> None:
            if chosen:
                asked = {o.name: values.pop(o.name) for o in chosen}
                values["asked"] = {n: v for n, v in asked.items() if v not in (None, [])}
            if reads:
                values["reading"] = Reading(**{name: values.pop(name) for name in flags})
            command(**values)

        own = inspect.signature(command, eval_str=True).parameters
        reads, flags = "reading" in own, inspect.signature(Reading, eval_str=True).parameters
        placed = {"asked": [_parameter(o) for o in chosen], "reading": [*flags.values()]}
        parameters = [p for name, one in own.items() for p in placed.get(name, [one])]
        # Typer calls by name, so an order that Python would refuse in a `def` does no harm.
        parameters.sort(key=lambda p: p.default is not inspect.Parameter.empty)
        run.__doc__ = command.__doc__
        run.__name__ = command.__name__
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {p.name: p.annotation for p in parameters}
        return run

    return decorate


def _parameter(option: Option) -> inspect.Parameter:
    flag = option.flag
    assert flag is not None, option.name
    many = flag.reads not in ONE
    kind: Any = list[str] | None if many else bool | None if flag.reads == "keep" else str | None
    more = {"metavar": flag.metavar} if flag.metavar else {}
    declared = Annotated[kind, typer.Option(*flag.names, help=flag.help, **more)]
    by_name = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Parameter(option.name, by_name, default=None, annotation=declared)


def arguments(config: str | None, asked: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """What the settings file and the flags ask for together, and what is wrong with either.

    Lists and mappings add up: a flag never takes back what the file says of another column. Of
    single values the flag's counts.
    """
    problems: list[str] = []
    found = _from_file(config, problems) if config else {}
    reading = [(name, options()[name]) for name in asked]
    # Names first: they tell an ``=`` in a column's name from the one before a value.
    reading.sort(key=lambda pair: _reads(pair[1]) not in (*ONE, "names"))
    for name, option in reading:
        said = READERS[_reads(option)](asked[name], _flag(option), _columns(found))
        found[name] = _joined(found[name], said) if option.adds and name in found else said
    return found, problems


def settled(
    config: str | None, asked: Mapping[str, Any], owner: str, **set_by: Any
) -> tuple[Plan, list[str]]:
    """The plan of settings file and flags, with every problem; `set_by` counts above both."""
    found, problems = arguments(config, asked)
    plan, more = Plan.gather({**found, **set_by}, owner)
    return plan, [*problems, *more]


def refuse(problems: Collection[str]) -> None:
    """Raise one error with all problems, if there are any."""
    if problems:
        raise ParameterError(together(problems))


def _from_file(config: str, problems: list[str]) -> dict[str, Any]:
    """What a settings file asks for; values that break their rule become problems."""
    from coterie.plan import toml
    from coterie.plan.plan import of_columns

    content, origin = toml.load(config, of_columns(), options())
    kept = {}
    for name, value in content.items():
        try:
            kept[name] = options()[name].check(value)
        except (TypeError, ValueError, OverflowError):
            problems.append(str(bad_parameter(name, origin, options()[name].rule, value)))
    return kept


def _joined(before: Any, said: Any) -> Any:
    """Both, where they are lists or mappings; else what was said last."""
    if isinstance(before, tuple) and isinstance(said, list):
        return [*before, *(one for one in said if one not in before)]
    if isinstance(before, Mapping) and isinstance(said, Mapping):
        both = dict(before)
        for name, value in said.items():
            several = isinstance(value, list) and isinstance(both.get(name), tuple)
            both[name] = _joined(both[name], value) if several else value
        return both
    return said


def _reads(option: Option) -> str:
    return option.flag.reads if option.flag else "text"


def _flag(option: Option) -> str:
    return option.flag.names[-1] if option.flag else option.name


def _columns(found: Mapping[str, Any]) -> set[str]:
    """The columns that have a role."""
    lists = ("quasi_identifiers", "confidential", "identifiers", "declared", "strata")
    names = {name for role in lists for name in found.get(role) or ()}
    return names | {found[role] for role in ("unit", "sample_weight") if found.get(role)}


def _values(texts: list[str], flag: str, columns: Collection[str]) -> dict[str, Any]:
    return {name: number_or_text(value) for name, value in pairs(texts, flag, columns).items()}


def _lists(texts: list[str], flag: str, columns: Collection[str]) -> dict[str, Any]:
    """``edu=low,high`` by column. A comma in a category needs a settings file."""
    return {name: tuple(value.split(",")) for name, value in pairs(texts, flag, columns).items()}


def _limits(texts: list[str], flag: str, columns: Collection[str]) -> Any:
    """``3`` for all columns, ``diag=3`` for one; ``N,PERCENT`` becomes a pair."""
    if len(texts) == 1 and "=" not in texts[0]:
        return _number_or_pair(texts[0])
    by_column = pairs(texts, flag, columns)
    return {name: _number_or_pair(value) for name, value in by_column.items()}


def _codes(texts: list[str], flag: str, columns: Collection[str]) -> dict[str, list[Any]]:
    """``-999`` counts for every key that holds it, ``income=-999`` for one column."""
    codes: dict[str, list[Any]] = {}
    for text in texts:
        name, value = split_pair(text, columns)
        if not (name and value):
            name, value = EVERYWHERE, text
        codes.setdefault(name, []).append(number_or_text(value))
    return codes


def _number_or_pair(text: str) -> Any:
    parts = [number_or_text(part.strip()) for part in text.split(",")]
    return parts[0] if len(parts) == 1 else tuple(parts)


def _rules(texts: list[str], flag: str, columns: Collection[str]) -> dict[str, Any]:
    """``nace=prefix:1,2,4`` by column; what names no kind of rule is a file."""
    return {name: read_rule(value) for name, value in pairs(texts, flag, columns).items()}


def read_rule(text: str) -> Any:
    """The rule of a hierarchy: ``prefix:1,2,4``, or a file."""
    kind, colon, rest = text.partition(":")
    items = [number_or_text(part.strip()) for part in rest.split(",")]
    return {kind: items} if colon and kind in RUNGS else text


def rule_text(rule: Mapping[str, Any]) -> str | None:
    """What `read_rule` makes the rule of; None for one that needs a settings file."""
    kind, *more = rule
    if more or kind not in (*RUNGS, "file"):
        return None
    return str(rule["file"]) if kind == "file" else f"{kind}:{','.join(map(str, rule[kind]))}"


def _recodings(texts: list[str], flag: str, columns: Collection[str]) -> dict[str, Any]:
    """``age=round:5,top:90`` by column."""
    rules: dict[str, Any] = {}
    for name, value in pairs(texts, flag, columns).items():
        parts = [part.partition(":") for part in value.split(",")]
        if not all(setting for _, _, setting in parts):
            raise ParameterError(
                f"{flag} must be COLUMN=RULE:VALUE, such as age=top:90. Got {name}={value}."
            )
        rules[name] = {kind.strip(): number_or_text(one.strip()) for kind, _, one in parts}
    return rules


READERS: dict[str, Callable[[Any, str, Collection[str]], Any]] = {
    "text": lambda text, flag, columns: text,
    "number": lambda text, flag, columns: number_or_text(text),
    "keep": lambda kept, flag, columns: "keep" if kept else "sorted",
    "names": lambda texts, flag, columns: list(texts),
    "pairs": lambda texts, flag, columns: pairs(texts, flag, columns),
    "numbers": _values,
    "lists": _lists,
    "limits": _limits,
    "codes": _codes,
    "rules": _rules,
    "recodings": _recodings,
}


def pairs(
    texts: Iterable[str] | None, option: str, columns: Collection[str] = ()
) -> dict[str, str]:
    """``["age=rank", ...]`` as a dictionary."""
    found: dict[str, str] = {}
    for text in texts or ():
        name, value = split_pair(text, columns)
        if not (name and value):
            raise ParameterError(f"{option} must be COLUMN=VALUE. Got {text!r}.")
        if found.setdefault(name, value) != value:
            raise ParameterError(
                f"{option} must say one thing of a column. Got {name}={found[name]} and "
                f"{name}={value}; leave one out."
            )
    return found


def split_pair(text: str, columns: Collection[str]) -> tuple[str, str | None]:
    """Name and value of ``name=value``; the value is None where there is no ``=``.

    The name ends at the first ``=``, unless it is one of `columns` with more of them in it.
    """
    parts = text.split("=")
    splits = [("=".join(parts[:i]), "=".join(parts[i:])) for i in range(1, len(parts))]
    known = [pair for pair in splits if pair[0] in columns]
    return known[-1] if known else splits[0] if splits else (text, None)


def number_or_text(text: str | None) -> Any:
    """An integer, a number, or else the text itself; None stays None."""
    if text is None:
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
