"""The session: one folder, one history, one job at a time; what every tab of the browser sees."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from coterie.app.folder import Folder
from coterie.app.job import Job
from coterie.app.state import History, State, TableFile, amended
from coterie.app.words import say
from coterie.app.worker import Gone, Worker
from coterie.errors import ParameterError

__all__ = ["Busy", "Done", "Session"]

GRACE = 0.7  # seconds in which work may end by itself before its process is ended
PACE = 0.25  # seconds between two words to a browser
MOST_RUNS = 50
DEMONSTRATION = {
    "quasi_identifiers": ["age", "sex", "bmi", "bp"],
    "confidential": ["progression"],
    "types": {"sex": "nominal"},
}


class Busy(ParameterError):
    """Another job is at work."""


@dataclass
class Done:
    """A run that has ended well: its number, the state that it was asked with, its summary."""

    number: int
    state: State
    summary: dict[str, Any]
    history: int  # number of the state

    @property
    def risk(self) -> float | None:
        """Expected share of records linked, where it was measured."""
        found = {one["name"]: one for one in self.summary["measures"]}
        value = found.get("dld_expected", {}).get("value")
        return None if value is None else float(value)


class Session:
    """What the server knows. It never holds the table: only what the child has told about it.

    Attributes
    ----------
    look : dict or None
        What the child found of the table and plan that count now.
    points : list of dict
        The curve of risk and loss.
    runs : list of Done
        From the first on.
    versions : dict
        Numbers that grow with every change of the state, the look, the curve, the job; a page shows
        those that it was made from, so that a browser sees what is out of date.
    """

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.history = History(State())
        self.worker = Worker(folder.root)
        self.look: dict[str, Any] | None = None
        self.look_failed = ""
        self.points: list[dict[str, Any]] = []
        self.points_of: object = None
        self.runs: list[Done] = []
        self.written: list[dict[str, Any]] = []
        self.job: Job | None = None
        self.looking: Job | None = None
        self.notes: deque[tuple[int, str, str]] = deque(maxlen=100)
        self.versions = {"state": 1, "look": 1, "curve": 1, "job": 1}
        self.closing = asyncio.Event()
        self._turn = asyncio.Lock()  # the child does one thing at a time
        self._changed = asyncio.Event()
        self._numbers = 0
        self._tasks: set[asyncio.Task[None]] = set()

    # What is asked

    @property
    def state(self) -> State:
        """What counts now."""
        return self.history.now

    def change(self, state: State, what: str) -> None:
        """A new state; what was found of the old one is found anew."""
        before = self.state
        self.history.change(state, what)
        self.settle(before)

    def settle(self, before: State) -> None:
        """Look again where the state is another than it was."""
        if self.state == before:
            return
        if self.state.table != before.table:
            # Also what was looked at last: who goes straight back to it has no look any more.
            self.look, self.looking, self.points = None, None, []
        self.touch("state")
        self.look_again()

    def note(self, kind: str, text: str) -> int:
        """Keep a message for the next page; gives its number, which an address may hold."""
        self._numbers += 1
        self.notes.append((self._numbers, kind, text))
        return self._numbers

    def touch(self, *what: str) -> None:
        """Tell every browser that something has changed."""
        for one in what:
            self.versions[one] += 1
        summary, self._changed = self._changed, asyncio.Event()
        summary.set()

    # Work

    def table_of(self, table: TableFile) -> dict[str, Any]:
        """A table as the child is told; the path is looked at anew each time."""
        return {"path": str(self.folder.inside(table.name)), "options": dict(table.options)}

    def asked(self) -> dict[str, Any]:
        """Table and plan as the child is told.

        Raises
        ------
        ParameterError
            Without a table, or where the plan names a file outside of the folder.
        """
        if self.state.table is None:
            raise ParameterError(say("error.no_table"))
        self.folder.holds_files_of(self.state.plan)
        return {"table": self.table_of(self.state.table), "plan": self.state.plan.to_toml()}

    def look_again(self) -> None:
        """Have the table and plan looked at as soon as the child is free."""
        if self.state.table is not None:
            self._spawn(self._look())

    def demonstrate(self, name: str) -> None:
        """Have the child write the embedded table, and open it with the demonstration's plan."""
        self._spawn(self._demonstrate(str(self.folder.inside(name))))
        plan, _ = amended(self.state.plan, DEMONSTRATION)
        self.change(replace(self.state, table=TableFile(name), plan=plan), "open")

    async def _demonstrate(self, path: str) -> None:
        async with self._turn:
            with contextlib.suppress(Gone):
                await self.worker.ask({"do": "demonstrate", "path": path}, lambda event: None)

    def begin(self, kind: str, **command: Any) -> Job:
        """Start a job.

        Raises
        ------
        Busy
            If another one is at work; a curve gives way.
        """
        if self.job is not None and self.job.active:
            if self.job.kind != "curve":
                raise Busy(say("error.busy", kind=say(f"job.{self.job.kind}")))
            self.cancel()
        self._numbers += 1
        job = self.job = Job(self._numbers, kind)
        self._spawn(self._work(job, {"do": kind, "number": job.number, **command}))
        self.touch("job")
        return job

    def cancel(self) -> None:
        """End the job at once: by itself, or with its process."""
        job = self.job
        if job is not None and job.status == "waiting":
            job.canceled, job.status = True, "canceled"
            self.touch("job")
        elif job is not None and job.active and not job.canceled:
            job.canceled, job.status = True, "stopping"
            self.worker.say("stop")
            self._spawn(self._insist(job))
            self.touch("job")

    async def _insist(self, job: Job) -> None:
        await asyncio.sleep(GRACE)
        if job.status == "stopping":
            self.worker.kill()

    async def _work(self, job: Job, command: Mapping[str, Any]) -> None:
        async with self._turn:
            if job.canceled:
                return
            job.status = "running"
            self.touch("job")
            state, place = self.state, self.history.number

            def hear(event: dict[str, Any]) -> None:
                job.hear(event)
                if event["event"] == "point":
                    self.points.append(event["point"])
                    self.touch("curve")
                self.touch(*(["job"] if event["event"] in ("step", "paused", "resumed") else []))

            try:
                last = await self.worker.ask(command, hear)
            except Gone:
                last = {"event": "stopped"} if job.canceled else {"event": "gone"}
            self._ended(job, last, state, place)

    def _ended(self, job: Job, last: dict[str, Any], state: State, place: int) -> None:
        if last["event"] == "done":
            job.status = "done"
            if job.kind == "run":
                self.runs.append(Done(job.number, state, last["result"], place))
                del self.runs[:-MOST_RUNS]
            elif job.kind == "write":
                self.written += job.steps
        elif last["event"] == "stopped":
            job.status = "canceled"
        else:
            job.status, job.text = "failed", _reason(last)
        self.touch("job", "curve")

    async def _look(self) -> None:
        async with self._turn:
            state = self.state
            if state.table is None or (self.looking and self.looking.text == _key(state)):
                return
            job = self.looking = Job(0, "look", "running")
            try:
                command = {"do": "look", **self.asked()}
                last = await self.worker.ask(command, job.hear)
            except Gone:
                last = {"event": "gone"}
            except ParameterError as error:
                last = {"event": "failed", "text": str(error)}
            done = last["event"] == "done"
            job.status = "done" if done else "failed"
            job.text = _key(state) if done else ""
            if state == self.state:
                self.look = last["result"] if done else None
                self.look_failed = "" if done else _reason(last)
            self.touch("look")

    def _spawn(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Browsers

    async def events(self) -> AsyncIterator[dict[str, Any]]:
        """The state of things, now and whenever it changes; ends when the server does."""
        seen: object = None
        while not self.closing.is_set():
            changed = self._changed  # before the look at things, so that no change is missed
            summary = {
                "versions": dict(self.versions),
                "job": None if self.job is None else self.job.snapshot(),
            }
            if summary != seen:
                seen = summary
                yield summary
            # While a job runs its progress is looked at; else nothing happens until a change.
            busy = self.job is not None and self.job.active
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(PACE if busy else None):
                    await changed.wait()
            await asyncio.sleep(PACE / 2)

    async def close(self) -> None:
        """End everything: browsers that listen, the job, the child."""
        self.closing.set()
        self._changed.set()
        tasks = list(self._tasks)
        for task in tasks:  # before the child: whoever waits for its turn would start another
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.worker.end()


def _key(state: State) -> str:
    """What a look was about."""
    return repr((state.table, state.plan.to_toml()))


def _reason(last: Mapping[str, Any]) -> str:
    """Why a job failed, in a sentence."""
    if last["event"] == "gone":
        return say("error.gone")
    if last.get("shortage"):
        return say("error.memory")
    if last.get("unexpected"):
        return say("error.unexpected", kind=last["unexpected"])
    return str(last["text"])
