"""What all forms share: read, refuse what is out of date, say what went wrong on the same page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from coterie.app.forms import Form, read_form
from coterie.app.render import back, session_of
from coterie.app.session import Session
from coterie.app.words import say
from coterie.errors import CoterieError

__all__ = ["action"]

Act = Callable[[Request, Session, Form], "Response | None"]


def action(
    page: str, *, timely: bool = False
) -> Callable[[Act], Callable[..., Awaitable[Response]]]:
    """A form's handler: afterwards the browser is sent to `page`, or where it was sent to.

    A `timely` form changes what is asked for. It carries the number of the state that it was made
    from; if another tab has changed that meanwhile, nothing is done, and the page says so.
    """

    def decorate(act: Act) -> Callable[..., Awaitable[Response]]:
        async def handle(request: Request) -> Response:
            session = session_of(request)
            form = await read_form(request)
            if timely and form.one("seen") != str(session.history.number):
                return back(request, page, "warn", say("error.out_of_date"))
            try:
                return act(request, session, form) or back(request, page)
            except CoterieError as error:
                return back(request, page, "warn", str(error))

        return handle

    return decorate
