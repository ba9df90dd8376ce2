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
from coterie.errors import CoterieError
from coterie.evaluation import evaluate
from coterie.partitioning.core import Partition
from coterie.release import MASKED, Evidence, combined_loss
from coterie.strata import Strata
from coterie.table.schema import Schema
from coterie.table.source import Source

if TYPE_CHECKING:
    import narwhals as nw

__all__ = ["CLAIM", "at_least", "gather", "judge", "versions"]

MOST_JUDGED = 20_000  # records up to which linkage is measured: it looks at every class
MEASURES = ["dld_expected", "own_group", "exact_share", "il"]

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
) -> Evidence:
    """Both kinds of evidence of one release."""
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
        "records_dropped": at_least(dropped, k),
        "records_in_merged_strata": at_least(layers.merged, k),
        # The loss of the groups' means; what is released instead may lose more: see "measures".
        "information_loss_percent": round(combined_loss(partitions), 4),
        "measures": dict(judged),
        "versions": versions(),
    }
    key = secrets.token_bytes(16)
    internal = {
        **public,
        "records_read": records,
        "records_dropped": dropped,
        "records_in_merged_strata": layers.merged,
        "strata_formed": len(layers.parts),
        "method_options": dict(groups.options),
        "asked": dict(asked),
        "epochs": groups.epochs,
        "interrupted": groups.interrupted,
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
    whole = {name for name in original.columns if not _has_gaps(original[name])}
    keys = [name for name in schema.keys if name in whole]
    watched = [name for name in schema.confidential if name in whole and name not in keys]
    left_out = [n for n in (*schema.keys, *schema.confidential) if n not in whole]
    told: dict[str, Any] = {}
    if left_out:
        told["without_columns_that_have_gaps"] = list(dict.fromkeys(left_out))
    if not keys:
        return {**told, "not_measured": "every key has gaps"}
    try:
        found = evaluate(
            original.select([*keys, *watched]).to_native(),
            released.select([*keys, *watched]).to_native(),
            keys,
            watched,
            aligned=True,
            measures=MEASURES + (["distinct_l"] if watched else []),
        )
    except (CoterieError, TypeError):
        # What was wrong may name a value of the original, and this is part of public evidence.
        return {**told, "not_measured": "a key or confidential column cannot be measured"}
    return {**told, **{name: round(score.value, 4) for name, score in found.items()}}


def _has_gaps(series: nw.Series[Any]) -> bool:
    gaps = series.is_null().any()
    return bool(gaps or (series.dtype.is_float() and series.is_nan().any()))


def at_least(count: int, k: int) -> int | str:
    """A count as the public may know it."""
    return count if count == 0 or count >= k else f"fewer than {k}"


def versions() -> dict[str, str]:
    """Of coterie and what decides its results."""
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
