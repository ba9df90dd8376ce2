"""One option more: the Plan says so, and every surface has it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import coterie
from coterie.cli import main
from coterie.cli.asked import READERS
from coterie.plan.plan import options

SOURCE = Path(coterie.__file__).parent

OPTION = """
    line_ends: str = option(
        one_of("lf", "crlf"), "str", "How lines end.", Flag(("--line-ends",), "lf or crlf.", "WORD")
    )
"""

USED = """
import inspect, sys
import pandas as pd
import coterie
from coterie.cli import main
from coterie.plan import Plan

assert "line_ends" in inspect.signature(coterie.anonymize).parameters
assert "How lines end." in coterie.anonymize.__doc__
plan = Plan(3, ["age"], method="mdav", line_ends="crlf")
assert "line_ends = \\"crlf\\"" in plan.to_toml()
assert Plan.from_toml(plan.to_toml()) == plan
try:
    Plan(5, ["age"], line_ends="cr")
except coterie.ParameterError as error:
    assert "'line_ends' parameter of Plan must be one of 'lf', 'crlf'. Got 'cr'" in str(error)
release = coterie.anonymize(pd.DataFrame({"age": range(12)}), plan)
assert release.evidence.internal["asked"]["line_ends"] == "crlf"
assert main(["anonymize", "--help"]) == 0
"""


def test_adding_an_option_touches_the_plan_alone(tmp_path):
    """Five lines in a copy of the source; signature, help, file, checks and evidence follow."""
    shutil.copytree(SOURCE, tmp_path / "coterie", ignore=shutil.ignore_patterns("__pycache__"))
    output = tmp_path / "coterie" / "plan" / "output.py"
    output.write_text(output.read_text().rstrip() + "\n" + OPTION)
    done = subprocess.run(
        [sys.executable, "-c", USED],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_DISABLE_JIT": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert "--line-ends" in done.stdout


def test_flags_are_unique_and_every_flag_reads(capsys):
    flags = [name for o in options().values() if o.flag for name in o.flag.names]
    assert len(set(flags)) == len(flags)
    assert all(o.flag.reads in READERS for o in options().values() if o.flag)
    assert main(["anonymize", "--help"]) == 0
    shown = capsys.readouterr().out
    for flag in flags:
        assert flag.split("/")[0] in shown


def test_replay_is_the_plan():
    table = coterie.datasets.diabetes()
    release = coterie.anonymize(table, 5, ["age", "bmi"], method="mdav", strata=["sex"])
    again = coterie.anonymize(table, coterie.Plan.from_toml(release.plan.to_toml()))
    assert again.data.equals(release.data)
    assert again.plan == release.plan
