"""coterie makes microdata safe to publish: k-anonymity by microaggregation.

Records are grouped, at least k to a group, and each group's centroid is released in place of its
members' values. Names load on first use: ``import coterie`` by itself loads no other package.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coterie import datasets
    from coterie.errors import CoterieError, DataError, MissingDependency, ParameterError
    from coterie.partitioning import Partition, methods, partition
    from coterie.partitioning.driver import Progress
    from coterie.partitioning.exact.bounding import LowerBound, lower_bound
    from coterie.space import standardise

__version__ = "0.1.0"

__all__ = [
    "CoterieError",
    "DataError",
    "LowerBound",
    "MissingDependency",
    "ParameterError",
    "Partition",
    "Progress",
    "__version__",
    "datasets",
    "lower_bound",
    "methods",
    "partition",
    "standardise",
]

_HOME = {
    "CoterieError": "errors",
    "DataError": "errors",
    "LowerBound": "partitioning.exact.bounding",
    "MissingDependency": "errors",
    "ParameterError": "errors",
    "Partition": "partitioning",
    "Progress": "partitioning.driver",
    "datasets": "datasets",
    "lower_bound": "partitioning.exact.bounding",
    "methods": "partitioning",
    "partition": "partitioning",
    "standardise": "space",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'coterie' has no attribute {name!r}")
    module = import_module(f"coterie.{_HOME[name]}")
    value = module if name == "datasets" else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
