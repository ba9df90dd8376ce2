"""`run`: the commands in one program, and how every error leaves it.

Flags are taken as they are typed: every value is text, so that no package need be loaded to convert
it. The library's own checks name the rule and the value seen; until then numbers are text as well.
Newer typers load pydantic, which takes as long as all the rest of a small command, to make of a
text what it is already.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Annotated, Any

import typer

from coterie import __version__
from coterie.cli import (
    anonymize,
    browser,
    compare,
    demonstrate,
    evaluate,
    hierarchy,
    init,
    look,
    memory,
    methods,
    tune,
    verify,
    warm,
)
from coterie.cli.progress import announced
from coterie.compilation.interrupts import found_again
from coterie.errors import CoterieError

__all__ = ["app", "run"]

INTERRUPTED = 130

app = typer.Typer(
    name="coterie",
    help="Make microdata safe to publish: k-anonymity by microaggregation.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (anonymize, evaluate, verify, compare, tune, look, init, hierarchy, methods, warm):
    app.command(command.__name__.rpartition(".")[2])(command.command)
app.command("demo")(demonstrate.command)
app.command("app")(browser.command)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"coterie {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Make microdata safe to publish: k-anonymity by microaggregation."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; Ctrl-C is raised."""
    try:
        given = list(arguments) if arguments is not None else sys.argv[1:]
        # With --json standard error may be what a program reads.
        quiet = not {"--quiet", "--json"}.isdisjoint(given)
        with found_again(), _as_typed(), announced(quiet=quiet):
            code = app(args=given, prog_name="coterie", standalone_mode=False)
        if code == INTERRUPTED:  # what typer makes of Ctrl-C, without a word
            raise KeyboardInterrupt
        return code if isinstance(code, int) else 0
    except typer.Exit as ending:
        return ending.exit_code
    except typer.Abort:
        raise KeyboardInterrupt from None
    except CoterieError as error:
        if memory.ran_out(error):
            return _fail(memory.shortage(), 2)
        return _fail(str(error), 1 if error.is_answer else 2)
    except MemoryError:
        return _fail(memory.shortage(), 2)
    except (BrokenPipeError, SystemExit):  # typer makes an exit of the first: 1 would be a finding
        sys.stderr.close()  # the reader went away: nobody to tell
        return 0
    except Exception as error:
        # A usage error is click's, or that of a typer that carries its own: both can word it.
        wording = getattr(error, "format_message", None)
        if wording is not None:
            return _fail(wording(), 2)
        return _fail(memory.shortage(), 2) if memory.ran_out(error) else _unexpected(error)


def _unexpected(error: Exception) -> int:
    """A bug of ours: told in one line, with a code that no script takes for a finding."""
    if os.environ.get("COTERIE_DEBUG"):
        raise error
    what = f"{type(error).__name__}: {error}"
    return _fail(f"unexpected {what}. Please report it; COTERIE_DEBUG=1 shows where.", 70)


def _fail(message: str, code: int) -> int:
    print("coterie: " + " ".join(message.split()), file=sys.stderr)
    return code


@contextlib.contextmanager
def _as_typed() -> Iterator[None]:
    """While it lasts, typer takes text as it is; a typer that works otherwise is left alone."""
    try:
        core: Any = import_module("typer.core")
        base: Any = import_module("typer._coercion").RuntimeParam
        usual = core.build_runtime_param
    except (ImportError, AttributeError):
        yield
        return

    class Typed(base):  # type: ignore[misc]
        def _coerce_value(self, value: Any, param: Any, ctx: Any) -> Any:
            return list(value) if isinstance(value, (list, tuple)) else value

    def build(descriptor: Any) -> Any:
        if descriptor.annotation not in (str, bool, list[str]):
            return usual(descriptor)
        return Typed(descriptor.parameter_info, descriptor.annotation)

    core.build_runtime_param = build
    try:
        yield
    finally:
        core.build_runtime_param = usual
