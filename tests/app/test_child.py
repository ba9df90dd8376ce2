"""The child by itself: what it hears while it works, and what is left when it is ended."""

from __future__ import annotations

import json
import subprocess
import threading
import time

import numpy as np
import pandas as pd
import pytest

from coterie.app.child.wire import Controls, Stopped
from coterie.partitioning import pausing
from coterie.partitioning.driver import Progress
from tests.apart import POSIX, started

PLAN = 'k = 3\nquasi_identifiers = ["age", "income"]\nidentifiers = ["name"]\nmethod = "mdav"\n'
PIPES = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}


def controls():
    heard = []
    made = Controls(lambda event, **content: heard.append((event, content)))
    made.begin()
    return made, heard


def test_stop_ends_the_work_where_it_is():
    made, _ = controls()
    made(Progress("mdav", 0.1))
    made.hear("stop")
    with pytest.raises(Stopped):
        made(Progress("mdav", 0.2))
    made.begin()
    made(Progress("mdav", 0.0))


def test_take_waits_until_there_is_something_to_take():
    made, _ = controls()
    made.hear("take")
    made(Progress("start", 0.1))
    with pytest.raises(KeyboardInterrupt):
        made(Progress("annealing", 0.2, information_loss=5.0))
    # Each stratum is a search of its own: its start is not cut short.
    made(Progress("start", 0.01))
    with pytest.raises(KeyboardInterrupt):
        made(Progress("annealing", 0.2, information_loss=4.0))
    made(Progress("partition", 3.0, 1.0))
    made(Progress("evaluation", 3.1, 1.0))


def test_a_pause_holds_the_work_and_counts_for_no_limit():
    made, heard = controls()
    before = pausing.seconds()
    made.hear("pause")
    later = threading.Timer(0.2, lambda: made.hear("resume"))
    later.start()
    made(Progress("annealing", 0.1, information_loss=5.0))
    later.join()
    assert [event for event, _ in heard] == ["progress", "paused", "resumed"]
    assert pausing.seconds() - before >= 0.15


def test_a_pause_is_no_time_of_the_search(clock, monkeypatch):
    from coterie.partitioning.driver import Run

    monkeypatch.setattr(pausing, "time", clock)
    run = Run(time_limit=10.0)
    clock.sleep(4.0)
    with pausing.held():
        clock.sleep(100.0)
    clock.sleep(3.0)
    assert run.seconds == pytest.approx(7.0)
    assert not run.out_of_time
    assert Run(time_limit=10.0).seconds == pytest.approx(0.0)


def test_progress_is_told_at_a_measured_pace():
    made, heard = controls()
    for tick in range(1000):
        made(Progress("mdav", tick / 1000))
    assert len(heard) < 20


@pytest.fixture
def people(tmp_path):
    rows = [(f"Person {i}", 20 + i % 40, 1000 + 37 * i % 900) for i in range(60)]
    path = tmp_path / "people.csv"
    pd.DataFrame(rows, columns=["name", "age", "income"]).to_csv(path, index=False)
    return path


