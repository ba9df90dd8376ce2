"""Step 1, *Open*: the files of the folder, how one is read, what was found in it."""

from __future__ import annotations

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from coterie.app.forms import Form
from coterie.app.pages.acting import action
from coterie.app.render import answer, session_of
from coterie.app.session import Session
from coterie.app.state import TableFile, empty_plan
from coterie.table import formats

__all__ = ["look_again", "open_table", "show"]

READING = ("format", "delimiter", "encoding", "sheet")


async def show(request: Request) -> Response:
    """The page."""
    session = session_of(request)
    return answer(
        request,
        "open",
        tables=session.folder.tables(),
        formats=list(formats.FORMATS),
        reading={
            **dict.fromkeys(READING, ""),
            **dict(session.state.table.options if session.state.table else ()),
        },
        folder=str(session.folder.root),
    )


@action("open", timely=True)
def open_table(request: Request, session: Session, form: Form) -> None:
    """Another table, or the same one read otherwise; the plan stays with a table that stays."""
    name = form.one("name")
    path = session.folder.inside(name)
    given = {option: form.one(option) for option in READING}
    if given["delimiter"] == "tab":
        given["delimiter"] = "\t"
    options = tuple((option, text) for option, text in given.items() if text)
    table = TableFile(session.folder.shown(path), options)
    before = session.state
    same = before.table is not None and before.table.name == table.name
    plan = before.plan if same else empty_plan()
    session.change(replace(before, table=table, plan=plan), "open")


@action("open")
def look_again(request: Request, session: Session, form: Form) -> None:
    """Read the table anew: it may have changed on the disk."""
    session.looking = None
    session.look_again()
