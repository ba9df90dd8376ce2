"""Writers: several jobs with one target at the same time, one of them killed on the way.

Whoever reads meanwhile finds the old file, or the whole one of one of them; at the end one of them
is there, and nothing else.
"""

from __future__ import annotations

import contextlib
import random
import subprocess
import time
from pathlib import Path

from tests.faults import job
from tests.faults.job import Place

ENGINES = ("memory", "tiles")
MANY = 3


def references(folder: Path, inputs: Path) -> dict[str, dict[int, object]]:
    """What a job makes by itself, by engine and seed."""
    found: dict[str, dict[int, object]] = {}
    for engine in ENGINES:
        found[engine] = {}
        for seed in range(MANY):
            place = Place(folder / f"{engine}-{seed}", engine)
            job.run(place, inputs, seed=seed)
            found[engine][seed] = place.found()
    return found


def together(
    draw: random.Random, folder: Path, inputs: Path, known: dict[str, dict[int, object]]
) -> list[str]:
    """Start them, kill the last one at a random moment, and read the target all the time."""
    engine = draw.choice(ENGINES)
    places = [Place(folder / str(seed), engine) for seed in range(MANY)]
    shared = places[0]
    shared.put_old()
    for place in places[1:]:
        place.target = shared.target
    (folder / "case.txt").write_text(f"{engine}, {MANY} writers\n")
    allowed = (shared.old, *known[engine].values())
    processes = [
        job.start(place, job.arguments(place, inputs, seed=seed))
        for seed, place in enumerate(places)
    ]
    victim, moment = processes[-1], time.monotonic() + draw.uniform(0.5, 5.0)
    problems = []
    end = time.monotonic() + job.PATIENCE
    while any(process.poll() is None for process in processes):
        if shared.found() not in allowed:
            problems.append("a reader found a torn target")
            break
        if time.monotonic() > moment:
            victim.kill()
        if time.monotonic() > end:
            problems.append("hangs")
            break
        time.sleep(0.002)
    for process in processes:
        if process.poll() is None:
            process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(job.PATIENCE)
    codes = [process.returncode for process in processes]
    if not problems and (any(codes[:-1]) or codes[-1] not in (0, -9)):
        said = [place.said()[-200:] for place in places]
        problems.append(f"exit codes {codes}: {said}")
    if shared.found() not in tuple(known[engine].values()):
        problems.append("no release at the end")
    if job.run(shared, inputs) or shared.left():
        problems.append(f"left behind: {shared.left()}")
    return problems
