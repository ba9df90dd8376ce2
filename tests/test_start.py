"""What commands on files load: none of the packages that only other tables and reports need.

No clock: a package that is not imported costs nothing. `make bench-start` has the seconds.
"""

from __future__ import annotations

import json

import pytest

from tests.mixed import mixed
from tests.test_public import python

# Never needed to read, protect, write and verify a file of these formats.
OTHERS = {"pandas", "sklearn", "matplotlib", "jinja2", "polars", "dask", "distributed", "highspy"}

EXTENSIONS = ("csv", "parquet", "feather")

COMMAND = """
import json, sys
from coterie.cli import main
codes = [main(arguments) for arguments in {commands!r}]
print(json.dumps([codes, sorted(sys.modules)]))
"""

# Every type of column, gaps, categories and their order, strata, a rule.
KEYS = ["age", "income", "height", "hours", "education", "sector", "born", "married"]
OPTIONS = ["--drop", "name", "--drop", "email", "--confidential", "diagnosis", "--strata", "region"]
OPTIONS += ["--order", "education=none,primary,secondary,tertiary", "--missing", "drop"]
OPTIONS += ["--missing-code", "sector=F", "--rule", "age >= 0", "-k", "3"]


def modules(*commands):
    """What commands have loaded at their end, one after another in a process."""
    commands = [[*map(str, arguments)] for arguments in commands]
    codes, names = json.loads(python(COMMAND.format(commands=commands)).splitlines()[-1])
    assert codes == [0] * len(commands)
    return set(names)


def packages(names):
    return {name.partition(".")[0] for name in names}


def keys(names):
    return [part for name in names for part in ("-q", name)]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The same table as CSV, Parquet and Feather."""
    folder = tmp_path_factory.mktemp("start")
    table = mixed(200)
    table.to_csv(folder / "in.csv", index=False)
    table.to_parquet(folder / "in.parquet")
    table.to_feather(folder / "in.feather")
    return folder


@pytest.mark.parametrize("method", ["mdav", "auto"])
def test_files_are_protected_and_verified_without_pandas(files, method):
    """What none of the formats has loaded at the end, each of them does without."""
    given = [*keys(KEYS), "--method", method, "--seed", 1, *OPTIONS, "--quiet"]
    targets = {files / f"in.{one}": files / f"{method}.{one}" for one in EXTENSIONS}
    found = modules(*(["anonymize", one, "-o", other, *given] for one, other in targets.items()))
    assert not packages(found) & OTHERS
    asked = ["-k", 3, *keys([*KEYS, "region"])]
    found = modules(*(["verify", target, *asked] for target in targets.values()))
    assert not packages(found) & (OTHERS | {"scipy", "numba", "rich"})


def test_help_loads_nothing_that_computes():
    found = packages(modules(["--help"]))
    assert not found & (OTHERS | {"numpy", "scipy", "numba", "pyarrow", "narwhals", "rich"})


def test_a_table_of_the_caller_stays_what_it_is(files):
    code = f"""
import sys, coterie
names = ["name", "email"]
path = {str(files / "in.csv")!r}
others = [name for name in open(path).readline().strip().split(",") if name not in names]
r = coterie.anonymize(path, 3, ["age"], identifiers=names, method="mdav", declared=others)
print(type(r.data), "pandas" in sys.modules)
"""
    said = python(code)
    assert said.split() == ["<class", "'pyarrow.lib.Table'>", "False"]
