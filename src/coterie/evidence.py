"""Evidence: what was done to a table and what was found, internal and public.

The public kind holds only what at least k units share: counts of fewer are told as "fewer than k",
and neither original values nor extremes, seeds, row numbers or a plain hash of the input appear.
"""

from __future__ import annotations

import hashlib
import hmac
import math
import platform
import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie import __version__
from coterie.edits.keep import Kept
from coterie.edits.plan import Edits
from coterie.encoding import Column
from coterie.evaluation.declared import declared_loss, declared_tallies, evaluate_declared
from coterie.partitioning.core import Partition
from coterie.previous import Divided, Earlier
from coterie.release import MASKED, Evidence
from coterie.space import Loss
from coterie.strata import Strata
from coterie.table.schema import Schema
from coterie.table.source import Source

if TYPE_CHECKING:
    import narwhals as nw

__all__ = [
    "CLAIM",
    "at_least",
    "edit_evidence",
    "gather",
    "judge",
    "loss_evidence",
    "previous_evidence",
    "versions",
]

MOST_JUDGED = 20_000  # records up to which linkage is measured: it looks at every class
MEASURES = ["dld_expected", "own_group", "exact_share", "il", "distinct_l"]
LOSS = "loss"  # of what was judged: what the headline is made of
SHARES = ("dld_expected", "own_group", "exact_share")  # in percent of the records

CLAIM = "k-anonymous on the declared keys"
K_ALONE = "objective_percent_k_alone"  # of the search, before groups were repaired


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
    rules: Mapping[str, Any] | None = None,
    previous: Mapping[str, Any] | None = None,
) -> Evidence:
    """Both kinds of evidence of one release; `promised` is what each says about constraints."""
    loss: Loss = judged[LOSS]
    judged = {name: value for name, value in judged.items() if name != LOSS}
    search = search_evidence(partitions)
    alone = promised[0].get(K_ALONE)
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
        **loss_evidence(loss, k, public=True),
        "search": {"objective_percent": _rounded(search["objective_percent"])},
        "measures": _shared(judged, len(layers.rows), k),
        **({"rules": _public_rules(rules, k)} if rules else {}),
        **({"previous": _public_counts(previous, k)} if previous else {}),
        "versions": versions(),
        **promised[1],
    }
    key = secrets.token_bytes(16)
    internal = {
        **public,
        "records_read": records,
        "records_dropped": dropped,
        "records_in_merged_strata": layers.merged,
        **loss_evidence(loss, k, public=False),
        "search": {**search, **({} if alone is None else {K_ALONE: alone})},
        "measures": dict(judged),
        **({"rules": dict(rules)} if rules else {}),
        **({"previous": dict(previous)} if previous else {}),
        "strata_formed": len(layers.parts),
        "method_options": dict(groups.options),
        "asked": dict(asked),
        "epochs": groups.epochs,
        "interrupted": groups.interrupted,
        **{name: value for name, value in promised[0].items() if name != K_ALONE},
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
    """Loss and measures of risk over two aligned tables; why not, where they were not taken."""
    loss = declared_loss(
        declared_tallies(original.to_native(), released.to_native(), schema), schema
    )
    if len(original) > MOST_JUDGED:
        why = f"linkage, with more than {MOST_JUDGED:,} records: see coterie evaluate"
        return {LOSS: loss, "il": loss.percent, "not_measured": why}
    made = evaluate_declared(original, released, schema, MEASURES)
    if made.found is None:
        return {LOSS: loss, "il": loss.percent, "not_measured": made.why_not}
    return {LOSS: loss, **made.found.values_by_name()}


def loss_evidence(loss: Loss, k: int, *, public: bool) -> dict[str, Any]:
    """What was lost of what is released, in all and by key; in public to four decimals."""
    told = (lambda value, _: value) if not public else _limited_to(k)
    return {
        "information_loss_percent": _rounded(loss.percent) if public else loss.percent,
        "information_loss_percent_by_key": {
            name: _rounded(key.percent) if public else key.percent
            for name, key in loss.keys.items()
        },
        "changed_percent_by_key": {
            name: told(share, loss.keys[name].records) for name, share in loss.changed.items()
        },
    }


def _limited_to(k: int) -> Callable[[float, int], Any]:
    """A share of so many records as the public may know it."""

    def told(share: float, records: int) -> Any:
        few = 0 < share * records / 100.0 < k - 1e-9
        return f"fewer than {100.0 * k / records:.2g} %" if few else _rounded(share)

    return told


def _rounded(value: float) -> float:
    return round(value, 4) if math.isfinite(value) else value


def search_evidence(partitions: Sequence[Partition]) -> dict[str, Any]:
    """The search's own objective: SSE and SST of the groups' means in the space of the search."""
    sse, sst = sum(p.sse for p in partitions), sum(p.sst for p in partitions)
    return {
        "sse": sse,
        "sst": sst,
        "objective_percent": 100.0 * min(sse / sst, 1.0) if sst > 0 else 0.0,
    }


def edit_evidence(edits: Edits, edited: Sequence[Kept]) -> dict[str, Any] | None:
    """Each rule, how the original kept it, and what it took to keep it in the release."""
    if not edits.rules:
        return None
    change: dict[str, float] = {}
    for kept in edited:
        change.update(kept.change)
    return {
        "checked": [
            {
                "rule": found.rule,
                "broken_in_original": found.broken,
                "broken_in_release": 0,  # proven on the file, or there is none
            }
            for found in edits.found
        ],
        "groups_moved_to_keep_them": sum(kept.projected for kept in edited),
        "groups_rounded_together": sum(kept.rounded for kept in edited),
        "change_sd": {name: round(value, 6) for name, value in change.items()},
    }


def previous_evidence(
    earlier: Earlier | None, beside: Divided | None, rows: NDArray[np.int64]
) -> dict[str, Any] | None:
    """What is promised beside earlier releases, and what was left out for it."""
    if earlier is None or beside is None:
        return None
    return {
        "releases": earlier.releases,
        "k_together": earlier.k,
        "records_new": int((earlier.codes[rows] < 0).sum()),
        "records_gone": int((earlier.here < 0).sum()),
        "records_dropped": beside.dropped,
        "classes_that_fewer_than_k_left": beside.exposed,
    }


def _public_counts(counts: Mapping[str, Any], k: int) -> dict[str, Any]:
    return {
        name: at_least(value, k) if name.startswith("records") else value
        for name, value in counts.items()
    }


def _public_rules(rules: Mapping[str, Any], k: int) -> dict[str, Any]:
    checked = [
        {**one, "broken_in_original": at_least(one["broken_in_original"], k)}
        for one in rules["checked"]
    ]
    return {**rules, "checked": checked}


def at_least(count: int, k: int) -> int | str:
    """A count as the public may know it."""
    return count if count == 0 or count >= k else f"fewer than {k}"


def _shared(judged: Mapping[str, Any], records: int, k: int) -> dict[str, Any]:
    """The measures, with shares that stand for fewer than k records told as a limit."""
    told = _limited_to(k)
    return {
        name: told(value, records)
        if name in SHARES
        else _rounded(value)
        if isinstance(value, float)
        else value
        for name, value in judged.items()
    }


def versions() -> dict[str, str]:
    """Of coterie and what decides its results."""
    return {"coterie": __version__, "python": platform.python_version(), **_installed()}


@cache
def _installed() -> dict[str, str]:
    return {name: version(name) for name in ("numpy", "numba", "pyarrow")}


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
