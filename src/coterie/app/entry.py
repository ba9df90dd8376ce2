"""Who is let in: a ticket that opens once, or a token from a file; then a cookie."""

from __future__ import annotations

import hmac
import secrets
import stat
from dataclasses import dataclass, field
from pathlib import Path

from coterie.errors import DataError

__all__ = ["Entry", "read_token"]

BYTES = 32
SHORTEST = 32  # characters of a token that others may try to guess
MOST_TRIES = 20  # wrong tokens, after which none is taken any more


@dataclass
class Entry:
    """What opens the door, and the cookie that keeps it open.

    Attributes
    ----------
    ticket : str or None
        In the address that is opened; gone with its first use.
    token : str or None
        From a file; may be used again, typed into a form and never part of an address.
    port : int
        Browsers send a cookie to every port of a host, so its name holds ours.
    """

    port: int
    token: str | None = None
    ticket: str | None = None
    cookie: str = field(default_factory=lambda: secrets.token_urlsafe(BYTES), repr=False)
    wrong: int = 0

    def issue(self) -> str:
        """A new ticket; one that was not used yet no longer opens."""
        self.ticket = secrets.token_urlsafe(BYTES)
        return self.ticket

    @property
    def name(self) -> str:
        """Of the cookie."""
        return f"coterie-{self.port}"

    def admits(self, given: str) -> bool:
        """Whether a ticket or token opens the door; a ticket does so once."""
        if self.wrong >= MOST_TRIES:
            return False
        if self.ticket is not None and _same(given, self.ticket):
            self.ticket = None
            return True
        if self.token is not None and _same(given, self.token):
            return True
        self.wrong += 1
        return False

    def knows(self, cookies: str) -> bool:
        """Whether a Cookie header holds ours."""
        for part in cookies.split(";"):
            name, _, value = part.strip().partition("=")
            if name == self.name and _same(value, self.cookie):
                return True
        return False

    @property
    def set_cookie(self) -> str:
        """The header that gives the cookie to the browser, until that is closed."""
        return f"{self.name}={self.cookie}; Path=/; HttpOnly; SameSite=Strict"


def read_token(path: str) -> str:
    """The token in a file that only its owner can read.

    Raises
    ------
    DataError
        If it cannot be read, others can read it too, or it is short enough to be guessed.
    """
    try:
        mode = Path(path).stat().st_mode
        token = Path(path).read_text(encoding="utf-8").strip()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no text"
        raise DataError(f"--token-file {path} cannot be read ({reason}). Check the path.") from None
    if mode & (stat.S_IRGRP | stat.S_IROTH):
        raise DataError(
            f"--token-file must be readable by its owner alone. Got {path} with mode "
            f"{stat.S_IMODE(mode):o}; run chmod 600 on it."
        )
    if len(token) < SHORTEST or not token.isascii() or not token.isprintable():
        raise DataError(
            f"--token-file must hold a token of at least {SHORTEST} plain characters. Got "
            f"{len(token)}; `openssl rand -hex 32` makes one."
        )
    return token


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode(), wanted.encode())
