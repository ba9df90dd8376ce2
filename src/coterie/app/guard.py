"""Nobody else gets in: what every request must show, and what every answer carries.

A page of another site can make the user's browser send requests here. It can forge neither Host nor
Origin nor Sec-Fetch-Site, so each of them is held against the one address that was opened: another
Host is DNS rebinding, another Origin or site is a foreign page. Then the cookie, which is sent by
pages of ours alone. Refusals say nothing but their number.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from coterie.app.entry import Entry

__all__ = ["HEADERS", "MOST_BYTES", "Guard"]

MOST_BYTES = 1_000_000  # of a form: roles and orders of a wide table

# `same-origin`, not `no-referrer`: with the latter browsers send "Origin: null" with forms, and the
# check of the origin would be worth nothing. Neither tells another site anything.
HEADERS = {
    "content-security-policy": (
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; "
        "frame-ancestors 'none'"
    ),
    "cache-control": "no-store",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "x-dns-prefetch-control": "off",
}
OPEN = ("/enter", "/static/")  # without the cookie: the door, and files of the package
READING = ("GET", "HEAD")


class Guard:
    """Lets a request through to `app` if it comes from the one browser that was let in.

    Parameters
    ----------
    app : ASGI application
    authority : str
        ``127.0.0.1:8400``: the only Host that is answered.
    entry : Entry
        Whose cookie counts.
    """

    def __init__(self, app: ASGIApp, authority: str, entry: Entry) -> None:
        self.app = app
        self.authority = authority
        self.entry = entry

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # a web socket: not accepted, so closed
        code = self.refusal(scope)
        if code:
            await _refuse(code, send)
            return
        outward = _Outward(send)
        try:
            await self.app(scope, _bounded(receive), outward)
        except TooLarge:
            await _refuse(413, send)
        except Exception:
            # A server would log it, and the message may hold values.
            if os.environ.get("COTERIE_DEBUG"):
                raise
            if not outward.begun:
                await _refuse(500, send)

    def refusal(self, scope: Scope) -> int:
        """The number that a request is refused with; 0 for one that passes."""
        headers = _Headers(scope["headers"])
        if headers.all("host") != [self.authority]:
            return 421
        if scope["method"] not in (*READING, "POST"):
            return 405
        origins = headers.all("origin")
        if any(origin != f"http://{self.authority}" for origin in origins):
            return 403
        sites = headers.all("sec-fetch-site")
        reading = scope["method"] in READING
        if any(site not in ("same-origin", *(["none"] if reading else [])) for site in sites):
            return 403
        if not reading and not origins:  # every browser sends it with a form
            return 403
        length = headers.one("content-length")
        if length and (not length.isdigit() or int(length) > MOST_BYTES):
            return 413
        if not scope["path"].startswith(OPEN) and not self.entry.knows(headers.one("cookie")):
            return 403
        return 0


class TooLarge(Exception):
    """A body went on beyond what it may hold."""


class _Headers:
    def __init__(self, pairs: Iterable[tuple[bytes, bytes]]) -> None:
        self.pairs = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in pairs]

    def all(self, wanted: str) -> list[str]:
        return [value for name, value in self.pairs if name == wanted]

    def one(self, wanted: str) -> str:
        return "; ".join(self.all(wanted))


def _bounded(receive: Receive) -> Receive:
    """Counts the bytes that really come, whatever their header said."""
    seen = 0

    async def wrapped() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > MOST_BYTES:
            raise TooLarge
        return message

    return wrapped


class _Outward:
    """What goes out, with our headers."""

    def __init__(self, send: Send) -> None:
        self.send = send
        self.begun = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            message["headers"] = [*message.get("headers", ()), *_encoded()]
        await self.send(message)


def _encoded() -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in HEADERS.items()]


REFUSALS = {
    403: "Not allowed. Open the address that `coterie app` prints.\n",
    405: "Not allowed.\n",
    413: "Too large.\n",
    421: "This is not the address that was opened.\n",
    500: "Something went wrong. Nothing was written.\n",
}


async def _refuse(code: int, send: Send) -> None:
    body = REFUSALS[code].encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),  # what is left of a body is not read
        *_encoded(),
    ]
    await send({"type": "http.response.start", "status": code, "headers": headers})
    await send({"type": "http.response.body", "body": body})
