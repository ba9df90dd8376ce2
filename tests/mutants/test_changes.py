from __future__ import annotations

import ast
import importlib.util
from pathlib import Path

from tests.mutants.__main__ import KERNELS, SOURCE, Changed, beside, files_of
from tests.mutants.changes import changed, changes

SMALL = '''
LIMIT = 3

def f(a, b):
    """Text with 1 < 2 in it."""
    if a < b and not b == 0:
        return 2.0 * a + b
    return "x" + "y" if a else True
'''


def test_one_thing_is_changed_at_a_time():
    found = {(c.before, c.after) for c in changes(SMALL)}
    assert found == {
        ("3", "4"),
        ("0", "1"),
        ("2.0", "3.1"),
        ("a < b", "a <= b"),
        ("a < b and (not b == 0)", "a < b or not b == 0"),
        ("not b == 0", "b == 0"),
        ("b == 0", "b != 0"),
        ("2.0 * a", "2.0 / a"),
        ("2.0 * a + b", "2.0 * a - b"),
        ("True", "False"),
    }
    whole = ast.unparse(ast.parse(SMALL))
    made = [changed(SMALL, change.number) for change in changes(SMALL)]
    assert len(set(made)) == len(made)
    for one in made:
        lines = zip(whole.splitlines(), one.splitlines(), strict=True)
        assert sum(a != b for a, b in lines) == 1


def test_a_changed_module_is_loaded_instead_of_its_file():
    finder = Changed(SOURCE / "numbers" / "magnitude.py", "FOUND = 7")
    assert finder.find_spec("coterie.report.plain") is None
    specification = finder.find_spec("coterie.numbers.magnitude")
    made = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(made)
    assert made.FOUND == 7
    assert Changed(SOURCE / "space" / "__init__.py", "").name == "coterie.space"


def test_every_file_of_a_room_has_tests():
    for room in KERNELS:
        for path in files_of(room):
            assert path.exists()
            assert all(Path(name).exists() for name in beside(path, room))
    assert beside(SOURCE / "kernels" / "search" / "accept.py", "partitioning")[0].endswith(
        "iterated.py"
    )
