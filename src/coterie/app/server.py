"""The server: bound to this machine, opened by a ticket, ended by Ctrl-C or by its last page."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import sys
import webbrowser
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import FrameType

from coterie import scratch
from coterie.app.entry import Entry, read_token
from coterie.app.folder import Folder
from coterie.app.state import TableFile
from coterie.errors import DataError, ParameterError

__all__ = ["serve"]

LOCAL = "127.0.0.1"
DEMO = "patients.csv"
MEANING = """\
coterie: --listen {address}: whoever reaches this address and has the token can read every table in
coterie: {folder} and write files there. What they send and see is not encrypted: use a network that
coterie: you trust, or a tunnel (ssh -L) in place of --listen."""


def serve(
    place: str = ".",
    *,
    port: int = 0,
    browser: bool = True,
    demo: bool = False,
    listen: str = LOCAL,
    token_file: str | None = None,
) -> None:
    """Serve the app until it is ended.

    Parameters
    ----------
    place : str
        The folder that it may read and write, or a file in it, which is opened.
    port : int
        0 for any that is free.
    browser : bool
        Whether to open one; else the address is printed.
    demo : bool
        On the embedded table, in a folder of its own that goes when the app ends.
    listen : str
        Another address of this machine; with `token_file` only.
    token_file : str, optional
        Holds what others must know.
    """
    if listen != LOCAL and token_file is None:
        raise ParameterError(
            f"--listen must come with --token-file FILE: others could open the app at {listen!r}. "
            f"Leave it out to serve {LOCAL} alone."
        )
    token = None if token_file is None else read_token(token_file)
    with _folder(place, demo) as (folder, name), _bound(listen, port) as bound:
        authority = "{}:{}".format(*bound.getsockname()[:2])
        entry = Entry(bound.getsockname()[1], token)
        asyncio.run(_serve(folder, name, demo, entry, authority, bound, browser, listen))


@contextlib.contextmanager
def _folder(place: str, demo: bool) -> Iterator[tuple[Folder, str]]:
    """The folder, and the name of a file in it that is to be opened."""
    if demo:
        with scratch.folder(None, "demo") as fresh:  # gone however the app ends
            yield Folder.at(fresh), DEMO
        return
    path = Path(place)
    if not path.exists():
        raise DataError(f"{place} does not exist. Name a folder, or a table in one.")
    real = Path(os.path.realpath(path))
    if real.is_dir():
        yield Folder(real), ""
    else:
        yield Folder(real.parent), real.name


@contextlib.contextmanager
def _bound(listen: str, port: int) -> Iterator[socket.socket]:
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    with contextlib.closing(bound):
        if sys.platform != "win32":
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            if not socket.inet_aton(listen).strip(b"\0"):
                raise ParameterError(
                    f"--listen must name one address of this machine. Got {listen!r}, which is all "
                    "of them; the app answers to the one in its address only."
                )
            bound.bind((listen, port))
            bound.listen(128)  # who comes before the server is ready waits, and is not refused
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise ParameterError(
                f"{listen}:{port} cannot be listened at ({reason}). Choose another --port, or 0 "
                "for any that is free."
            ) from None
        yield bound


async def _serve(
    folder: Folder,
    name: str,
    demo: bool,
    entry: Entry,
    authority: str,
    bound: socket.socket,
    browser: bool,
    listen: str,
) -> None:
    import uvicorn

    from coterie.app.session import Session
    from coterie.app.site import site

    session = Session(folder)
    if demo:
        session.demonstrate(name)
    elif name:
        session.change(replace(session.state, table=TableFile(name)), "open")
    loop = asyncio.get_running_loop()

    class Server(uvicorn.Server):
        """Sleeps until it is ended, where uvicorn's own looks around ten times a second."""

        async def main_loop(self) -> None:
            await session.closing.wait()
            session.touch()  # whoever listens is to hear of it
            await asyncio.sleep(0.2)  # the last page goes out

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            # Not `set` alone: the loop may be asleep, and nothing else would wake it.
            loop.call_soon_threadsafe(session.closing.set)

    settings = uvicorn.Config(
        site(session, entry, authority),
        log_config=None,
        log_level=None,
        access_log=False,
        server_header=False,
        date_header=False,
        lifespan="off",
        ws="none",
        http="h11",
        loop="asyncio",
        timeout_graceful_shutdown=1,
    )
    server = Server(settings)
    _announce(folder, entry, authority, browser, listen)
    try:
        await server.serve([bound])
    finally:
        await session.close()


def _announce(folder: Folder, entry: Entry, authority: str, browser: bool, listen: str) -> None:
    """Open the address, or print it: whoever has it first is let in."""
    if listen != LOCAL:
        print(MEANING.format(address=listen, folder=folder.root), file=sys.stderr)
        print(f"coterie: open http://{authority}/enter and give the token", flush=True)
        return
    address = f"http://{authority}/enter?ticket={entry.issue()}"
    opened = browser and webbrowser.open(address)
    if not opened:
        print(f"coterie: open {address}", flush=True)
    print("coterie: Ctrl-C ends the app", file=sys.stderr, flush=True)
