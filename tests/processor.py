"""What tests cost, in processor seconds: `dev.py test --room-times`.

Counted are this process and the ones that it has started and waited for, so that a busy machine
shows the same figures as a quiet one. What several tests share (a module's fixture, a kernel's
first load) is counted with the first of them.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

LONGEST = 15
COSTS = pytest.StashKey[Counter]()
START = "(start, collection)"


def pytest_addoption(parser):
    parser.addoption(
        "--room-times", action="store_true", help="processor seconds by room, and the longest tests"
    )


def pytest_configure(config):
    if config.getoption("room_times"):
        config.stash[COSTS] = Counter()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    costs = item.config.stash.get(COSTS, Counter())
    before = spent()
    try:
        return (yield)
    finally:
        costs[item.nodeid] += spent() - before


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session):
    config = session.config
    if COSTS not in config.stash:
        return
    costs, worker = config.stash[COSTS], hasattr(config, "workerinput")
    # A process that has others run the tests has waited for them, and they count for themselves.
    others = config.getoption("numprocesses", None) and not worker
    own = spent(children=not others)
    costs[START] += own if others else own - sum(costs.values())
    if worker:
        config.workeroutput["costs"] = dict(costs)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """A process of pytest-xdist has ended: its figures join those of this one."""
    if COSTS in node.config.stash:
        node.config.stash[COSTS].update(getattr(node, "workeroutput", {}).get("costs", {}))


def pytest_terminal_summary(terminalreporter, config):
    if COSTS not in config.stash:
        return
    costs = config.stash[COSTS]
    rooms, tests = Counter(), Counter()
    for name, seconds in costs.items():
        tests[name.partition("[")[0] if name != START else name] += seconds
        for place in places(name):
            rooms[place] += seconds
    say = terminalreporter.write_line
    terminalreporter.section("processor seconds")
    for place in sorted(rooms):
        say(f"{rooms[place]:8.1f}  {place}")
    say(f"{sum(costs.values()):8.1f}  in all")
    del tests[START]
    say(f"the {LONGEST} longest, parameters together:")
    for name, seconds in tests.most_common(LONGEST):
        say(f"{seconds:8.1f}  {name}")


def places(name):
    """The rooms that a test counts for: tests/partitioning/exact also for tests/partitioning."""
    folders = name.partition("::")[0].split("/")[:3]
    if folders[0] != "tests":
        return folders[:1]
    return ["/".join(folders[:end]) for end in range(2, len(folders) + 1)]


def spent(children=True):
    """Processor seconds of this process so far, and of those that it has waited for."""
    return sum(os.times()[: 4 if children else 2])
