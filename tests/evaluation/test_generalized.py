"""Released intervals and labels beside their originals: what they stand for, by hand."""

from __future__ import annotations

import pyarrow as pa
import pytest

from coterie.evaluation.generalized import generalized_column
from coterie.hierarchy import build
from coterie.table.schema import Attribute

NUMBER = Attribute("age", frozenset({"key"}), "continuous", "")


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_intervals_hold_what_they_begin_with_and_not_what_they_end_with(kind):
    before = pa.array([20.0, 29.9, 30.0, 40.0, None])
    after = pa.array(["[20, 30)", "[20, 30)", "[20, 30)", "[30, 50)", None], type=kind)
    found = generalized_column(NUMBER, before, after)
    assert found.true[:4].tolist() == [True, True, False, True]
    assert found.released[:4].tolist() == [25.0, 25.0, 25.0, 40.0]
    assert found.lost[:4].tolist() == [5.0, 5.0, 5.0, 10.0]
    assert [gap.tolist() for gap in found.gaps] == [[0, 0, 0, 0, 1]] * 2


def test_numbers_and_texts_that_were_texts_are_no_intervals():
    numbers, texts = pa.array([20.0, 30.0]), pa.array(["[20, 30)", "[20, 30)"])
    assert generalized_column(NUMBER, numbers, numbers) is None
    assert generalized_column(NUMBER, texts, texts) is None
    assert generalized_column(NUMBER, numbers, pa.array(["red", "blue"])) is None


def test_labels_give_up_the_levels_below_them():
    codes = ["11", "12", "21"]
    tree = build({"prefix": [1]}).closed(tuple(codes))
    attribute = Attribute("code", frozenset({"key"}), "nominal", "", hierarchy=tree)
    before = pa.array(["11", "12", "21", "21", "11", None])
    after = pa.array(["11", "1", "2", tree.root, "2", None])
    found = generalized_column(attribute, before, after)
    assert found.true[:5].tolist() == [True, True, True, True, False]
    assert found.lost[:4].tolist() == [0.0, 0.5, 0.5, 1.0]
