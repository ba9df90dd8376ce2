"""What the pages edit: the table that is open, the plan, the bars; and the history of all of it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from coterie.errors import ParameterError, bad_parameter
from coterie.plan import Plan
from coterie.plan.plan import options

__all__ = ["FIRST_K", "History", "HistoryEntry", "State", "TableFile", "amended", "empty_plan"]

FIRST_K = 5
MOST_KEPT = 500  # states of a history


@dataclass(frozen=True)
class TableFile:
    """A file of the folder, and how it is read.

    Attributes
    ----------
    name : str
        Within the folder.
    options : tuple of pairs
        What `coterie.table.read` is told: format, delimiter, encoding, sheet.
    """

    name: str
    options: tuple[tuple[str, str], ...] = ()


def empty_plan() -> Plan:
    """A plan that lacks its keys."""
    return Plan.gather({"k": FIRST_K}, draft=True)[0]


def amended(plan: Plan, changes: Mapping[str, Any]) -> tuple[Plan, list[str]]:
    """A plan with some of it changed, as far as it can be had, and what is wrong with that.

    That there are no keys yet is no problem here: a draft is a plan as well.
    """
    asked = {name: getattr(plan, name) for name in plan.given} | dict(changes)
    return Plan.gather(asked, draft=True)


@dataclass(frozen=True)
class State:
    """One state of what is asked for.

    Attributes
    ----------
    bars : mapping
        Thresholds that a release is to meet, by measure: lines in the picture of risk and loss.
    """

    table: TableFile | None = None
    plan: Plan = field(default_factory=empty_plan)
    bars: tuple[tuple[str, float], ...] = ()

    def differences(self, other: State) -> Iterator[tuple[str, Any, Any]]:
        """What is asked otherwise in `other`: its name, here, there."""
        if self.table != other.table:
            yield "table", self.table and self.table.name, other.table and other.table.name
        for name in options():
            here, there = getattr(self.plan, name), getattr(other.plan, name)
            if here != there:
                yield name, here, there
        if self.bars != other.bars:
            yield "bars", dict(self.bars), dict(other.bars)


@dataclass(frozen=True)
class HistoryEntry:
    """A state in the history: its number, what led to it, when, and the name it was given."""

    number: int
    state: State
    what: str
    when: dt.datetime
    name: str = ""


class History:
    """Every state that there was, and the one that counts now.

    What was undone stays in the list: a new change after it starts where it stands, and the states
    that it leaves behind can still be gone back to.

    Examples
    --------
    >>> history = History(State())
    >>> history.change(State(bars=(("il", 10.0),)), "bars")
    >>> history.undo().bars, history.redo().bars
    ((), (('il', 10.0),))
    """

    def __init__(self, first: State) -> None:
        self.entries: list[HistoryEntry] = [HistoryEntry(1, first, "start", _now())]
        self.line = [1]  # numbers from the start to the present, then what can be redone
        self.place = 0

    @property
    def now(self) -> State:
        """The state that counts."""
        return self.entry(self.line[self.place]).state

    @property
    def number(self) -> int:
        """Of the state that counts."""
        return self.line[self.place]

    @property
    def can_undo(self) -> bool:
        """Whether there is a state before."""
        return self.place > 0

    @property
    def can_redo(self) -> bool:
        """Whether something was undone."""
        return self.place + 1 < len(self.line)

    def change(self, state: State, what: str) -> None:
        """A new state; one that asks for the same is none."""
        if state == self.now:
            return
        number = self.entries[-1].number + 1
        self.entries.append(HistoryEntry(number, state, what, _now()))
        self.line = [*self.line[: self.place + 1], number]
        self.place += 1
        while len(self.entries) > MOST_KEPT:
            gone = self.entries.pop(0).number
            if gone in self.line:
                self.line.remove(gone)
                self.place -= 1

    def undo(self) -> State:
        """The state before; the same where there is none."""
        self.place -= self.can_undo
        return self.now

    def redo(self) -> State:
        """What was undone last; the same where nothing was."""
        self.place += self.can_redo
        return self.now

    def go(self, number: int) -> State:
        """An earlier state counts again, as a change that can be undone."""
        self.change(self.entry(number).state, "back")
        return self.now

    def name(self, number: int, name: str) -> None:
        """Give a state a name, or take it away with an empty one."""
        if len(name) > 60 or not (name.isprintable()):
            raise bad_parameter("name", "a state", "at most 60 printable letters", name)
        place = self.entries.index(self.entry(number))
        self.entries[place] = replace(self.entries[place], name=name.strip())

    def entry(self, number: int) -> HistoryEntry:
        """The entry with a number."""
        for entry in self.entries:
            if entry.number == number:
                return entry
        raise ParameterError(f"The history has no state {number}. Choose one of its list.")


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)
