"""An interrupt within a callback of machine code is not lost, and no error of its own."""

from __future__ import annotations

import ctypes
import sys

import pytest

from coterie.cli import app, main
from coterie.compilation.interrupts import found_again
from coterie.partitioning.driver import Run


@ctypes.CFUNCTYPE(None)
def interrupted():
    """What LLVM calls, at a bad moment."""
    raise KeyboardInterrupt


@ctypes.CFUNCTYPE(None)
def broken():
    raise ValueError("broken")


def compiled(*_, **__):
    interrupted()
    raise RuntimeError("no compiled object yet")


class Compiled:
    """A stream whose kernel is missed."""

    done, progress = False, None

    def step(self, budget):
        compiled()


def test_the_error_that_follows_is_the_interrupt_and_nothing_is_printed(capfd):
    usual = sys.unraisablehook
    with pytest.raises(KeyboardInterrupt), found_again():
        compiled()
    assert sys.unraisablehook is usual
    assert capfd.readouterr() == ("", "")


def test_a_run_ends_by_it(capfd):
    with pytest.raises(KeyboardInterrupt):
        Run().drive([Compiled()], phase="x")
    assert capfd.readouterr() == ("", "")


def test_a_command_ends_by_it_in_one_line(monkeypatch, capfd):
    monkeypatch.setattr(app, "app", compiled)
    assert main(["methods"]) == 130
    assert capfd.readouterr() == ("", "coterie: interrupted; nothing was written\n")


def test_other_errors_are_what_they_are(monkeypatch):
    told = []
    monkeypatch.setattr(sys, "unraisablehook", lambda lost: told.append(lost.exc_type))
    with pytest.raises(RuntimeError, match="another"), found_again():
        another()
    assert told == [ValueError]


def another():
    broken()
    raise RuntimeError("another")
