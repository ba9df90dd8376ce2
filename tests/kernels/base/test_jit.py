"""Who may call what: Python only kernels, kernels everything."""

from __future__ import annotations

import ast
import functools
import subprocess
import sys
from pathlib import Path

import pytest

import coterie

PACKAGE = Path(coterie.__file__).parent
KERNELS = PACKAGE / "kernels"
ROOT = Path(__file__).parents[3]
FILES = sorted(KERNELS.rglob("*.py"))
COMPILED = {"kernel", "inner", "inlined", "allocating"}


@functools.cache
def decorated(path):
    """Compiled functions of a file by name, with their decorator."""
    return {
        node.name: one.id
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
        for one in node.decorator_list
        if isinstance(one, ast.Name) and one.id in COMPILED
    }


INNER = {
    (path.stem, name)
    for path in FILES
    for name, kind in decorated(path).items()
    if kind in ("inner", "inlined")
}


def called_by_python(path):
    """Inner functions that are named in a call outside compiled functions."""
    text = path.read_text(encoding="utf-8")
    if "coterie.kernels" not in text and not path.is_relative_to(KERNELS):
        return []  # it has none of their names
    tree = ast.parse(text)
    own = decorated(path) if path.is_relative_to(KERNELS) else ()
    names = {name: (path.stem, name) for name in own}
    modules: dict[str, set[str]] = {}  # an alias may stand for several, function by function
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if not node.module.startswith("coterie.kernels."):
                    continue
                module = node.module.rpartition(".")[2]
                if (KERNELS / module).is_dir():
                    modules.setdefault(alias.asname or alias.name, set()).add(alias.name)
                else:
                    names[alias.asname or alias.name] = (module, alias.name)

    def calls(node):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef) and any(
                isinstance(one, ast.Name) and one.id in COMPILED for one in child.decorator_list
            ):
                continue
            if isinstance(child, ast.Call):
                called = child.func
                if isinstance(called, ast.Name) and names.get(called.id) in INNER:
                    yield names[called.id]
                if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
                    for module in modules.get(called.value.id, ()):
                        others = modules[called.value.id] - {module}
                        if (module, called.attr) in INNER and not any(
                            hasattr_statically(other, called.attr) for other in others
                        ):
                            yield module, called.attr
            yield from calls(child)

    return list(calls(tree))


def hasattr_statically(module, name):
    return any(name in decorated(path) for path in FILES if path.stem == module)


def test_python_never_calls_an_inner_function():
    """It has no way in for Python: such a call ends the process."""
    assert len(INNER) > 80
    for folder in (PACKAGE, ROOT / "tests", ROOT / "benchmarks"):
        for path in folder.rglob("*.py"):
            assert not called_by_python(path), path


def test_the_check_sees_such_a_call(tmp_path):
    path = tmp_path / "bad.py"
    path.write_text("from coterie.kernels.base import draws\nprint(draws.below(words, 3))\n")
    assert called_by_python(path) == [("draws", "below")]
    path.write_text("from coterie.kernels.base.draws import real as r\n\nprint(r(words))\n")
    assert called_by_python(path) == [("draws", "real")]


def test_numba_begins_without_a_blas():
    """Half of its loading time, and a hang where memory is limited."""
    code = "import sys, coterie; coterie.partition([[0.0], [1.0], [5.0], [6.0]], 2)\n"
    code += "assert 'numba' in sys.modules and 'scipy.linalg' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.nojit
def test_a_product_of_matrices_still_compiles():
    """The look for a BLAS is put off, not left out, for kernels of other packages."""
    import numpy as np
    from numba import njit

    import coterie.kernels.base.jit  # noqa: F401

    @njit
    def product(a, b):
        return a @ b

    assert product(np.eye(2), np.ones((2, 2))).tolist() == [[1.0, 1.0], [1.0, 1.0]]
