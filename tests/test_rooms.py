"""Imports point one way, files stay small, and no module carries a public function's name."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import coterie

ROOT = Path(coterie.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))

# From the bottom up; a room imports from its own floor or below. The longest prefix counts.
FLOORS = [
    ["errors", "lazy", "plain"],
    ["kernels", "checks", "magnitude", "optional", "scratch"],
    ["wishes", "disclosure"],
    ["partitioning.problem", "partitioning.options", "partitioning.tiles", "datasets", "table"],
    ["partitioning.thresholds"],
    ["partitioning.constraints"],
    ["encoding"],
    ["edits"],
    ["classes"],
    ["ranks", "public"],
    ["promises"],
    ["space", "verification"],
    ["partitioning.core", "partitioning.driver"],
    ["aggregation"],
    ["partitioning.neighbours", "partitioning.candidates"],
    ["partitioning.constructive"],
    ["partitioning.path"],
    ["partitioning.exact"],
    ["partitioning.search"],
    ["partitioning.auto"],
    ["partitioning.repair"],
    ["partitioning.registry"],
    ["partitioning.dispatch"],
    ["partitioning"],
    ["plan"],
    ["evaluation"],
    ["plotting"],
    ["advice"],
    ["pooling"],
    ["release", "report", "strata"],
    ["crosswalk"],
    ["previous"],
    ["evidence"],
    ["pipeline"],
    ["tuning", "estimator"],
    ["dossier", "distributed"],
    ["cli", "demo"],
    ["__main__"],
]


COMPILED_WITH = {"numpy", "numba", "llvmlite", "collections"}  # llvmlite: Numba's own builder


def name_of(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def floor(module):
    found = [
        (len(room), level)
        for level, rooms in enumerate(FLOORS)
        for room in rooms
        if module == room or module.startswith(room + ".")
    ]
    assert found, f"{module} belongs to no room: name its floor in {__file__}"
    return max(found)[1]


def imports(path):
    """Modules of coterie that a file names at any depth, type checking left out."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("coterie"):
            for alias in node.names:
                deeper = f"{node.module}.{alias.name}"
                module = ROOT.parent / deeper.replace(".", "/")
                is_module = module.is_dir() or module.with_suffix(".py").exists()
                yield (deeper if is_module else node.module).removeprefix("coterie").lstrip(".")
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("coterie"):
                    yield alias.name.removeprefix("coterie").lstrip(".")


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_downwards(path):
    here = name_of(path)
    if not here:
        return  # the package itself names everything, lazily
    for module in imports(path):
        if module:
            assert floor(module) <= floor(here), f"{here} imports {module}, which is above it"


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_kernels_know_only_numpy_numba_and_each_other(path):
    if "kernels" not in path.parts:
        return
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            names = [node.module]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for name in names:
            assert name.split(".")[0] in COMPILED_WITH or name.startswith("coterie.kernels")


def test_no_file_is_two_rooms():
    lengths = {str(p.relative_to(ROOT)): len(p.read_text().splitlines()) for p in FILES}
    assert {name: n for name, n in lengths.items() if n > 500} == {}


def test_no_module_carries_the_name_of_a_public_function():
    functions = {n for n in coterie.__all__ if callable(getattr(coterie, n))}
    modules = {p.stem for p in ROOT.glob("*.py")} | {p.name for p in ROOT.iterdir() if p.is_dir()}
    assert not functions & modules


def test_every_package_says_what_it_is():
    for path in FILES:
        assert ast.get_docstring(ast.parse(path.read_text())) or not path.read_text().strip()
