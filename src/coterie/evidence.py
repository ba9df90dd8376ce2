"""Evidence: what was done to a table and what was found, internal and public.

The public kind holds only what at least k units share: counts of fewer are told as "fewer than k",
and neither original values nor extremes, seeds, row numbers or a plain hash of the input appear.
"""

from __future__ import annotations

import hashlib
import hmac
import platform
import secrets
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie import __version__
from coterie.encoding import Column
from coterie.evaluation.declared import evaluate_declared
from coterie.partitioning.core import Partition
from coterie.release import MASKED, Evidence, combined_loss
from coterie.strata import Strata
from coterie.table.schema import Schema
from coterie.table.source import Source

if TYPE_CHECKING:
    import narwhals as nw

__all__ = ["gather", "judge"]

MOST_JUDGED = 20_000  # records up to which linkage is measured: it looks at every class
MEASURES = ["dld_expected", "own_group", "exact_share", "il", "distinct_l"]
SHARES = ("dld_expected", "own_group", "exact_share")  # in percent of the records

CLAIM = "k-anonymous on the declared keys"


def gather(
    source: Source,
    schema: Schema,
    partitions: Sequence[Partition],
    k: int,
    layers: Strata,
    columns: Sequence[Column],
    seconds: Mapping[str, float],
    asked: Mapping[str, Any],
    judged: Mapping[str, Any],
    promised: tuple[Mapping[str, Any], Mapping[str, Any]] = ({}, {}),
) -> Evidence:
    """Both kinds of evidence of one release; `promised` is what each says about constraints."""
    records = len(source.frame)
    dropped = records - len(layers.rows)
    groups = partitions[0]
    sizes, counts = np.unique(np.concatenate([p.sizes for p in partitions]), return_counts=True)
    public = {
        "claim": CLAIM if len(partitions) == 1 else MASKED,
        "k": k,
        "keys": {c.name: c.attribute.type for c in columns},
        "strata": list(schema.strata),
        "unit": schema.unit,
        "confidential": list(schema.confidential),
        "method": groups.method,
        "aggregation": asked["aggregation"],
        "records_released": len(layers.rows),
        "groups": sum(len(p.sizes) for p in partitions),
        "group_sizes": {
            str(int(size)): int(count) for size, count in zip(sizes, counts, strict=True)
        },
        "records_dropped": _at_least(dropped, k),
        "records_in_merged_strata": _at_least(layers.merged, k),
        # The loss of the groups' means; what is released instead may lose more: see "measures".
        "information_loss_percent": round(combined_loss(partitions), 4),
        "measures": _shared(judged, len(layers.rows), k),
        "versions": _versions(),
        **promised[1],
    }
    key = secrets.token_bytes(16)
    internal = {
        **public,
        "records_read": records,
        "records_dropped": dropped,
        "records_in_merged_strata": layers.merged,
        "measures": dict(judged),
        "strata_formed": len(layers.parts),
        "method_options": dict(groups.options),
        "asked": dict(asked),
        "epochs": groups.epochs,
        "interrupted": groups.interrupted,
        **promised[0],
        "identifiers_dropped": list(schema.identifiers),
        "schema": {
            a.name: {"type": a.type, "roles": sorted(a.roles), "reason": a.reason}
            for a in schema.attributes
        },
        "seconds": dict(seconds),
        "input_hash": {"hmac_sha256": _keyed_hash(source, key), "key": key.hex()},
    }
    return Evidence(internal, public)


def judge(
    original: nw.DataFrame[Any], released: nw.DataFrame[Any], schema: Schema
) -> dict[str, Any]:
    """Measures of risk and loss over two aligned tables; why not, where they were not taken."""
    if len(original) > MOST_JUDGED:
        return {"not_measured": f"more than {MOST_JUDGED:,} records: see coterie evaluate"}
    made = evaluate_declared(original, released, schema, MEASURES)
    told: dict[str, Any] = {}
    if made.left_out:
        told["without_columns_that_have_gaps"] = made.left_out
    if made.found is None:
        return {**told, "not_measured": made.why_not}
    return {**told, **{name: round(score.value, 4) for name, score in made.found.items()}}


def _at_least(count: int, k: int) -> int | str:
    return count if count == 0 or count >= k else f"fewer than {k}"


def _shared(judged: Mapping[str, Any], records: int, k: int) -> dict[str, Any]:
    """The measures, with shares that stand for fewer than k records told as a limit."""
    limit = 100.0 * k / records
    return {
        name: f"fewer than {limit:.2g} %" if name in SHARES and 0 < value < limit - 1e-9 else value
        for name, value in judged.items()
    }


def _versions() -> dict[str, str]:
    packages = ("numpy", "numba", "pyarrow")
    return {
        "coterie": __version__,
        "python": platform.python_version(),
        **{name: version(name) for name in packages},
    }


def _keyed_hash(source: Source, key: bytes) -> str:
    """HMAC over names and values: tells whether two inputs are equal only to who has the key."""
    digest = hmac.new(key, digestmod=hashlib.sha256)
    arrow = source.frame.to_arrow()
    digest.update(str(arrow.schema.remove_metadata()).encode())
    for column in arrow.columns:
        for chunk in column.chunks:
            for buffer in chunk.buffers():
                if buffer is not None:
                    digest.update(memoryview(buffer))
    return digest.hexdigest()
