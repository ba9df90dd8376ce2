"""Templates: what every page is given, and how numbers and moments are put down.

A number goes out as ``<data>`` and a moment as ``<time>``: the script writes them as the browser's
language has them.
"""

from __future__ import annotations

import datetime as dt
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse

from coterie import __version__
from coterie.app.command import command_line
from coterie.app.session import Session
from coterie.app.state import State
from coterie.app.words import catalog, say
from coterie.report.plain import printable

__all__ = ["STEPS", "answer", "back", "released_name", "session_of"]

HERE = Path(__file__).parent
STEPS = ("open", "declare", "choose", "run", "release")
PLAN = "plan.toml"


def session_of(request: Request) -> Session:
    """The session of the server."""
    session: Session = request.app.state.session
    return session


def answer(request: Request, page: str, status: int = 200, **more: Any) -> HTMLResponse:
    """A page."""
    session = session_of(request)
    state = session.state
    text = (
        _environment()
        .get_template(f"{page}.html")
        .render(
            page=page,
            session=session,
            state=state,
            plan=state.plan,
            look=session.look,
            job=session.job,
            toml=state.plan.to_toml(),
            command=_command(state),
            notes=_notes(request, session),
            plans=session.folder.plans(),
            plan_name=PLAN,
            **more,
        )
    )
    return HTMLResponse(text, status)


def back(request: Request, page: str, kind: str = "", text: str = "") -> RedirectResponse:
    """To a page by GET, with a message; the address holds its number alone."""
    address = f"/{page}"
    if text:
        address += f"?note={session_of(request).note(kind, text)}"
    return RedirectResponse(address, 303)


def released_name(state: State) -> str:
    """The name that a release gets unless another one is given."""
    if state.table is None:
        return "released.csv"
    path = Path(state.table.name)
    from coterie.table import formats

    known = {e for f in formats.FORMATS.values() for e in f.writable}
    suffix = path.suffix if path.suffix.lower() in known else ".csv"
    return path.with_name(f"{path.stem}-released{suffix}").as_posix()


def _command(state: State) -> str:
    if state.table is None or not state.plan.quasi_identifiers:
        return ""
    reading = dict(state.table.options)
    return command_line(state.plan, state.table.name, released_name(state), reading=reading)


def _notes(request: Request, session: Session) -> list[tuple[str, str]]:
    wanted = request.query_params.get("note", "")
    return [(kind, text) for number, kind, text in session.notes if str(number) == wanted]


def _number(value: float | None, digits: int = 3, unit: str = "") -> Markup:
    """A number of so many digits that matter; a dash where there is none."""
    if value is None:
        return Markup("–")
    whole = float(value).is_integer() and abs(value) < 1e15
    text = f"{int(value):,}" if whole else f"{float(f'{value:.{digits}g}'):,}"
    shown = Markup('<data class="num" value="{}" data-digits="{}">{}</data>')
    return shown.format(value, digits, text) + (Markup("\u00a0") + escape(unit) if unit else "")


def _percent(value: float | None) -> Markup:
    return _number(value, 3 if value is None or value < 99 else 4, "%" if value is not None else "")


def _moment(when: dt.datetime) -> Markup:
    shown = when.strftime("%H:%M:%S")
    return Markup('<time datetime="{}">{}</time>').format(when.isoformat(timespec="seconds"), shown)


@cache
def _environment() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "number": _number,
        "percent": _percent,
        "moment": _moment,
        "printable": lambda value: printable(str(value)),
    }
    environment.globals |= {
        "t": say,
        "known": lambda key: key in catalog(),
        "steps": STEPS,
        "version": __version__,
    }
    return environment
