from __future__ import annotations

import pytest

from coterie.report.plots.cells import Cell, draw_cells

SHAPE = {"width": 300, "tallest": 40, "letters": 30, "size": 9}


def test_cells_stand_where_they_belong():
    cells = [Cell(0, 0, "positive", 0.3, "a"), Cell(1, 0, "negative", 0.6, None)]
    axes = draw_cells(["r", "s"], ["c", "d"], cells, **SHAPE)
    assert [patch.get_xy() for patch in axes.patches] == [(0.03, 0.03), (0.03, 1.03)]
    assert [patch.get_alpha() for patch in axes.patches] == [0.3, 0.6]
    assert [(text.get_text(), text.get_position()) for text in axes.texts] == [("a", (0.5, 0.5))]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["r", "s"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["c", "d"]
    assert axes.get_ylim() == (2, 0)  # the first row on top


@pytest.mark.parametrize(
    ("names", "upright"), [(["a", "b"], False), (["a" * 12] * 3, True), (list("abcde"), True)]
)
def test_names_that_have_no_room_stand_upright(names, upright):
    axes = draw_cells(names, names, [], **SHAPE)
    assert {label.get_rotation() for label in axes.get_xticklabels()} == {90.0 if upright else 0.0}


def test_axes_that_are_given_are_drawn_on():
    first = draw_cells(["a"], ["b"], [], **SHAPE)
    assert draw_cells(["a"], ["b"], [Cell(0, 0, "ink", 0.5, "x")], first, **SHAPE) is first
