"""`coterie.warm`, the command, and the line about a first compilation."""

from __future__ import annotations

import importlib
import os
import pkgutil
import subprocess
import sys

import pytest

import coterie
from coterie import kernels
from coterie.cli.progress import ANNOUNCEMENT
from coterie.compilation import warming
from coterie.partitioning.driver import COMPILING

pytestmark = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled"
)


def command(*arguments, cache, code=0):
    env = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    done = subprocess.run(
        [sys.executable, "-m", "coterie", *map(str, arguments)],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    return done


def test_every_kernel_is_warmed():
    """All that Python calls is compiled, or kept: one that others call is not loaded by itself."""
    for part in warming.PARTS.values():
        part()
    cold = []
    for found in pkgutil.walk_packages(kernels.__path__, "coterie.kernels."):
        module = importlib.import_module(found.name)
        for name, value in vars(module).items():
            options = getattr(value, "targetoptions", None)
            mine = options is not None and value.py_func.__module__ == module.__name__
            if mine and not options.get("no_cpython_wrapper") and not _known(value):
                cold.append(f"{found.name}.{name}")
    assert cold == []


def _known(kernel):
    return kernel.overloads or os.path.exists(kernel._cache._cache_file._index_path)


@pytest.mark.long
def test_a_part_is_compiled_once_and_serves_the_command(tmp_path):
    first = command("warm", "measures", "--workers", 1, cache=tmp_path)
    assert int(first.stdout.split()[0]) > 0
    assert str(tmp_path) in first.stdout
    again = command("warm", "measures", cache=tmp_path)
    assert again.stdout.startswith("0 functions compiled")
    assert command("warm", "measures", "--quiet", cache=tmp_path).stdout == ""


def test_what_warm_refuses(tmp_path):
    with pytest.raises(
        coterie.ParameterError, match=r"Unknown part 'serach'\. Did you mean 'search'"
    ):
        coterie.warm(["serach"])
    with pytest.raises(coterie.ParameterError, match="'workers' parameter of warm"):
        coterie.warm(workers=0)


def test_a_part_that_fails_is_told_in_one_line(monkeypatch):
    monkeypatch.setitem(warming.PARTS, "no such part in the other process", lambda: None)
    with pytest.raises(coterie.CoterieError, match=r"warm must compile every part.*failed: KeyErr"):
        coterie.warm(["no such part in the other process"])


def test_parts_are_told_as_they_end(tmp_path, monkeypatch):
    answers = {"compiled": 2, "folder": str(tmp_path)}
    monkeypatch.setattr(warming, "_in_a_process", lambda name: answers)
    told = []
    done = coterie.warm(workers=2, callback=lambda name, share: told.append((name, share)))
    assert sorted(name for name, _ in told) == sorted(warming.PARTS)
    assert told[-1][1] == 1.0
    assert (done.compiled, done.folder) == (2 * len(warming.PARTS), str(tmp_path))
    answers["folder"] = None
    with pytest.raises(coterie.CoterieError, match="set NUMBA_CACHE_DIR"):
        coterie.warm()


def test_a_first_compilation_is_announced_once(tmp_path):
    people = tmp_path / "people.csv"
    rows = [f"{20 + i % 50},{1000 + i * i % 997}\n" for i in range(60)]
    people.write_text("".join(["age,income\n", *rows]), encoding="utf-8")
    common = ["-k", 3, "-q", "age", "-q", "income", "--method", "systematic"]
    cache, out = tmp_path / "kept", tmp_path / "out.csv"
    line = f"coterie: {ANNOUNCEMENT}"
    first = command("anonymize", people, *common, "-o", out, cache=cache)
    assert first.stderr.splitlines().count(line) == 1
    again = command("anonymize", people, *common, "-o", out, cache=cache)
    assert line not in again.stderr
    kept = [path for path in cache.rglob("*systematic*") if path.is_file()]
    assert kept
    for path in kept:  # to be compiled anew
        path.unlink()
    quiet = command("anonymize", people, *common, "-o", out, "--quiet", cache=cache)
    assert quiet.stderr == ""
    assert all(path.exists() for path in kept if path.suffix == ".nbi")


def test_the_library_tells_only_a_callback_and_does_not_count_it(tmp_path):
    code = """
import time
import numpy as np, coterie
from coterie.compilation.events import heard
X, told, took = np.random.default_rng(0).normal(size=(40, 2)), [], []
began = time.perf_counter()
with heard(lambda event: took.append(event.seconds or 0.0)):
    p = coterie.partition(X, 3, "systematic", callback=told.append)
elapsed = time.perf_counter() - began
compiling = [one for one in told if one.phase == "compiling"]
assert bool(compiling) is bool(sum(took)) is EXPECTED, told
assert all(0 <= one.fraction < 1 for one in compiling)
assert p.runtime <= elapsed - sum(took)
"""
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    for expected in ("True", "False"):
        done = subprocess.run(
            [sys.executable, "-c", code.replace("EXPECTED", expected)],
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
    assert COMPILING == "compiling"
