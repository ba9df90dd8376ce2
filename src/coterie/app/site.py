"""The site: every address, and nothing beside them."""

from __future__ import annotations

import json
import mimetypes
from collections.abc import AsyncIterator
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from coterie.app.entry import Entry
from coterie.app.forms import read_form
from coterie.app.guard import Guard
from coterie.app.pages import choosing, declaring, opening, past, releasing, running
from coterie.app.render import answer, session_of
from coterie.app.session import Session

__all__ = ["site"]

STATIC = Path(__file__).parent / "static"


def site(session: Session, entry: Entry, authority: str) -> ASGIApp:
    """The application, behind its guard."""
    app = Starlette(
        routes=[
            Route("/", _first),
            Route("/enter", _enter, methods=["GET", "POST"]),
            Route("/open", opening.show),
            Route("/open", opening.open_table, methods=["POST"]),
            Route("/open/again", opening.look_again, methods=["POST"]),
            Route("/declare", declaring.show),
            Route("/declare", declaring.apply, methods=["POST"]),
            Route("/declare/propose", declaring.propose, methods=["POST"]),
            Route("/choose", choosing.show),
            Route("/choose", choosing.apply, methods=["POST"]),
            Route("/choose/curve", choosing.begin_curve, methods=["POST"]),
            Route("/choose/take", choosing.take, methods=["POST"]),
            Route("/run", running.show),
            Route("/run", running.start, methods=["POST"]),
            Route("/run/control", running.control, methods=["POST"]),
            Route("/release", releasing.show),
            Route("/release", releasing.write, methods=["POST"]),
            Route("/history", past.show),
            Route("/history/undo", past.undo, methods=["POST"]),
            Route("/history/redo", past.redo, methods=["POST"]),
            Route("/history/go", past.go, methods=["POST"]),
            Route("/history/name", past.name, methods=["POST"]),
            Route("/plan/keep", past.keep, methods=["POST"]),
            Route("/plan/load", past.load, methods=["POST"]),
            Route("/quit", past.quit_app, methods=["POST"]),
            Route("/events", _events),
            Route("/static/{name}", _static),
        ],
        # What went wrong may hold values: such a page says that it did, and no more.
        exception_handlers={HTTPException: _lost, Exception: _broken},
    )
    app.state.session = session
    app.state.entry = entry
    return Guard(app, authority, entry)


async def _first(request: Request) -> Response:
    return RedirectResponse("/open", 303)


async def _enter(request: Request) -> Response:
    """The door: a ticket in the address, or a token in the form."""
    entry: Entry = request.app.state.entry
    if request.method == "POST":
        given = (await read_form(request)).one("token")
    else:
        given = request.query_params.get("ticket", "")
        if not given and entry.token is not None:
            return answer(request, "enter", form=True)
    if not entry.admits(given):
        return answer(request, "enter", 403, form=entry.token is not None)
    # A page, not a redirect: the browser then comes from here, and brings the cookie with it.
    page = answer(request, "entered")
    page.headers["set-cookie"] = entry.set_cookie
    return page


async def _events(request: Request) -> Response:
    """Server-sent events: the state of things whenever it changes."""
    session = session_of(request)

    async def lines() -> AsyncIterator[str]:
        async for reported in session.events():
            yield f"data: {json.dumps(reported)}\n\n"

    return StreamingResponse(lines(), media_type="text/event-stream")


async def _static(request: Request) -> Response:
    name = request.path_params["name"]
    files = {path.name: path for path in STATIC.iterdir()}
    if name not in files:
        raise HTTPException(404)
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Response(files[name].read_bytes(), media_type=kind)


async def _lost(request: Request, error: Exception) -> Response:
    code = error.status_code if isinstance(error, HTTPException) else 500
    return answer(request, "error", code, code=code)


async def _broken(request: Request, error: Exception) -> Response:
    return answer(request, "error", 500, code=500)
