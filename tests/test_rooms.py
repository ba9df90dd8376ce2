"""Imports point one way, files stay small, and no module carries a public function's name."""

from __future__ import annotations

import ast
import functools
from collections import Counter
from pathlib import Path

import pytest

import coterie

ROOT = Path(coterie.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))

# From the bottom up; a room imports from its own floor or below. The longest prefix counts.
FLOORS = [
    ["errors", "imports", "numbers", "scratch", "compilation", "hierarchy"],
    ["kernels", "table", "datasets"],
    ["space", "recoding", "public", "centroids.edits"],
    ["guarantees"],
    ["partitioning"],
    ["centroids", "plan"],
    ["evaluation"],
    ["report"],
    ["advice"],
    ["pipeline"],
    ["tuning", "estimator", "distributed", "report.dossier", "compilation.warming"],
    ["cli", "app", "__main__"],
]

# Within the room of methods: each step may use those before it.
STEPS = [
    ["arguments", "problem", "options", "tiles", "pausing", "streams", "driver", "core"],
    ["neighbors"],
    ["constructive"],
    ["path"],
    ["exact"],
    ["search"],
    ["auto"],
    ["constrained", "registry"],
    ["dispatch"],
    [""],
]

COMPILED_WITH = {"numpy", "numba", "llvmlite", "collections", "sys"}  # llvmlite: Numba's builder


def name_of(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def level(module, levels):
    found = [
        (len(room), number)
        for number, rooms in enumerate(levels)
        for room in rooms
        if module == room or not room or module.startswith(room + ".")
    ]
    assert found, f"{module} belongs to no room: name its floor in {__file__}"
    return max(found)[1]


def floor(module):
    return level(module, FLOORS)


def statements(node):
    """What a module may run, at any depth; what stands there for type checkers alone is not."""
    for child in ast.iter_child_nodes(node):
        checked = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
        for one in child.orelse if checked else [child]:
            yield one
            yield from statements(one)


@functools.cache
def tree(path):
    return ast.parse(path.read_text())


@functools.cache
def imports(path):
    """Modules of coterie that a file imports at any depth, type checking left out."""
    return list(_imports(path))


def _imports(path):
    for node in statements(tree(path)):
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


def test_there_are_twelve_floors():
    assert len(FLOORS) <= 12


def test_methods_build_on_each_other():
    room = "partitioning"
    for path in (ROOT / room).rglob("*.py"):
        here = name_of(path).removeprefix(room).lstrip(".")
        for module in imports(path):
            if module.split(".")[0] == room:
                below = module.removeprefix(room).lstrip(".")
                assert level(below, STEPS) <= level(here, STEPS), f"{here} imports {below}"


def test_no_module_leads_back_to_itself():
    graph = {name_of(path): {m for m in imports(path) if m} for path in FILES}
    while free := {name for name, needs in graph.items() if not needs & set(graph)}:
        graph = {name: needs for name, needs in graph.items() if name not in free}
    assert sorted(graph) == []


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_kernels_know_only_numpy_numba_and_each_other(path):
    if "kernels" not in path.parts:
        return
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom):
            names = [node.module]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        for name in names:
            ours = name.startswith(("coterie.kernels", "coterie.compilation"))
            assert name.split(".")[0] in COMPILED_WITH or ours


def test_no_file_is_two_rooms():
    lengths = {str(p.relative_to(ROOT)): len(p.read_text().splitlines()) for p in FILES}
    assert {name: n for name, n in lengths.items() if n > 500} == {}


def test_no_module_carries_the_name_of_a_public_function():
    functions = {n for n in coterie.__all__ if callable(getattr(coterie, n))}
    modules = {p.stem for p in ROOT.glob("*.py")} | {p.name for p in ROOT.iterdir() if p.is_dir()}
    assert not functions & modules


def test_every_package_says_what_it_is():
    for path in FILES:
        assert ast.get_docstring(tree(path)) or not path.read_text().strip()


def kinds(path):
    """The classes and named tuples of a file."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign) and "namedtuple(" in ast.unparse(node.value):
            yield ast.unparse(node.targets[0])


def test_no_class_name_stands_for_two_things():
    names = Counter(name for path in FILES for name in kinds(path))
    assert not {name for name, many in names.items() if many > 1}
