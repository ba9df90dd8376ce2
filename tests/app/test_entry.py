"""Tickets open once, tokens only from files that others cannot read."""

from __future__ import annotations

import os
import sys

import pytest

pytest.importorskip("starlette")

from coterie.app.entry import MOST_TRIES, Entry, read_token
from coterie.errors import DataError, ParameterError


def test_a_ticket_opens_once():
    entry = Entry(8400)
    ticket = entry.issue()
    assert not entry.admits(ticket + "x")
    assert not entry.admits("")
    assert entry.admits(ticket)
    assert not entry.admits(ticket)


def test_a_new_ticket_ends_the_last_one():
    entry = Entry(8400)
    first, second = entry.issue(), entry.issue()
    assert not entry.admits(first)
    assert entry.admits(second)


def test_a_token_opens_again_and_guessing_ends():
    entry = Entry(8400, token="t" * 32)
    assert entry.admits("t" * 32)
    assert entry.admits("t" * 32)
    for _ in range(MOST_TRIES):
        assert not entry.admits("guess")
    assert not entry.admits("t" * 32)


def test_the_cookie_is_for_this_browser_and_site_alone():
    entry = Entry(8400)
    flags = [part.strip() for part in entry.set_cookie.split(";")[1:]]
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(flags)
    assert not any(flag.startswith(("Domain", "Expires", "Max-Age")) for flag in flags)
    assert entry.knows(f"a=b; {entry.name}={entry.cookie}; c=d")
    assert len(entry.cookie) >= 43
    assert Entry(8400).cookie != entry.cookie


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX modes")
def test_token_files(tmp_path):
    path = tmp_path / "token"
    path.write_text("a" * 40 + "\n")
    os.chmod(path, 0o644)
    with pytest.raises(DataError, match="chmod 600"):
        read_token(str(path))
    os.chmod(path, 0o600)
    assert read_token(str(path)) == "a" * 40
    path.write_text("short")
    with pytest.raises(DataError, match=r"at least 32 plain characters\. Got 5"):
        read_token(str(path))
    with pytest.raises(DataError, match="cannot be read"):
        read_token(str(tmp_path / "none"))


def test_other_addresses_need_a_token_file():
    from coterie.app.server import serve

    with pytest.raises(ParameterError, match="--listen must come with --token-file"):
        serve(".", listen="192.0.2.1")


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX modes")
def test_all_addresses_at_once_are_refused(tmp_path):
    from coterie.app.server import serve

    path = tmp_path / "token"
    path.write_text("a" * 40)
    os.chmod(path, 0o600)
    with pytest.raises(ParameterError, match="one address of this machine"):
        serve(str(tmp_path), listen="0.0.0.0", token_file=str(path))
