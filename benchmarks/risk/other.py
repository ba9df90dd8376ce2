"""A release judged by anonymeter; run by the Python of its own environment.

Needs nothing of coterie: the environment holds anonymeter and what it pins.
"""

from __future__ import annotations

import importlib.metadata
import json
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd


def risk(evaluator) -> list[float]:
    """Risk and its 95 % interval, in percent."""
    found = evaluator.risk(confidence_level=0.95)
    return [100 * found.value, 100 * found.ci[0], 100 * found.ci[1]]


def judged(original, released, control, asked) -> dict[str, list[float]]:
    """The attacks that both suites carry out alike, on one release."""
    from anonymeter.evaluators.inference_evaluator import InferenceEvaluator
    from anonymeter.evaluators.linkability_evaluator import LinkabilityEvaluator
    from anonymeter.evaluators.singling_out_evaluator import SinglingOutEvaluator

    tables = {"ori": original, "syn": released, "control": control}
    tables["n_attacks"] = asked["attempts"]
    keys, first = asked["keys"], asked["half"]
    second = [name for name in keys if name not in first]

    def singling():
        return SinglingOutEvaluator(n_cols=3, seed=0, **tables).evaluate(mode="multivariate")

    def linking():
        return LinkabilityEvaluator(aux_cols=(first, second), **tables).evaluate(n_jobs=1)

    def guessing():
        asks = {"aux_cols": keys, "secret": "diagnosis", "regression": False}
        return InferenceEvaluator(**asks, **tables).evaluate(n_jobs=1)

    attacks = {
        "singling out, three columns": singling,
        "linkability, classes": linking,
        "inference of diagnosis, neighbors": guessing,
    }
    return {name: risk(attacks[name]()) for name in asked["attacks"] or attacks}


def judge(folder: Path) -> None:
    asked = json.loads((folder / "asked.json").read_text(encoding="utf-8"))
    original, control, released = (
        pd.read_csv(folder / f"{name}.csv")[asked["columns"]]
        for name in ("original", "control", "released")
    )
    np.random.seed(0)  # noqa: NPY002 - pandas draws from it
    began = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = judged(original, released, control, asked)
    version = importlib.metadata.version("anonymeter")
    told = {"anonymeter": version, "seconds": time.process_time() - began, "found": found}
    (folder / "found.json").write_text(json.dumps(told, indent=1), encoding="utf-8")


if __name__ == "__main__":
    judge(Path(sys.argv[1]))
