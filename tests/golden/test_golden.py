"""What twenty plans over numeric tables release is what they have always released."""

from __future__ import annotations

import json

import pytest

from tests.golden.make import FILE, fingerprint
from tests.golden.plans import PLANS

STORED = json.loads(FILE.read_text(encoding="utf-8"))


def test_every_plan_is_stored():
    assert len(PLANS) == 20
    assert list(STORED) == list(PLANS)


@pytest.mark.parametrize("name", PLANS)
def test_release(name):
    assert fingerprint(PLANS[name]()) == STORED[name]
