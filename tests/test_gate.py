"""No test reaches the reference data without the mark, not even where they are at hand."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import coterie
from coterie.datasets import reference
from tests import apart, gate

NAME = "Tarragona.rda"
LOAD = "import coterie; coterie.datasets.tarragona()"
Refused = pytest.fail.Exception


def test_what_is_not_at_hand_is_not_downloaded():
    with pytest.raises(Refused, match="without the mark `data`"):
        coterie.datasets.tarragona()


def test_what_is_at_hand_is_refused(tmp_path, monkeypatch):
    content = b"as if it were the published file"
    published = hashlib.sha256(content).hexdigest()
    (tmp_path / NAME).write_bytes(content)
    monkeypatch.setenv("COTERIE_DATA", str(tmp_path))
    monkeypatch.setitem(reference._SHA256, NAME, published)
    assert reference._content(NAME) == content  # a file of our own is nobody's reference data
    monkeypatch.setitem(gate.PUBLISHED, NAME, published)
    with pytest.raises(Refused, match=rf"{NAME}.* without the mark `data`"):
        coterie.datasets.tarragona()


def test_a_process_of_its_own_finds_what_a_newcomer_has():
    assert "COTERIE_DATA" not in os.environ
    assert not list(Path("~").expanduser().glob(".cache/coterie/*"))
    done = subprocess.run([sys.executable, "-c", LOAD], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "could not be downloaded" in done.stderr


@pytest.mark.parametrize(
    ("head", "code", "words"),
    [
        ("@pytest.mark.data\n", 4, "must have both"),
        ("@pytest.mark.usefixtures('reference_data')\n", 4, "must have both"),
        ("", 1, "without the mark `data`"),
    ],
)
def test_mark_and_fixture_go_together(tmp_path, head, code, words):
    """A suite of one test, under the same rules as this one."""
    root = Path(__file__).parent.parent
    (tmp_path / "conftest.py").write_text((root / "conftest.py").read_text())
    (tmp_path / "test_it.py").write_text(
        "import coterie, pytest\n"
        "@pytest.fixture(scope='session')\ndef reference_data(): pass\n"
        f"{head}def test_it(): coterie.datasets.tarragona()\n"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = data\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    assert done.returncode == code, done.stdout
    assert words in done.stdout + done.stderr


IGNORING = """
import os, signal, sys
for number in (signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
os.execv(sys.executable, [sys.executable, "-c", sys.argv[1]])
"""

HEARING = """
import os, signal, subprocess, sys
from tests.apart import let_children_hear
ask = "import signal as s; print(*(s.getsignal(n) is s.SIG_IGN for n in (s.SIGINT, s.SIGHUP)))"
subprocess.run([sys.executable, "-c", ask])
let_children_hear()
os.kill(os.getpid(), signal.SIGINT)
os.kill(os.getpid(), signal.SIGHUP)
subprocess.run([sys.executable, "-c", ask])
"""


@apart.POSIX
def test_processes_hear_signals_that_pytest_was_told_to_ignore():
    """As a job in the background is told; it stays deaf itself."""
    where = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    command = ("-c", IGNORING, HEARING)
    with apart.started(*command, stdout=subprocess.PIPE, env=where) as process:
        told, _ = process.communicate(timeout=apart.PATIENCE)
    assert process.returncode == 0
    assert told.splitlines() == ["True True", "False False"]
