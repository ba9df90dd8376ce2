"""Imports point one way, files stay small, and no module carries a public function's name."""

from __future__ import annotations

import ast
import functools
import re
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

# Of one idea, and longer than 300 lines: tables of what there is, one proof, one command's way.
LONG = {
    "kernels/base/strips.py",
    "kernels/centroids/p3m.py",
    "kernels/centroids/quartics.py",
    "partitioning/exact/relaxation.py",
    "partitioning/registry.py",
    "pipeline/proof.py",
    "pipeline/protection.py",
    "pipeline/release.py",
}

# Words that say nothing of what a name holds, or that another word is used for.
EMPTY = {"told", "made", "wish", "wishes", "mended", "leavers", "beside"}

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


def test_a_file_has_one_idea():
    """Past 300 lines there is a second one, but for the few that are one idea and long."""
    lengths = {p.relative_to(ROOT).as_posix(): len(p.read_text().splitlines()) for p in FILES}
    assert {name for name, n in lengths.items() if n > 300} <= LONG
    assert max(lengths.values()) <= 400


def test_phases_look_at_no_clock_but_the_budgets():
    """What is left is asked of the `Budget`, so that one object says when a search ends."""
    clocks = {"seconds", "time_limit", "out_of_time", "perf_counter", "process_time", "monotonic"}
    for path in (ROOT / "partitioning" / "search" / "optimize").glob("*.py"):
        read = {one.attr for one in ast.walk(tree(path)) if isinstance(one, ast.Attribute)}
        assert not read & clocks, path.name


def test_kernels_have_ten_arguments_at_most():
    for path in FILES:
        if "kernels" in path.parts:
            for node in ast.walk(tree(path)):
                if isinstance(node, ast.FunctionDef):
                    assert len(node.args.args) <= 10, f"{path}: {node.name}"


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


def names_of(path):
    """What a file names: modules, classes, functions, parameters, variables, attributes, fields."""
    yield path.stem
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.alias | ast.ExceptHandler):
            yield (node.asname if isinstance(node, ast.alias) else node.name) or ""
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("namedtuple"):
            fields = (one.value for one in ast.walk(node) if isinstance(one, ast.Constant))
            yield from (name for name in fields if isinstance(name, str))


def test_names_say_what_they_hold():
    """None has a word that says no more than that something was made, told or wanted."""
    poor = [
        f"{name_of(path)}: {name}"
        for path in FILES
        for name in set(names_of(path))
        if EMPTY & {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)}
    ]
    assert not poor, ", ".join(poor)


def used(path):
    """What a file reads: names, attributes, imports, and words of text, of exports aside."""
    exports = {
        id(one)
        for node in tree(path).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        for one in ast.walk(node)
    }
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.ImportFrom):
            yield from (alias.name for alias in node.names)
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in exports
        ):
            yield node.value.rpartition(":")[2]  # "module:function", loaded when asked for


def defined(path):
    """The names at the top of a file; not those that a decorator makes known."""
    for node in tree(path).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            known = {ast.unparse(one).partition("(")[0] for one in node.decorator_list}
            if not any("." in one for one in known):  # `atexit.register`, a command's, a page's
                yield node.name
        elif isinstance(node, ast.Assign):
            yield from (one.id for one in node.targets if isinstance(one, ast.Name))


def test_nothing_is_defined_for_nobody():
    """Each name at the top of a module is read by the package, its pages or a benchmark."""
    above = ROOT.parents[1]
    if not (above / "benchmarks").is_dir():
        pytest.skip("benchmarks and pages are not part of a source distribution")
    others = [path for room in ("benchmarks", "docs") for path in (above / room).rglob("*.py")]
    pages = " ".join(path.read_text(encoding="utf-8") for path in (above / "docs").rglob("*.md"))
    read = {name for path in (*FILES, *others) for name in used(path)}
    read |= set(re.findall(r"\w+", pages))
    dead = [
        f"{name_of(path)}.{name}"
        for path in FILES
        for name in defined(path)
        if not name.startswith("__") and name not in read
    ]
    assert not dead, " ".join(dead)
