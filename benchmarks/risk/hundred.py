"""Everything that is told of risk, on 100,000 mixed records, by the clock and in processor time."""

from __future__ import annotations

import os
import time

import coterie
from coterie.datasets import health
from coterie.evaluation import by_record

RELEASED, HELD_OUT = 100_000, 25_000
KEYS = ["region", "age", "sex", "height", "weight", "income"]
SECRETS = ["diagnosis", "cost"]
STEPS = {
    "three attacks": ["singling_out", "linkability", "inference"],
    "partial knowledge": ["partial_knowledge"],
    "population": ["population_risk"],
    "proximity": ["proximity_m", "dissimilarity"],
    "linkage and classes": ["achieved_k", "prosecutor", "journalist", "marketer", "dld_expected"],
}


def everything():
    """Seconds of each step and of all of them; the machine's load beside."""
    table = health(RELEASED + HELD_OUT, random_state=1).drop(columns="household")
    table = table.sample(frac=1.0, random_state=0)
    people = table.iloc[:RELEASED].reset_index(drop=True)
    held_out = table.iloc[RELEASED:].reset_index(drop=True)
    # Each record stands for one to twenty people.
    people["stands_for"] = 1 + people.index % 20
    release = coterie.anonymize(
        people,
        5,
        KEYS,
        confidential=SECRETS,
        sample_weight="stands_for",
        method="mdav",
        random_state=0,
        row_order="keep",
    )
    load = os.getloadavg()[0]
    found, seconds = {}, {}
    started = time.perf_counter(), time.process_time()
    for step, names in STEPS.items():
        control = held_out if step == "three attacks" else None
        began = time.perf_counter(), time.process_time()
        scores = coterie.evaluate(
            people, release.data, release.plan, aligned=True, measures=names, control=control
        )
        assert not scores.refused, scores.refused
        found |= {name: score.value for name, score in scores.items()}
        seconds[step] = [time.perf_counter() - began[0], time.process_time() - began[1]]
    began = time.perf_counter(), time.process_time()
    listed = by_record(people, release.data, KEYS, SECRETS, aligned=True)
    assert len(listed) == RELEASED
    seconds["by record"] = [time.perf_counter() - began[0], time.process_time() - began[1]]
    total = [time.perf_counter() - started[0], time.process_time() - started[1]]
    return {
        "released": RELEASED,
        "held_out": HELD_OUT,
        "cores": os.cpu_count(),
        "load": load,
        "steps": seconds,
        "all": total,
        "found": found,
    }
