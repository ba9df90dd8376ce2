"""coterie makes microdata safe to publish: k-anonymity by microaggregation.

Records are grouped, at least k to a group, and each group's centroid is released in place of its
members' values. Names load on first use: ``import coterie`` by itself loads no other package.
Public is what `__all__` names, and what the reference lists by its full name; everything else is
private and may change without notice.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"  # its one source: the build reads it here

# Every public name by its home; type checkers read the same in `__init__.pyi`.
_HOMES = {
    "advice": (
        "Look",
        "look",
    ),
    "centroids.edits": ("RuleBroken",),
    "compilation.warming": (
        "Warmed",
        "warm",
    ),
    "errors": (
        "CoterieError",
        "DataError",
        "MissingDependency",
        "NotMeasured",
        "ParameterError",
    ),
    "estimator": ("Microaggregation",),
    "evaluation": (
        "Evaluation",
        "evaluate",
    ),
    "evaluation.verified": ("verify",),
    "guarantees.constraints": ("Constraints",),
    "guarantees.diversity": ("Diversity",),
    "guarantees.dominance": ("Dominance",),
    "guarantees.proof": (
        "NotAdmissible",
        "NotKAnonymous",
    ),
    "partitioning": (
        "Partition",
        "methods",
        "partition",
    ),
    "partitioning.driver": ("Progress",),
    "partitioning.exact.bounding": (
        "LowerBound",
        "lower_bound",
    ),
    "pipeline": ("anonymize",),
    "pipeline.release": ("Release",),
    "plan": ("Plan",),
    "report.dossier": ("write_dossier",),
    "space": ("standardize",),
    "tuning": (
        "Tuning",
        "compare",
        "tune",
    ),
}
_MODULES = ("datasets", "distributed")
_RENAMED = {"standardise": "standardize"}  # still found, with a warning
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted([*_HOME, *_MODULES, "__version__"])


def __getattr__(name: str) -> Any:
    if name in _RENAMED:
        import warnings

        now = _RENAMED[name]
        warnings.warn(f"coterie.{name} is now coterie.{now}", DeprecationWarning, stacklevel=2)
        return getattr(import_module(__name__), now)
    if name in _MODULES:
        value: Any = import_module(f"coterie.{name}")
    elif name in _HOME:
        value = getattr(import_module(f"coterie.{_HOME[name]}"), name)
    else:
        raise AttributeError(f"module 'coterie' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
