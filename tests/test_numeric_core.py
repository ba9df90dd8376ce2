"""The numeric core needs nothing of what reports and the command line are made with."""

from __future__ import annotations

import subprocess
import sys

BLOCKED = ("matplotlib", "jinja2", "typer", "rich", "click")

PROGRAM = f"""
import sys


class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {BLOCKED!r}:
            raise ModuleNotFoundError(name + " is blocked", name=name)


sys.meta_path.insert(0, Refuse())

import numpy as np
import pandas as pd

import coterie

keys = ["a", "b", "c"]
original = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 3)), columns=keys)
X = coterie.standardize(original)
for method in ("mdav", "mdav-mhm", "auto"):
    groups = coterie.partition(X, 4, method, random_state=0)
print(groups.sizes.min())
released = original.groupby(groups.labels)[keys].transform("mean")
found = coterie.evaluate(original, released, keys, aligned=True)
print(abs(found["il"].value - groups.information_loss) < 1e-9)
print(coterie.verify(released, 4, keys).achieved)
try:
    coterie.verify(original, 4, keys)
except coterie.NotKAnonymous:
    print("not anonymous")
release = coterie.anonymize(original, 4, keys, method="mdav")
print(len(release.data))
"""


def test_it_works_where_they_cannot_be_imported():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[:5] == ["4", "True", "4", "not anonymous", "60"]


def test_they_are_blocked():
    code = PROGRAM.partition("import numpy")[0]
    for name in BLOCKED:
        done = subprocess.run(
            [sys.executable, "-c", f"{code}\nimport {name}"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert f"{name} is blocked" in done.stderr
