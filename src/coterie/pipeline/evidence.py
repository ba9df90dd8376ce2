"""Evidence: what was done to a table and what was found, internal and public.

The public kind holds only what at least k units share, by the rules of `coterie.public`: neither
original values nor extremes, seeds, row numbers or a plain hash of the input appear.
"""

from __future__ import annotations

import hashlib
import hmac
import platform
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from coterie import __version__
from coterie.centroids.edits.keep import Kept
from coterie.centroids.edits.plan import Edits
from coterie.evaluation.declared import evaluate_declared
from coterie.guarantees.panel.earlier import Divided, Earlier
from coterie.pipeline.release import MASKED, Evidence
from coterie.public import EVIDENCE, DocumentRule, Influence, listed
from coterie.public.documents import FORMAT
from coterie.public.published import public_counts, public_figures, public_rules
from coterie.recoding.apply import Recoded
from coterie.recoding.rule import words
from coterie.space import Loss
from coterie.table.schema import Schema
from coterie.table.source import Source

if TYPE_CHECKING:
    import narwhals as nw

__all__ = [
    "CLAIM",
    "Facts",
    "edit_evidence",
    "gather",
    "judge",
    "keyed_hash",
    "may_drop",
    "objective",
    "previous_evidence",
    "versions",
]

MOST_JUDGED = 20_000  # records up to which linkage is measured: it looks at every class
MEASURES = ["dld_expected", "own_group", "exact_share", "il", "distinct_l"]

CLAIM = "k-anonymous on the declared keys"
K_ALONE = "objective_percent_k_alone"  # of the search, before groups were repaired


@dataclass(frozen=True, eq=False, kw_only=True)
class Facts:
    """What was done to a table and what was found, whatever held it.

    Attributes
    ----------
    rule : Rule
        By which figures become public.
    read, released, merged : int
        Records; those of pooled strata.
    dropped : int or str
        What everybody may know of how many were dropped.
    strata, sets : int
        Strata formed; sets of keys that were masked apart.
    sizes : Counter
        Groups of each size.
    search : mapping
        The search's own objective.
    judged : mapping
        Measures, or why there are none.
    guaranteed : pair of mappings
        What internal and public evidence say about constraints.
    more : mapping
        What only the internal evidence tells.
    """

    schema: Schema
    k: int
    rule: DocumentRule
    asked: Mapping[str, Any]
    method: str
    options: Mapping[str, Any]
    read: int
    released: int
    dropped: int | str
    merged: int
    strata: int
    sets: int
    sizes: Counter[int]
    loss: Loss
    influence: Influence
    search: Mapping[str, Any]
    judged: Mapping[str, Any]
    guaranteed: tuple[Mapping[str, Any], Mapping[str, Any]] = ({}, {})
    rules: Mapping[str, Any] | None = None
    previous: Mapping[str, Any] | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)
    recoded: Mapping[str, Recoded] = field(default_factory=dict)


def may_drop(asked: Mapping[str, Any]) -> bool:
    """Whether records could be dropped by what was asked for."""
    dropped = (asked.get(name) == "drop" for name in ("missing", "small_strata", "broken_rules"))
    return any(dropped) or bool(asked.get("suppress_at_most"))


