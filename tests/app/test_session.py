"""The session: what counts of the looks at a table that comes, goes and comes back."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

pytest.importorskip("starlette", reason="needs the extra app")

from coterie.app.folder import Folder
from coterie.app.session import Session
from coterie.app.state import TableFile


class Asked:
    """Stands in for the child: answers every look at once, and counts them."""

    def __init__(self):
        self.tables = []

    async def ask(self, command, hear):
        self.tables.append(command["table"]["path"].rpartition("/")[2])
        await asyncio.sleep(0)
        return {"event": "done", "result": {"of": self.tables[-1]}}


def test_a_table_left_and_taken_again_at_once_is_looked_at_again(tmp_path):
    for name in ("one.csv", "two.csv"):
        (tmp_path / name).write_text("x\n1\n")

    async def story():
        session = Session(Folder(tmp_path))
        session.worker = Asked()
        for name in ("one.csv", "two.csv"):
            session.change(replace(session.state, table=TableFile(name)), "open")
            if name == "one.csv":
                await asyncio.gather(*session._tasks)
        before = session.state
        session.history.undo()  # before the look at the second has begun
        session.settle(before)
        await asyncio.gather(*session._tasks)
        return session.look, session.worker.tables

    look, tables = asyncio.run(story())
    assert look == {"of": "one.csv"}
    assert tables == ["one.csv", "one.csv"]
