"""coterie makes microdata safe to publish: k-anonymity by microaggregation.

Records are grouped, at least k to a group, and each group's centroid is released in place of its
members' values. Names load on first use: ``import coterie`` by itself loads no other package.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coterie import datasets, distributed
    from coterie.dossier import write_dossier
    from coterie.edits import RuleBroken
    from coterie.errors import (
        CoterieError,
        DataError,
        MissingDependency,
        NotMeasured,
        ParameterError,
    )
    from coterie.estimator import Microaggregation
    from coterie.evaluation import Evaluation, evaluate
    from coterie.partitioning import Partition, methods, partition
    from coterie.partitioning.driver import Progress
    from coterie.partitioning.exact.bounding import LowerBound, lower_bound
    from coterie.pipeline import anonymize
    from coterie.plan import Plan
    from coterie.release import Release
    from coterie.space import standardise
    from coterie.tuning import Tuning, tune
    from coterie.verification import NotAdmissible, NotKAnonymous, verify
    from coterie.warming import Warmed, warm

__version__ = "0.1.0"  # its one source: the build reads it here

__all__ = [
    "CoterieError",
    "DataError",
    "Evaluation",
    "LowerBound",
    "Microaggregation",
    "MissingDependency",
    "NotAdmissible",
    "NotKAnonymous",
    "NotMeasured",
    "ParameterError",
    "Partition",
    "Plan",
    "Progress",
    "Release",
    "RuleBroken",
    "Tuning",
    "Warmed",
    "__version__",
    "anonymize",
    "datasets",
    "distributed",
    "evaluate",
    "lower_bound",
    "methods",
    "partition",
    "standardise",
    "tune",
    "verify",
    "warm",
    "write_dossier",
]

_HOME = {
    "CoterieError": "errors",
    "DataError": "errors",
    "Evaluation": "evaluation",
    "LowerBound": "partitioning.exact.bounding",
    "Microaggregation": "estimator",
    "MissingDependency": "errors",
    "NotMeasured": "errors",
    "ParameterError": "errors",
    "Partition": "partitioning",
    "Plan": "plan",
    "Progress": "partitioning.driver",
    "Release": "release",
    "RuleBroken": "edits",
    "NotAdmissible": "verification",
    "NotKAnonymous": "verification",
    "anonymize": "pipeline",
    "verify": "verification",
    "Tuning": "tuning",
    "Warmed": "warming",
    "datasets": "datasets",
    "distributed": "distributed",
    "evaluate": "evaluation",
    "lower_bound": "partitioning.exact.bounding",
    "methods": "partitioning",
    "partition": "partitioning",
    "standardise": "space",
    "tune": "tuning",
    "warm": "warming",
    "write_dossier": "dossier",
}


if not TYPE_CHECKING:  # which would take every misspelt name for one that loads on first use

    def __getattr__(name: str) -> Any:
        if name not in _HOME:
            raise AttributeError(f"module 'coterie' has no attribute {name!r}")
        module = import_module(f"coterie.{_HOME[name]}")
        value = module if name in ("datasets", "distributed") else getattr(module, name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