def gather(facts: Facts) -> Evidence:
    """Both kinds of evidence of one release."""
    schema, rule, asked = facts.schema, facts.rule, facts.asked
    alone = facts.guaranteed[0].get(K_ALONE)
    public = {
        "format": FORMAT,
        "claim": CLAIM if facts.sets == 1 else MASKED,
        **({"truthful": True} if facts.loss.truthful else {}),
        "k": facts.k,
        "keys": {a.name: a.type for a in schema.key_attributes},
        "strata": list(schema.strata),
        "unit": schema.unit,
        "confidential": list(schema.confidential),
        "method": facts.method,
        "aggregation": asked["aggregation"],
        "records_released": facts.released,
        "groups": sum(facts.sizes.values()),
        "group_sizes": {str(size): facts.sizes[size] for size in sorted(facts.sizes)},
        "records_dropped": facts.dropped,
        "records_in_merged_strata": (
            rule.count(facts.merged) if asked.get("small_strata") == "merge" else 0
        ),
        **public_figures(facts.loss, facts.judged, facts.released, rule, facts.influence, schema),
        **({"rules": public_rules(facts.rules, rule, schema)} if facts.rules else {}),
        **({"previous": public_counts(facts.previous, rule, schema)} if facts.previous else {}),
        **_pooled(facts.loss, schema),
        **_recoded({name: words(one.asked) for name, one in facts.recoded.items()}),
        "versions": versions(),
        **facts.guaranteed[1],
    }
    internal = {
        **public,
        "records_read": facts.read,
        "records_dropped": facts.read - facts.released,
        "records_in_merged_strata": facts.merged,
        **loss_evidence(facts.loss),
        "search": {**facts.search, **({} if alone is None else {K_ALONE: alone})},
        "measures": dict(facts.judged),
        **({"rules": dict(facts.rules)} if facts.rules else {}),
        **({"previous": dict(facts.previous)} if facts.previous else {}),
        **_recoded({name: one.reported for name, one in facts.recoded.items()}),
        "strata_formed": facts.strata,
        "method_options": dict(facts.options),
        "asked": dict(asked),
        **{name: value for name, value in facts.guaranteed[0].items() if name != K_ALONE},
        "identifiers_dropped": list(schema.identifiers),
        "schema": {
            a.name: {"type": a.type, "roles": sorted(a.roles), "reason": a.reason}
            for a in schema.attributes
        },
        **declared_exceptions(schema),
        "seconds": dict(facts.seconds),
        **facts.more,
    }
    del internal["rounded_to"]
    return Evidence(internal, listed(public, EVIDENCE))


def _pooled(loss: Loss, schema: Schema) -> dict[str, Any]:
    """The strata behind each entry of the loss by key that stands for pooled ones."""
    return (
        {"pooled_strata": {name: list(schema.strata) for name in loss.pooled}}
        if loss.pooled
        else {}
    )


def _recoded(rules: Mapping[str, Any]) -> dict[str, Any]:
    return {"recoded": dict(rules)} if rules else {}


def declared_exceptions(schema: Schema) -> dict[str, Any]:
    """What speaks against columns that the caller has declared, where there is something."""
    found = {a.name: list(a.exceptions) for a in schema.attributes if a.exceptions}
    return {"declared_exceptions": found} if found else {}


def judge(
    original: nw.DataFrame[Any], released: nw.DataFrame[Any], schema: Schema, loss: Loss
) -> dict[str, Any]:
    """Measures of risk over two aligned tables; why not, where they were not taken."""
    if len(original) > MOST_JUDGED:
        why = f"linkage, with more than {MOST_JUDGED:,} records: see coterie evaluate"
        return {"il": loss.percent, "not_measured": why}
    judged = evaluate_declared(original, released, schema, MEASURES)
    if judged.found is None:
        return {"il": loss.percent, "not_measured": judged.why_not}
    return dict(judged.found.values_by_name())


def loss_evidence(loss: Loss) -> dict[str, Any]:
    """What was lost of what is released, in all and by key."""
    return {
        "information_loss_percent": loss.percent,
        "information_loss_percent_by_key": {n: key.percent for n, key in loss.keys.items()},
        "changed_percent_by_key": loss.changed,
    }


def objective(sse: float, sst: float) -> dict[str, Any]:
    """The search's own objective, as evidence tells it."""
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
    earlier: Earlier | None, divided: Divided | None, rows: NDArray[np.int64]
) -> dict[str, Any] | None:
    """What is guaranteed beside earlier releases, and what was left out for it."""
    if earlier is None or divided is None:
        return None
    return {
        "releases": earlier.releases,
        "k_together": earlier.k,
        "records_new": int((earlier.codes[rows] < 0).sum()),
        "records_gone": int((earlier.here < 0).sum()),
        "records_dropped": divided.dropped,
        "classes_that_fewer_than_k_left": divided.exposed,
    }


def versions() -> dict[str, str]:
    """Of coterie and what decides its results."""
    return {"coterie": __version__, "python": platform.python_version(), **_installed()}


@cache
def _installed() -> dict[str, str]:
    return {name: version(name) for name in ("numpy", "numba", "pyarrow")}


def keyed_hash(source: Source) -> dict[str, str]:
    """HMAC over names and values: tells whether two inputs are equal only to who has the key."""
    key = secrets.token_bytes(16)
    digest = hmac.new(key, digestmod=hashlib.sha256)
    arrow = source.frame.to_arrow()
    digest.update(str(arrow.schema.remove_metadata()).encode())
    for column in arrow.columns:
        for chunk in column.chunks:
            for buffer in chunk.buffers():
                if buffer is not None:
                    digest.update(memoryview(buffer))
    return {"hmac_sha256": digest.hexdigest(), "key": key.hex()}
