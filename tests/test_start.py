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

COMMAND = """
import json, sys
from coterie.cli import main
code = main({arguments!r})
print(json.dumps([code, sorted(sys.modules)]))
"""

# Every type of column, gaps, categories and their order, strata, a rule.
KEYS = ["age", "income", "height", "hours", "education", "sector", "born", "married"]
OPTIONS = ["--drop", "name", "--drop", "email", "--confidential", "diagnosis", "--strata", "region"]
OPTIONS += ["--order", "education=none,primary,secondary,tertiary", "--missing", "drop"]
OPTIONS += ["--missing-code", "sector=F", "--rule", "age >= 0", "-k", "3"]


def modules(*arguments):
    """What a command has loaded at its end."""
    code, names = json.loads(
        python(COMMAND.format(arguments=[*map(str, arguments)])).splitlines()[-1]
    )
    assert code == 0
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
@pytest.mark.parametrize("extension", ["csv", "parquet", "feather"])
def test_files_are_protected_and_verified_without_pandas(files, extension, method):
    target = files / f"{method}.{extension}"
    given = ["--method", method, "--seed", 1, *OPTIONS, "--quiet"]
    found = modules("anonymize", files / f"in.{extension}", "-o", target, *keys(KEYS), *given)
    assert not packages(found) & OTHERS
    found = modules("verify", target, "-k", 3, *keys([*KEYS, "region"]))
    assert not packages(found) & (OTHERS | {"scipy", "numba", "rich"})


def test_help_loads_nothing_that_computes():
    found = packages(modules("--help"))
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
