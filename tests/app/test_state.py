"""The history: undo, redo, names, differences."""

from __future__ import annotations

import pytest

pytest.importorskip("starlette")

from coterie.app import state as states
from coterie.app.state import History, State, TableFile, amended, empty_plan
from coterie.errors import ParameterError


def with_k(k):
    return State(plan=amended(empty_plan(), {"k": k})[0])


def test_a_draft_lacks_its_keys_and_nothing_else():
    plan, problems = amended(empty_plan(), {"strata": ["a"]})
    assert (plan.strata, plan.quasi_identifiers, problems) == (("a",), (), [])
    (problem,) = amended(plan, {"missing": "Plan must be given"})[1]
    assert problem.startswith("The 'missing' parameter of Plan must be one of 'error'")


def test_undo_and_redo_go_where_they_came_from():
    history = History(with_k(2))
    for k in (3, 4, 5):
        history.change(with_k(k), "choose")
    assert [history.undo().plan.k for _ in range(5)] == [4, 3, 2, 2, 2]
    assert [history.redo().plan.k for _ in range(5)] == [3, 4, 5, 5, 5]


def test_a_change_after_undo_keeps_what_was_undone_in_the_list():
    history = History(with_k(2))
    history.change(with_k(3), "choose")
    history.undo()
    history.change(with_k(7), "choose")
    assert not history.can_redo
    assert [entry.state.plan.k for entry in history.entries] == [2, 3, 7]
    assert history.go(2).plan.k == 3
    assert history.undo().plan.k == 7


def test_what_asks_for_the_same_is_no_change():
    history = History(with_k(2))
    history.change(with_k(2), "choose")
    assert len(history.entries) == 1
    assert not history.can_undo


def test_names():
    history = History(with_k(2))
    history.name(1, " first ")
    assert history.entry(1).name == "first"
    with pytest.raises(ParameterError, match="at most 60"):
        history.name(1, "x" * 61)
    with pytest.raises(ParameterError, match="no state 9"):
        history.name(9, "x")


def test_differences_name_what_was_asked_otherwise():
    one = State(TableFile("a.csv"), with_k(2).plan, (("il", 5.0),))
    two = State(TableFile("b.csv"), with_k(3).plan)
    assert list(one.differences(two)) == [
        ("table", "a.csv", "b.csv"),
        ("k", 2, 3),
        ("bars", {"il": 5.0}, {}),
    ]
    assert list(one.differences(one)) == []


def test_long_histories_forget_their_beginning(monkeypatch):
    monkeypatch.setattr(states, "MOST_KEPT", 4)
    history = History(with_k(2))
    for k in range(3, 12):
        history.change(with_k(k), "choose")
    assert [entry.state.plan.k for entry in history.entries] == [8, 9, 10, 11]
    assert [history.undo().plan.k for _ in range(5)] == [10, 9, 8, 8, 8]


def test_a_draft_needs_no_keys_but_says_what_else_is_wrong():
    plan, problems = amended(empty_plan(), {"k": 4})
    assert (plan.k, problems) == (4, [])
    plan, problems = amended(plan, {"k": 1, "missing": "dropp"})
    assert len(problems) == 2
    assert "'missing'" in " ".join(problems)
