"""dev.py: what it does beside running other programs."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.skipif(
    not (ROOT / "dev.py").exists(), reason="dev.py is not part of this copy"
)


@pytest.fixture
def dev(monkeypatch):
    spec = importlib.util.spec_from_file_location("dev", ROOT / "dev.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "PYTHON", sys.executable)
    return module


def test_bytecode_is_made_whatever_the_environment_says(dev, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    package = tmp_path / "package"
    for folder in (package, package / "tests"):
        folder.mkdir()
        (folder / "module.py").write_text("value = 1\n")
    (package / "template.py").write_text("def {{ name }}():\n")  # no Python: passed over
    dev.compile_folders([package])
    made = [path.relative_to(package).parts[0] for path in tmp_path.rglob("*.pyc")]
    assert made == ["__pycache__"]  # what is never imported is left out
    # A program takes it, as long as the source is the same.
    command = [sys.executable, "-v", "-c", "import module"]
    env = {**os.environ, "PYTHONPATH": str(package)}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    (cached,) = tmp_path.rglob("*.pyc")
    assert f"{cached} matches {package / 'module.py'}" in done.stderr


def test_stale_bytecode_of_our_own_is_made_anew(dev, tmp_path, monkeypatch):
    (tmp_path / "module.py").write_text("value = 1\n")
    monkeypatch.setattr(dev, "SOURCE", tmp_path)
    monkeypatch.setattr(dev, "ensure_environment", lambda: None)
    monkeypatch.setattr(dev, "run_with", lambda *arguments: 0)
    dev.run()
    (cached,) = tmp_path.rglob("*.pyc")
    first = cached.read_bytes()
    dev.run()
    assert cached.read_bytes() == first
    (tmp_path / "module.py").write_text("value = 'another'\n")
    os.utime(tmp_path / "module.py", (2e9, 2e9))  # by whole seconds
    dev.run()
    assert cached.read_bytes() != first


def test_an_extra_that_cannot_be_had_keeps_no_other_from_being_installed(dev, monkeypatch):
    installed = []

    def java():
        raise dev.Failure("no Java")

    monkeypatch.setattr(dev, "ensure_environment", lambda: None)
    monkeypatch.setattr(dev, "ensure_extra", installed.append)
    monkeypatch.setattr(dev, "java", java)
    with pytest.raises(dev.Failure, match="spark: no Java"):
        dev.environment("spark", "docs", "package")
    assert installed == ["docs", "package"]
