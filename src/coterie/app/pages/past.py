"""The history, and plans that are kept in the folder and loaded from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from coterie.app.forms import Form
from coterie.app.pages.acting import action
from coterie.app.render import STEPS, answer, back, session_of
from coterie.app.session import Session
from coterie.app.words import say
from coterie.errors import ParameterError, shown
from coterie.plan import Plan, toml
from coterie.plan.plan import of_columns, options
from coterie.table import atomic

__all__ = ["go", "keep", "load", "name", "quit_app", "redo", "show", "undo"]


async def show(request: Request) -> Response:
    """Every state, and two of them side by side."""
    session = session_of(request)
    two = [_number(request.query_params.get(side, "")) for side in ("first", "second")]
    compared = None
    if all(two):
        try:
            states = [session.history.entry(number).state for number in two]
            compared = list(states[0].differences(states[1]))
        except ParameterError:
            two = [0, 0]
    return answer(request, "history", two=two, compared=compared)


def _number(text: str) -> int:
    return int(text) if text.isdigit() and len(text) < 10 else 0


def _page(form: Form) -> str:
    page = form.one("page")
    return page if page in (*STEPS, "history") else "open"


@action("open")
def undo(request: Request, session: Session, form: Form) -> Response:
    """One state back."""
    _step(session, session.history.undo)
    return back(request, _page(form))


@action("open")
def redo(request: Request, session: Session, form: Form) -> Response:
    """What was undone counts again."""
    _step(session, session.history.redo)
    return back(request, _page(form))


@action("history")
def go(request: Request, session: Session, form: Form) -> None:
    """An earlier state counts again."""
    _step(session, session.history.go, _number(form.one("number")))


def _step(session: Session, way: Callable[..., object], *to: int) -> None:
    """Another state of the history counts."""
    before = session.state
    way(*to)
    session.settle(before)


@action("history")
def name(request: Request, session: Session, form: Form) -> None:
    """Name a state."""
    session.history.name(_number(form.one("number")), form.one("name"))
    session.touch("state")


@action("open")
def keep(request: Request, session: Session, form: Form) -> Response:
    """Write the plan into the folder."""
    given = form.one("file").strip()
    page = _page(form)
    try:
        path = session.folder.target(given)
        if path.suffix.lower() != ".toml":
            raise ParameterError(say("error.plan_ending", name=shown(given)))
        if path.exists() and "replace" not in form:
            raise ParameterError(say("error.exists", name=shown(given)))
    except ParameterError as error:
        return back(request, page, "warn", str(error))
    atomic.write_text(path, session.state.plan.to_toml())
    return back(request, page, "good", say("plan.kept", name=session.folder.shown(path)))


@action("open", timely=True)
def load(request: Request, session: Session, form: Form) -> Response:
    """Take a plan of the folder."""
    path = session.folder.inside(form.one("file"))
    asked, origin = toml.load(path, of_columns(), options())
    plan, problems = Plan.gather(asked, origin)
    session.folder.holds_files_of(plan)
    session.change(replace(session.state, plan=plan), "load")
    if problems:
        return back(request, _page(form), "warn", "; ".join(problems))
    return back(request, _page(form))


async def quit_app(request: Request) -> Response:
    """The last page; then the server ends."""
    session = session_of(request)
    page = answer(request, "bye")
    session.closing.set()
    return page
