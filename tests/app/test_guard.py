"""Nobody else gets in: each check by itself, and together with the others."""

from __future__ import annotations

import pytest

pytest.importorskip("starlette")

from coterie.app.entry import Entry
from coterie.app.guard import HEADERS, MOST_BYTES, Guard
from tests.app.asked import AUTHORITY, ORIGIN, asked


async def inside(scope, receive, send):
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"inside"})


@pytest.fixture
def entry():
    return Entry(8400)


@pytest.fixture
def ours(entry):
    return f"{entry.name}={entry.cookie}"


@pytest.fixture
def guard(entry):
    return Guard(inside, AUTHORITY, entry)


def test_our_own_browser_gets_in(guard, ours):
    assert asked(guard, cookie=ours).text == "inside"
    assert asked(guard, "POST", form={}, cookie=ours).text == "inside"
    typed = [("sec-fetch-site", "none")]
    assert asked(guard, cookie=ours, headers=typed).text == "inside"


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.0.0.1:8401",
        "localhost:8400",
        "attacker.example",
        "attacker.example:8400",
        "127.0.0.1:8400.attacker.example",
        "[::1]:8400",
        "",
        None,
    ],
)
def test_another_host_is_refused_whatever_it_brings(guard, ours, host):
    answer = asked(guard, host=host, cookie=ours)
    assert answer.code == 421
    assert "inside" not in answer.text


def test_two_hosts_are_refused(guard, ours):
    assert asked(guard, cookie=ours, headers=[("host", AUTHORITY)]).code == 421


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(
    "origin",
    [
        "https://attacker.example",
        "http://127.0.0.1",
        "http://127.0.0.1:8401",
        "http://localhost:8400",
        "https://127.0.0.1:8400",
        "null",
        "",
    ],
)
def test_another_origin_is_refused_with_the_cookie(guard, ours, method, origin):
    answer = asked(guard, method, cookie=ours, headers=[("origin", origin)])
    assert (answer.code, "inside" in answer.text) == (403, False)


@pytest.mark.parametrize("site", ["cross-site", "same-site", "", "other"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_requests_that_other_sites_began_are_refused(guard, ours, method, site):
    headers = [("origin", ORIGIN), ("sec-fetch-site", site)]
    assert asked(guard, method, cookie=ours, headers=headers).code == 403


def test_a_form_without_an_origin_is_refused(guard, ours):
    assert asked(guard, "POST", cookie=ours).code == 403
    headers = [("sec-fetch-site", "none"), ("origin", ORIGIN)]
    assert asked(guard, "POST", cookie=ours, headers=headers).code == 403


@pytest.mark.parametrize("cookie", ["", "coterie-8400=", "coterie-8400=guess", "other=1"])
def test_without_the_cookie_there_is_nothing(guard, cookie):
    assert asked(guard, cookie=cookie).code == 403
    assert asked(guard, "POST", form={}, cookie=cookie).code == 403


def test_the_cookie_of_another_port_does_not_count(guard, entry):
    assert asked(guard, cookie=f"coterie-8401={entry.cookie}").code == 403


def test_only_the_door_and_our_own_files_are_open(guard):
    assert asked(guard, path="/enter?ticket=x").code == 200  # what it says is the site's business
    assert asked(guard, path="/static/app.css").code == 200
    for path in ("/", "/open", "/events", "/enterx/../open", "/Enter", "/static", "//enter"):
        answer = asked(guard, path=path)
        # A path that merely begins like the door's leads to no page: there is none of that name.
        assert answer.code == 403 or path.startswith("/enter")


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"])
def test_other_methods_are_refused(guard, ours, method):
    assert asked(guard, method, cookie=ours).code == 405


def test_large_bodies_are_refused_by_their_word_and_by_their_bytes(guard, ours):
    headers = [("origin", ORIGIN), ("content-length", str(MOST_BYTES + 1))]
    assert asked(guard, "POST", cookie=ours, headers=headers).code == 413
    headers = [("origin", ORIGIN), ("content-length", "-5")]
    assert asked(guard, "POST", cookie=ours, headers=headers).code == 413
    headers = [("origin", ORIGIN), ("content-length", "5")]
    liar = {"cookie": ours, "headers": headers, "body": b"x" * (MOST_BYTES + 1)}
    assert asked(guard, "POST", **liar).code == 413


@pytest.mark.parametrize("cookie", [True, False])
def test_every_answer_carries_the_policy(guard, ours, cookie):
    answer = asked(guard, cookie=ours if cookie else "")
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert answer.headers["cache-control"] == "no-store"


def test_what_goes_wrong_inside_is_not_told(entry, ours, monkeypatch):
    monkeypatch.delenv("COTERIE_DEBUG", raising=False)

    async def broken(scope, receive, send):
        raise ValueError("secret 4711")

    answer = asked(Guard(broken, AUTHORITY, entry), cookie=ours)
    assert answer.code == 500
    assert "4711" not in answer.text + str(answer.headers)
