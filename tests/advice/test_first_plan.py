"""`coterie init`, then the command it prints, unedited: it runs, and nothing leaks."""

from __future__ import annotations

import shlex
from collections import Counter

import pandas as pd
import pytest

from coterie.cli.app import run
from tests.advice.tables import tables

KNOWN = {known.name: known for known in tables()}
QUICK = ["wage panel", "firms"]
TEN = [
    *("patients", "visits", "households", "survey with codes for no answer", "occupations"),
    *("customers", "municipalities", "couples"),
]


def leaks(original: pd.DataFrame, released: pd.DataFrame, hidden: set[str]) -> list[str]:
    """What a reader of the two files would object to; shares nothing with coterie."""
    found = [f"{name} is released" for name in sorted(hidden & set(released.columns))]
    kept, changed = [], []
    for name in released.columns:
        same = Counter(released[name].astype(str)) == Counter(original[name].astype(str))
        (kept if same else changed).append(name)
    for name in kept:
        many = original[name].value_counts()
        if (many == 1).sum() >= 0.5 * len(original):
            found.append(f"{name} is as it was, and nearly unique")
    if changed and released.groupby(changed, dropna=False).size().min() < 5:
        found.append("a class is smaller than 5")
    numeric = [name for name in kept if pd.api.types.is_numeric_dtype(original[name])]
    for key in changed:
        for one in numeric:
            for two in numeric:
                if one < two and pd.api.types.is_numeric_dtype(original[key]):
                    both = original[one] + original[two]
                    if (both - original[key]).abs().max() < 1e-6:
                        found.append(f"{one} + {two} give {key} back")
    return found


@pytest.mark.parametrize(
    "name", [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in TEN)]
)
def test_the_printed_command_runs_and_leaks_nothing(name, tmp_path, monkeypatch, capsys):
    known = KNOWN[name]
    monkeypatch.chdir(tmp_path)
    known.data.to_csv("in.csv", index=False)
    assert run(["init", "in.csv", "-o", "plan.toml"]) == 0
    command = capsys.readouterr().out.strip().splitlines()[-1]
    words = shlex.split(command)
    assert words[:2] == ["coterie", "anonymize"]
    assert run([*words[1:], "--quiet"]) == 0, capsys.readouterr().err
    released = pd.read_csv("released.csv")
    assert leaks(pd.read_csv("in.csv"), released, known.identifiers | known.units) == []


def test_a_name_that_looks_like_a_flag(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"age": [1, 2, 3] * 10, "sex": ["f", "m"] * 15}).to_csv("-in.csv", index=False)
    assert run(["init", "-o", "plan.toml", "--", "-in.csv"]) == 0
    words = shlex.split(capsys.readouterr().out.strip().splitlines()[-1])
    assert run(["anonymize", "--dry-run", "--quiet", *words[2:]]) == 0, capsys.readouterr().err
