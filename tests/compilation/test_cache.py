"""Compiled kernels are kept where they can be, found again, and never trusted when stale.

Each case is a process or two of its own, with one small kernel and an empty folder to keep it in.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

USE = """
import json, warnings
warnings.simplefilter("error")
from coterie.compilation import cache, events
compiled = []
def note(event):
    if event.seconds is None:
        compiled.append(event.function)
with events.heard(note):
    import numpy as np
    from coterie.kernels.base import shortlist
    near, away = np.full((2, 1), -1, dtype=np.int32), np.full((2, 1), np.inf)
    shortlist.merge(np.arange(2), np.array([[1], [0]]), np.ones((2, 1)), near, away)
    assert near.tolist() == [[1], [0]]
print(json.dumps({"compiled": compiled, "folder": cache.folder(shortlist.merge)}))
"""

MERGED = ["shortlist.merge", "shortlist.enter"]  # with what it calls

# As root may write anywhere, the folder is refused where Numba tries it.
REFUSED = """
import tempfile
_make = tempfile.TemporaryFile
def _refuse(*args, **kwargs):
    if str(kwargs.get("dir")).endswith("kernels/base/__pycache__"):
        raise PermissionError("read-only")
    return _make(*args, **kwargs)
tempfile.TemporaryFile = _refuse
"""


def use(prelude="", package=None, **variables):
    """Call the kernel in a fresh process; what was compiled, and where it is kept."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_CACHE")}
    env.update({name: str(value) for name, value in variables.items()})
    if package is not None:
        env["PYTHONPATH"] = str(package)
    done = subprocess.run(
        [sys.executable, "-c", prelude + USE], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


pytestmark = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled"
)


def test_what_was_compiled_is_found_again_until_any_kernel_changes(copied, tmp_path):
    first = use(package=copied)
    assert first["compiled"] == MERGED
    assert Path(first["folder"]) == copied / "coterie/kernels/base/__pycache__"
    assert use(package=copied)["compiled"] == []
    other = copied / "coterie/kernels/search/moves.py"  # which shortlist never calls
    other.write_text(other.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    assert use(package=copied)["compiled"] == MERGED
    assert use(package=copied)["compiled"] == []


def test_a_read_only_installation_goes_to_the_users_cache(copied, tmp_path):
    home = {"HOME": tmp_path, "XDG_CACHE_HOME": tmp_path / "cache"}
    first = use(REFUSED, copied, **home)
    assert first["compiled"] == MERGED
    assert Path(first["folder"]).is_relative_to(tmp_path)
    assert not Path(first["folder"]).is_relative_to(copied)
    assert use(REFUSED, copied, **home)["compiled"] == []


def test_what_an_image_holds_is_used_though_nothing_can_be_written(copied, tmp_path):
    (tmp_path / "file").write_text("")
    nowhere = {"HOME": tmp_path / "file/home", "XDG_CACHE_HOME": tmp_path / "file/cache"}
    use(package=copied)  # when the image was made
    found = use(REFUSED, copied, **nowhere)
    assert found == {"compiled": [], "folder": None}


@pytest.mark.long
def test_a_folder_that_is_named_is_the_only_one(copied, tmp_path):
    """What was compiled beside the source by an earlier run neither helps nor harms."""
    use(package=copied)
    named = {"NUMBA_CACHE_DIR": tmp_path / "kept"}
    assert use(package=copied, **named)["compiled"] == MERGED
    assert use(package=copied, **named)["compiled"] == []


@pytest.mark.long
def test_without_any_folder_every_process_compiles(copied, tmp_path):
    (tmp_path / "file").write_text("")
    nowhere = {"HOME": tmp_path / "file/home", "XDG_CACHE_HOME": tmp_path / "file/cache"}
    for _ in range(2):
        found = use(REFUSED, copied, **nowhere)
        assert found == {"compiled": MERGED, "folder": None}


@pytest.mark.long
def test_a_damaged_file_is_compiled_anew(tmp_path):
    kept = {"NUMBA_CACHE_DIR": tmp_path / "kept"}
    use(**kept)
    for suffix in ("nbc", "nbi"):
        for path in (tmp_path / "kept").rglob(f"*.{suffix}"):
            path.write_bytes(path.read_bytes()[:20])
        assert use(**kept)["compiled"] == MERGED
        assert use(**kept)["compiled"] == []


@pytest.mark.long
def test_a_full_disk_costs_nothing_but_the_next_compilation(tmp_path):
    full = """
import errno
from numba.core.caching import IndexDataCacheFile
def _full(self, key, data):
    raise OSError(errno.ENOSPC, "No space left on device")
IndexDataCacheFile.save = _full
"""
    kept = {"NUMBA_CACHE_DIR": tmp_path / "kept"}
    for _ in range(2):
        assert use(full, **kept)["compiled"] == MERGED


@pytest.mark.long
def test_processes_that_compile_at_once_leave_a_whole_cache(tmp_path):
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    crowd = [
        subprocess.Popen([sys.executable, "-c", USE], env=env, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    assert [one.wait() for one in crowd] == [0, 0, 0]
    for one in crowd:
        one.stdout.close()
    assert use(NUMBA_CACHE_DIR=tmp_path)["compiled"] == []
