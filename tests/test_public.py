"""The public surface: what loads when, and in any order."""

from __future__ import annotations

import ast
import importlib
import random
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import coterie

HEAVY = ["numba", "scipy", "sklearn", "pandas", "matplotlib", "pyarrow", "rdata", "pooch"]


def python(code):
    """Run `code` in a fresh interpreter and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def loaded_by(code):
    return python(f"{code}\nimport sys\nprint(*sys.modules)").split()


def test_import_loads_nothing_heavy():
    loaded = loaded_by("import coterie")
    assert not {"numpy", *HEAVY} & set(loaded)


def test_listing_methods_with_their_options_does_not_load_numba():
    loaded = loaded_by("import coterie\nfor m in coterie.methods(): m.options, m.description")
    assert not set(HEAVY) & set(loaded)


def test_datasets_load_nothing_until_called():
    assert not set(HEAVY) & set(loaded_by("import coterie.datasets"))


@pytest.mark.parametrize("seed", range(3))
def test_public_names_import_in_any_order(seed):
    names = [name for name in coterie.__all__ if not name.startswith("_")]
    random.Random(seed).shuffle(names)
    python("\n".join(f"from coterie import {name}" for name in names))


def test_every_public_name_exists_and_has_a_docstring():
    for name in coterie.__all__:
        value = getattr(coterie, name)
        assert value.__doc__, name
    assert set(coterie.__all__) <= set(dir(coterie))


@pytest.mark.parametrize(
    "name",
    [
        *("Constraints", "Diversity", "Dominance", "Microaggregation", "Plan"),
        *("anonymize", "compare", "evaluate", "look", "lower_bound", "methods", "partition"),
        *("standardize", "tune", "verify", "write_dossier"),
    ],
)
def test_what_users_call_has_an_example_that_needs_no_deep_import(name):
    text = getattr(coterie, name).__doc__
    assert ">>> " in text
    assert not re.search(r">>> (?:from|import) coterie\.(?!datasets)", text)


def test_unknown_names_are_attribute_errors():
    with pytest.raises(AttributeError, match="no attribute 'partitoin'"):
        _ = coterie.partitoin


def test_methods_are_described():
    for method in coterie.methods():
        assert method.name
        assert method.description
        assert method.reference
        assert method.kind in {"constructive", "path", "exact", "search"}
        assert all(isinstance(text, str) for text in method.options.values())


def test_type_checkers_and_the_loader_have_one_list():
    """The stub names each public name, from the module that loads it."""
    stub = ast.parse(Path(coterie.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    found = {}
    for node in stub.body:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                assert alias.name == alias.asname  # which makes it public for them
                found[alias.name] = node.module
    assert found.keys() == set(coterie.__all__) - {"__version__"}
    for name, home in found.items():
        value = getattr(coterie, name)
        module = home if home != "coterie" else f"coterie.{name}"
        assert value is getattr(importlib.import_module(module), name, sys.modules[module])


def test_groups_under_constraints_need_no_deep_import():
    values = np.array(["flu", "flu", "gout", "gout", "flu", "gout"])
    illness = coterie.Diversity.of("illness", values, ordered=False, min_distinct=2)
    X = np.array([[0.0], [0.1], [5.0], [5.1], [9.0], [9.1]])
    found = coterie.partition(X, 2, constraints=coterie.Constraints(diversity=(illness,)))
    for group in range(len(found.sizes)):
        assert len(set(values[found.labels == group])) == 2


def test_a_name_of_old_is_found_with_a_warning():
    with pytest.warns(DeprecationWarning, match=r"coterie\.standardise is now coterie\.standard"):
        assert coterie.standardise is coterie.standardize
