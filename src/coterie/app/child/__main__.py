"""The child's process: commands from standard input, events to what was standard output."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from coterie import scratch
from coterie.app.child.desk import Desk
from coterie.app.child.wire import Controls, Stopped, Wire
from coterie.errors import CoterieError

__all__ = ["main"]


def main() -> None:
    """Serve commands until the input ends."""
    stream = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no event
    for name in ("SIGINT", "SIGHUP"):  # of the terminal: the server decides
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    wire = Wire(stream)
    controls = Controls(wire.send)
    commands: queue.Queue[dict[str, Any]] = queue.Queue()
    threading.Thread(target=_listen, args=(commands, controls), daemon=True).start()
    desk = Desk(wire, controls)
    while True:
        _serve(desk, commands.get())


def _serve(desk: Desk, command: dict[str, Any]) -> None:
    try:
        answer = _do(desk, command)
    except Stopped:
        desk.wire.send("stopped")
    except KeyboardInterrupt:  # taken where there was nothing to take
        desk.wire.send("stopped")
    except CoterieError as error:
        desk.wire.send("failed", text=str(error), problems=error.problems)
    except MemoryError:
        desk.wire.send("failed", text="", shortage=True)
    except Exception as error:
        if os.environ.get("COTERIE_DEBUG"):
            raise
        # The message of another library may hold values: its kind alone is told.
        desk.wire.send("failed", text="", unexpected=type(error).__name__)
    else:
        desk.wire.send("done", result=answer)


def _do(desk: Desk, command: Mapping[str, Any]) -> Any:
    """Carry out a command; its answer."""
    from coterie.app.child import curve, demonstration, looking, running, writing

    jobs: dict[str, Callable[[Desk, Mapping[str, Any]], Any]] = {
        "demonstrate": demonstration.write_table,
        "look": looking.look,
        "curve": curve.curve,
        "run": running.run,
        "write": writing.write,
    }
    return jobs[command["do"]](desk, command)


def _listen(commands: queue.Queue[dict[str, Any]], controls: Controls) -> NoReturn:
    """Sort what comes: words about the work at hand at once, commands one after the other."""
    for line in sys.stdin.buffer:
        with contextlib.suppress(ValueError):
            message = json.loads(line)
            if "control" in message:
                controls.hear(message["control"])
            else:
                controls.begin()  # here, so that no later word is about the last command
                commands.put(message)
    # The server is gone: nothing of ours stays on the disk.
    scratch.clear(settle=0.05)
    os._exit(0)


if __name__ == "__main__":
    main()
