"""The public surface: what loads when, and in any order."""

from __future__ import annotations

import random
import subprocess
import sys

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