class Child:
    def __init__(self, process):
        self.process = process

    def send(self, **message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def answers(self):
        """Events up to the last one of the command."""
        found = []
        for line in self.process.stdout:
            found.append(json.loads(line))
            if found[-1]["event"] in ("done", "failed", "stopped"):
                return found
        return found


@pytest.fixture
def child(tmp_path):
    with started("-P", "-m", "coterie.app.child", cwd=tmp_path, **PIPES) as process:
        yield Child(process)


def test_the_whole_way(child, people, tmp_path):
    asked = {"table": {"path": str(people), "options": {}}, "plan": PLAN}
    child.send(do="look", **asked)
    look = child.answers()[-1]["result"]
    assert look["records"] == 60
    assert look["found"]["columns"]["name"]["role"] == "identifier"
    assert look["found"]["columns"]["name"]["why"]
    assert "records share the values of all" in look["found"]["verdict"]
    assert look["ranking"]["alone"] > 0
    assert look["problems"] == []
    child.send(do="curve", k=[3, 70], methods=["mdav"], **asked)
    points = [one["point"] for one in child.answers() if one["event"] == "point"]
    assert points[0]["loss"] > 0
    assert "at most" in points[1]["refused"]
    searching = PLAN.replace('"mdav"', '"optimize"') + "time_limit = 600\n"
    child.send(do="curve", k=[3], methods=["mdav"], **{**asked, "plan": searching})
    limited = [one["point"] for one in child.answers() if one["event"] == "point"]
    assert limited[0]["loss"] == points[0]["loss"]  # the limit is another method's
    child.send(do="run", number=7, **asked)
    told = child.answers()[-1]["result"]
    assert told["figures"]["achieved"] >= 3
    chances = [one["linked"] for one in told["records"]["listed"]]
    assert chances == sorted(chances, reverse=True)
    assert [one["name"] for one in told["questions"]] == [
        "singling_out",
        "linkability",
        "inference",
    ]
    items = {"release": str(tmp_path / "out.csv"), "public_evidence": str(tmp_path / "e.json")}
    child.send(do="write", number=7, items=items, bars={}, output="out.csv")
    steps = [(one["item"], one["step"]) for one in child.answers() if one["event"] == "step"]
    assert steps[:4] == [("release", s) for s in ("begun", "read_back", "proven", "named")]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["e.json", "out.csv", "people.csv"]
    child.send(do="write", number=8, items=items, bars={}, output="")
    assert "no longer held" in child.answers()[-1]["text"]


def test_failures_are_told_in_a_line_and_the_child_goes_on(child, people):
    table = {"path": str(people), "options": {}}
    child.send(do="run", number=1, table=table, plan='k = 5\nquasi_identifiers = ["agge"]\n')
    last = child.answers()[-1]
    assert last["event"] == "failed"
    assert "Did you mean 'age'?" in last["text"]
    child.send(do="look", table={"path": str(people) + "x", "options": {}}, plan="k = 5\n")
    assert child.answers()[-1]["event"] == "failed"
    child.send(do="look", table=table, plan="k = 5\n")
    assert child.answers()[-1]["event"] == "done"


def test_the_child_ends_with_its_server(child, people, tmp_path):
    child.send(do="look", table={"path": str(people), "options": {}}, plan="k = 5\n")
    child.answers()
    child.process.stdin.close()
    assert child.process.wait(timeout=60) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


@POSIX
def test_a_file_in_the_folder_is_no_module(tmp_path, people):
    (tmp_path / "numpy.py").write_text("raise SystemExit(3)\n")
    with started("-P", "-m", "coterie.app.child", cwd=tmp_path, **PIPES) as process:
        child = Child(process)
        child.send(do="look", table={"path": str(people), "options": {}}, plan="k = 5\n")
        assert child.answers()[-1]["event"] == "done"


def test_stop_is_heard_at_once(child, people):
    plan = PLAN.replace('"mdav"', '"optimize"') + "time_limit = 600\n"
    child.send(do="run", number=1, table={"path": str(people), "options": {}}, plan=plan)
    time.sleep(0.1)
    child.send(control="stop")
    assert child.answers()[-1]["event"] in ("stopped",)


def test_the_bound_is_told_while_it_is_proved(rng):
    from benchmarks.exact.by_columns import by_columns
    from coterie.partitioning.driver import Run
    from coterie.partitioning.problem import Problem

    pytest.importorskip("highspy")
    told = []
    problem = Problem.of(rng.normal(size=(60, 2)), 3, "the test")
    found = by_columns(problem, Run(callback=told.append))
    spread = np.square(problem.points - problem.points.mean(axis=0)).sum()
    proved = 100.0 * found.lower_bound / spread
    bounds = [one.lower_bound for one in told if one.lower_bound is not None]
    assert bounds
    assert bounds == sorted(bounds)
    assert 0.0 <= bounds[0] <= bounds[-1] <= proved * (1 + 1e-9)
    assert bounds[-1] > 0.5 * proved
