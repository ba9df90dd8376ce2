"""What few units can make up of a loss that is published."""

from __future__ import annotations

import math
from types import SimpleNamespace

from coterie.public.influence import Influence


class Keys(dict):
    """Stands in for a schema of records: its keys, each with its weight."""

    unit = None

    @property
    def keys(self):
        return tuple(self)


SCHEMA = Keys(age=SimpleNamespace(weight=1.0), income=SimpleNamespace(weight=3.0))


def test_the_largest_of_all_parts_count():
    parts = [{"age": (5.0, 1.0), "income": (2.0, 0.0)}, {"age": (4.0, 3.0), "income": (1.0, 0.5)}]
    found = Influence.of_parts(parts, {"age": 90.0, "income": 300.0}, SCHEMA, k=3)
    assert found.losses == {"age": 10.0, "income": 1.0}
    assert found.loss == 0.25 * 10.0 + 0.75 * 1.0


def test_errors_whose_sum_is_beyond_float64_leave_nothing_to_be_published():
    parts = [{"age": (1.5e308,), "income": (1.0,)}, {"age": (1.5e308,), "income": (1.0,)}]
    found = Influence.of_parts(parts, {"age": 1e308, "income": 100.0}, SCHEMA, k=3)
    assert found.losses == {"age": math.inf, "income": 2.0}
    assert found.loss == math.inf
