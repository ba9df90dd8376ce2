"""The tables that need no download, and what importing the package may load."""

from __future__ import annotations

import importlib
import subprocess
import sys

import numpy as np
import pytest

from coterie.datasets import diabetes, sme
from coterie.datasets.optional import needed
from coterie.errors import MissingDependency


def test_sme_is_the_printed_table():
    table = sme()
    assert list(table.columns) == ["company", "surface", "employees", "turnover", "net_profit"]
    assert table.shape == (11, 5)
    assert table["company"].is_unique
    assert set(table.dtypes.iloc[1:]) == {np.dtype("int64")}
    assert table.iloc[0].tolist() == ["A&A Ltd", 790, 55, 3_212_334, 313_250]
    assert table.iloc[10].tolist() == ["K&K Sarl", 50, 12, 645_223, 333_010]
    assert table.iloc[:, 1:].sum().tolist() == [6550, 340, 22_167_874, 3_701_862]


def test_sme_gives_the_centroids_of_the_printed_release():
    # The optimal 3-partition of the standardized keys, as the paper prints its release.
    keys = sme()[["surface", "employees"]].to_numpy()
    for rows, centroid in [
        ([0, 1, 2, 9], (747.5, 45.75)),
        ([3, 4, 8], (756.67, 8.33)),
        ([5, 6, 7, 10], (322.5, 33.0)),
    ]:
        np.testing.assert_allclose(keys[rows].mean(axis=0), centroid, atol=0.005)


def test_diabetes_is_unscaled():
    table = diabetes()
    assert table.shape == (442, 11)
    assert list(table.columns)[:4] == ["age", "sex", "bmi", "bp"]
    assert list(table.columns)[-1] == "progression"
    assert table["age"].between(19, 79).all()
    assert set(table["sex"]) == {1, 2}
    whole = ["age", "sex", "s1", "s6", "progression"]
    assert set(table[whole].dtypes) == {np.dtype("int64")}
    assert set(table.drop(columns=whole).dtypes) == {np.dtype("float64")}
    assert table["progression"].iloc[:3].tolist() == [151, 75, 141]


@pytest.mark.parametrize("load", [sme, diabetes])
def test_a_changed_table_changes_no_other(load):
    changed = load()
    changed.iloc[:, -1] = 0
    assert (load().iloc[:, -1] > 0).all()


def test_importing_loads_no_optional_package():
    code = (
        "import sys, coterie.datasets\n"
        "loaded = {'pandas', 'rdata', 'pooch', 'sklearn', 'scipy'} & set(sys.modules)\n"
        "sys.exit(f'loaded: {sorted(loaded)}' if loaded else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_missing_package_tells_what_to_install(monkeypatch):
    def absent(name, *args, **kwargs):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(importlib, "import_module", absent)
    with pytest.raises(MissingDependency, match=r"'rdata'.*pip install \"coterie\[datasets\]\"$"):
        needed("rdata")


def test_a_broken_package_keeps_its_own_error(tmp_path, monkeypatch):
    (tmp_path / "broken_inside.py").write_text("import nothing_of_that_name\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="nothing_of_that_name") as caught:
        needed("broken_inside")
    assert not isinstance(caught.value, MissingDependency)
