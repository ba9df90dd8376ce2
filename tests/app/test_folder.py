"""Whatever a request names, it lies within the folder."""

from __future__ import annotations

import os
import sys

import pytest

from coterie.app.folder import Folder
from coterie.errors import ParameterError
from coterie.plan import Plan


@pytest.fixture
def folder(tmp_path):
    inside = tmp_path / "inside"
    (inside / "deeper").mkdir(parents=True)
    (tmp_path / "secret.csv").write_text("a\n1\n")
    (tmp_path / "inside-too").mkdir()
    (tmp_path / "inside-too" / "near.csv").write_text("a\n1\n")
    for name in ("table.csv", "deeper/more.parquet", "plan.toml", ".hidden.csv", "notes.md"):
        (inside / name).write_text("a\n1\n")
    return Folder.at(inside)


@pytest.mark.parametrize(
    "name",
    [
        "../secret.csv",
        "deeper/../../secret.csv",
        "../inside-too/near.csv",
        "/etc/passwd",
        "~/x.csv",
        "",
        " ",
        ".",
        "..",
        "deeper/..",
        "a\0b.csv",
        "x" * 5000,
    ],
)
def test_names_that_lead_outside_are_refused(folder, name):
    with pytest.raises(ParameterError, match="must lie within the folder"):
        folder.inside(name)


def test_an_absolute_path_inside_is_inside(folder):
    assert folder.inside(str(folder.root / "table.csv")) == folder.root / "table.csv"


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_are_resolved_before_they_are_judged(folder):
    os.symlink(folder.root.parent / "secret.csv", folder.root / "link.csv")
    os.symlink(folder.root.parent, folder.root / "up")
    os.symlink(folder.root / "table.csv", folder.root / "good.csv")
    for name in ("link.csv", "up/secret.csv"):
        with pytest.raises(ParameterError):
            folder.inside(name)
        with pytest.raises(ParameterError):
            folder.target(name)
    assert folder.inside("good.csv") == folder.root / "table.csv"
    assert folder.tables() == ["good.csv", "table.csv", "deeper/more.parquet"]


def test_only_tables_and_plans_are_listed(folder):
    assert folder.tables() == ["table.csv", "deeper/more.parquet"]
    assert folder.plans() == ["plan.toml"]


def test_targets_are_seen_and_have_a_folder(folder):
    assert folder.target("deeper/out.csv") == folder.root / "deeper" / "out.csv"
    with pytest.raises(ParameterError, match="must not be hidden"):
        folder.target(".out.csv")
    with pytest.raises(ParameterError, match="folder that is there"):
        folder.target("nowhere/out.csv")


@pytest.mark.parametrize(
    "asked",
    [
        {"previous": ["../secret.csv"]},
        {"k_map": 2, "population": "/etc/passwd"},
        {"hierarchies": {"a": "deeper/../../secret.csv"}},
    ],
)
def test_a_plan_names_no_file_outside(folder, asked):
    with pytest.raises(ParameterError, match="must lie within the folder"):
        folder.holds_files_of(Plan(k=2, quasi_identifiers=["a"], **asked))


def test_a_plan_may_name_files_of_the_folder(folder):
    asked = {"k_map": 2, "population": "table.csv", "hierarchies": {"a": "deeper/levels.csv"}}
    folder.holds_files_of(Plan(k=2, quasi_identifiers=["a"], **asked))
