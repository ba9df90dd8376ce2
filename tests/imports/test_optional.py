from __future__ import annotations

import sys
import types

import pytest

from coterie.errors import MissingDependency
from coterie.imports.optional import check_installed, needed


def test_what_is_there_is_given():
    assert needed("json", "The test", "none").dumps([1]) == "[1]"
    check_installed("json", "The test", "none")


def test_what_is_missing_is_named_with_its_command():
    message = (
        r"The test needs the package 'no_such_thing', .* Run: pip install \"coterie\[extra\]\""
    )
    with pytest.raises(MissingDependency, match=message):
        needed("no_such_thing", "The test", "extra")
    with pytest.raises(MissingDependency, match=message):
        check_installed("no_such_thing", "The test", "extra")
    with pytest.raises(MissingDependency, match=r"Run: pip install no_such_thing$"):
        needed("no_such_thing", "The test", None)


def test_what_is_broken_inside_says_so_itself(monkeypatch, tmp_path):
    (tmp_path / "broken_inside.py").write_text("import no_such_thing\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match=r"no_such_thing") as caught:
        needed("broken_inside", "The test", "extra")
    assert not isinstance(caught.value, MissingDependency)
    assert not isinstance(sys.modules.get("broken_inside"), types.ModuleType)
