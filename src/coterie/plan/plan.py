"""Plan: all that is asked of a release, in one frozen value."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Self

from coterie.errors import ParameterError, bad_parameter, together, unknown_name
from coterie.plan import toml
from coterie.plan.columns import Columns
from coterie.plan.guarantees import Guarantees
from coterie.plan.option import Option, of
from coterie.plan.output import Centroids, Output
from coterie.plan.recoding import Recodings
from coterie.plan.roles import Roles, Task
from coterie.plan.search import Search

__all__ = ["Plan", "of_columns", "options"]


@dataclass(frozen=True, repr=False)
class Plan(Output, Centroids, Search, Guarantees, Recodings, Columns, Roles, Task):
    """What is asked of a release: keys, guarantees, search, centroids, output.

    Takes the parameters of `coterie.anonymize` beside the table, checks them, and tells every
    problem at once. Two plans that ask for the same are equal.

    Examples
    --------
    >>> import coterie
    >>> plan = coterie.Plan(k=5, quasi_identifiers=["age", "bmi"], strata=["sex"])
    >>> plan.replace(k=10).k
    10
    >>> print(plan.to_toml())
    k = 5
    quasi_identifiers = ["age", "bmi"]
    strata = ["sex"]
    <BLANKLINE>
    >>> coterie.Plan.from_toml(plan.to_toml()) == plan
    True
    >>> coterie.Plan(k=5, quasi_identifiers=["age"], missing="dropp", method="mdaw")
    Traceback (most recent call last):
    coterie.errors.ParameterError: The 'missing' parameter of Plan must be one of 'error', ...
    """

    def __post_init__(self) -> None:
        problems = self._settle("Plan")
        if problems:
            raise ParameterError(together(problems))

    @classmethod
    def gather(
        cls, asked: Mapping[str, Any], owner: str = "Plan", *, draft: bool = False
    ) -> tuple[Plan, list[str]]:
        """A plan as far as it can be had, and every problem with what was asked.

        What breaks its rule is left at its default, so that whoever looks at the table next can
        tell its own problems in the same message. A draft may lack what a plan must be given.
        """
        known = options()
        problems = [
            str(unknown_name(f"parameter of {owner}:", name, known))
            for name in asked
            if name not in known
        ]
        plan = object.__new__(cls)
        for name, option in known.items():
            object.__setattr__(plan, name, asked.get(name, option.default))
        return plan, [text.rstrip(". ") for text in problems] + plan._settle(owner, draft)

    def _settle(self, owner: str, draft: bool = False) -> list[str]:
        """Put every value into its own form; gives what is wrong with them."""
        problems = []
        for name, option in options().items():
            value = getattr(self, name)
            try:
                kept = option.check(value)
            except (TypeError, ValueError, OverflowError):
                kept = copy(option.usual)  # a mapping of its own for each plan
                lacking = value == option.default  # only what is required breaks its own rule
                if not lacking:
                    problems.append(_refused(option, owner, value))
                elif not draft:
                    problems.append(_lacking(option, owner))
            object.__setattr__(self, name, kept)
        problems += [text.rstrip(". ") for text in self.contradictions()]
        return list(dict.fromkeys(problems))

    def contradictions(self) -> Iterator[str]:
        """What cannot be asked together, or would have no effect."""
        for group in (Guarantees, Search, Centroids, Output):
            yield from group.contradictions(self)

    @property
    def described(self) -> dict[str, Any]:
        """Roles and settings of the columns, as `coterie.table.infer` takes them."""
        about = [*of(Task), *of(Roles), *of(Columns)]
        return {name: getattr(self, name) for name in about if name != "k"}

    @property
    def record(self) -> dict[str, Any]:
        """All that is asked for, defaults included, as a record for the evidence.

        What only lives in memory (a generator, a release) is None there.
        """
        values = {name: getattr(self, name) for name in options()}
        empty: tuple[Any, ...] = (None, (), {})
        return {
            name: _plain(value) if toml.holds(value) else None
            for name, value in values.items()
            if not any(value == nothing for nothing in empty)
        }

    @property
    def given(self) -> dict[str, Any]:
        """What is asked for that is not so by default."""
        values = {name: (getattr(self, name), o.usual) for name, o in options().items()}
        return {name: value for name, (value, usual) in values.items() if value != usual}

    def replace(self, **changes: Any) -> Self:
        """The plan with some of what it asks for changed."""
        for name in changes:
            if name not in options():
                raise unknown_name("parameter of Plan:", name, options())
        return dataclasses.replace(self, **changes)

    def to_toml(self, path: str | os.PathLike[str] | None = None) -> str:
        """The plan as the text of a settings file; also written to `path` where one is given.

        What a file cannot hold (a generator, a release in memory) stands there as a comment, and
        in `beyond_file`.
        """
        text = toml.render(self.given, of_columns())
        if path is not None:
            from coterie.table import atomic

            atomic.write_text(Path(path), text)
        return text

    @property
    def beyond_file(self) -> tuple[str, ...]:
        """What is asked for that no settings file can hold."""
        return tuple(name for name, value in self.given.items() if not toml.holds(value))

    @classmethod
    def from_toml(cls, source: str | os.PathLike[str]) -> Plan:
        """The plan in a settings file, or in the text of one.

        Raises
        ------
        DataError, ParameterError
            If the file cannot be read, or with every problem of what it asks for.
        """
        asked, origin = toml.load(source, of_columns(), options())
        plan, problems = cls.gather(asked, origin)
        if problems:
            raise ParameterError(together(problems))
        return plan

    def __repr__(self) -> str:
        return f"Plan({', '.join(f'{name}={value!r}' for name, value in self.given.items())})"


@cache
def options() -> Mapping[str, Option]:
    """Everything that can be asked, by name: the one table that all surfaces are made from."""
    return of(Plan)


@cache
def of_columns() -> dict[str, str]:
    """Settings of a column in a file, and the option that gathers each."""
    return {o.of_column: o.name for o in options().values() if o.of_column}


def _plain(value: Any) -> Any:
    """Tuples as lists, as JSON has them."""
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    return value


def _lacking(option: Option, owner: str) -> str:
    flag = f" ({option.flag.names[0]})" if option.flag else ""
    return f"{owner} must be given {option.name}{flag}: {option.rule}"


def _refused(option: Option, owner: str, value: Any) -> str:
    remedy = "A group of one protects nobody." if option.name == "k" and value == 1 else ""
    return str(bad_parameter(option.name, owner, option.rule, value, remedy)).rstrip(". ")
