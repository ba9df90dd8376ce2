"""Requests to the application without a network: what it answers, to whom."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from urllib.parse import urlencode

AUTHORITY = "127.0.0.1:8400"
ORIGIN = f"http://{AUTHORITY}"


@dataclass
class Answer:
    code: int
    headers: dict[str, str]
    text: str


async def ask(
    app, method="GET", path="/", *, form=None, body=None, headers=(), host=AUTHORITY, cookie=""
):
    """One request; a form is sent as a browser's page of ours would send it."""
    sent = [("host", host)] if host is not None else []
    sent += [("cookie", cookie)] if cookie else []
    if form is not None:
        body = urlencode(form, doseq=True).encode()
        sent += [("origin", ORIGIN), ("sec-fetch-site", "same-origin")]
        sent += [("content-type", "application/x-www-form-urlencoded")]
    sent += list(headers)
    route, _, query = path.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": route,
        "raw_path": route.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in sent],
        "server": ("127.0.0.1", 8400),
        "client": ("127.0.0.1", 50000),
    }
    answers = []

    async def receive():
        return {"type": "http.request", "body": body or b"", "more_body": False}

    async def send(message):
        answers.append(message)

    await app(scope, receive, send)
    found = {name.decode(): value.decode() for name, value in answers[0]["headers"]}
    text = b"".join(message.get("body", b"") for message in answers[1:]).decode()
    return Answer(answers[0]["status"], found, text)


def asked(*args, **options):
    """The same where nothing else is at work."""
    return asyncio.run(ask(*args, **options))
