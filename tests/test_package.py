"""What is told of the project in several files is the same in all of them."""

from __future__ import annotations

import ast
import importlib.util
import re
import tomllib
from pathlib import Path

import pytest

import coterie

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
WANTED = [
    *PROJECT["project"]["dependencies"],
    *(line for lines in PROJECT["project"]["optional-dependencies"].values() for line in lines),
]


@pytest.fixture(scope="module")
def dev():
    spec = importlib.util.spec_from_file_location("dev", ROOT / "dev.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def numbers(version):
    return tuple(int(part) for part in version.split("."))


def test_the_version_has_one_source():
    assert "version" in PROJECT["project"]["dynamic"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "src/coterie/__init__.py"
    for path in ("pyproject.toml", "CITATION.cff", "dev.py"):
        assert coterie.__version__ not in (ROOT / path).read_text(), path


def test_names_are_typed():
    assert (Path(coterie.__file__).parent / "py.typed").is_file()


@pytest.mark.parametrize("line", [line for line in WANTED if not line.startswith("coterie")])
def test_every_dependency_has_a_lower_bound_and_a_pinned_version_above_it(line):
    name, bound = re.fullmatch(r"([\w-]+)(?:\[\w+\])?>=([\d.]+)(?:;.*)?", line).groups()
    pins = dict(re.findall(r"^([\w.-]+)==([\d.]+)", (ROOT / "constraints.txt").read_text(), re.M))
    pinned = {pin.lower().replace("_", "-"): version for pin, version in pins.items()}
    assert numbers(pinned[name]) >= numbers(bound)


def test_the_oldest_versions_are_the_bounds(dev):
    python, pins = dev.bounds()
    assert python == "3.11"
    assert len(pins) == len({pin.partition("==")[0] for pin in pins})
    for name in ("numpy", "numba", "pandas", "pyarrow", "rdata", "openpyxl"):
        bound = next(line for line in WANTED if line.startswith(name + ">="))
        assert bound.replace(">=", "==") in pins


def test_the_source_distribution_takes_what_is_there():
    for name in PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]:
        assert (ROOT / name.lstrip("/")).exists(), name


def test_every_command_is_a_target_and_described(dev):
    lines = re.findall(r"^([a-z][a-z -]*):", (ROOT / "Makefile").read_text(), re.M)
    targets = {name for line in lines for name in line.split()}
    contributing = (ROOT / "CONTRIBUTING.md").read_text()
    for name, command in dev.COMMANDS.items():
        assert command.__doc__
        if name != "environment":  # what every other one makes
            assert name in targets
            assert f"dev.py {name}" in contributing or f"make {name}" in contributing, name


def test_hooks_and_workflows_call_commands_that_exist(dev):
    called = set()
    for path in (ROOT / ".pre-commit-config.yaml", ROOT / ".ci/run"):
        called |= set(re.findall(r"dev\.py ([a-z-]+)|make ([a-z-]+)", path.read_text()))
    called = {name for pair in called for name in pair if name}
    workflow = (ROOT / ".github/workflows/checks.yml").read_text()
    called |= set(re.search(r"command: \[(.*)\]", workflow)[1].split(", "))
    called |= set(re.findall(r"dev\.py ([a-z-]+)", workflow))
    assert {"test", "test-data", "lint", "docs", "wheel", "oldest"} <= called
    assert called <= set(dev.COMMANDS)


def test_an_old_python_can_read_dev_and_is_told_what_it_needs():
    tree = ast.parse((ROOT / "dev.py").read_text())
    newer = (ast.JoinedStr, ast.NamedExpr, ast.AnnAssign, ast.Match, ast.AsyncFunctionDef)
    for node in ast.walk(tree):
        assert not isinstance(node, newer), node.lineno
        if isinstance(node, ast.FunctionDef):
            assert node.returns is None
            assert not node.args.kwonlyargs
            assert not node.args.posonlyargs
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            assert not any(isinstance(item, ast.Starred) for item in node.elts), node.lineno
    first = [type(node) for node in tree.body[:3]]
    assert first == [ast.Expr, ast.Import, ast.If]  # docstring, sys, the version
