"""What a job on parts gives: the release is in files, and this tells about it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from coterie.distributed.parts import Input
from coterie.distributed.plan import Plan
from coterie.distributed.protection import Protected
from coterie.distributed.survey import Survey
from coterie.evaluation.declared import declared_loss
from coterie.evidence import CLAIM, loss_evidence, loss_figures, versions
from coterie.public import EVIDENCE, NOT_TOLD, Influence, Rule, listed, rounded_to, words_of
from coterie.release import Evidence
from coterie.space import Loss, Tally
from coterie.space.exact_sums import Moments
from coterie.verification import Verification

__all__ = ["Written", "evidence", "lost"]


@dataclass(frozen=True, eq=False)
class Written:
    """A release in files, proven. Made by `coterie.distributed.anonymize`.

    Attributes
    ----------
    target : str
        The file or folder that was written.
    parts : tuple of str
        Its files.
    verification : Verification
        What was counted on them.
    evidence : Evidence
        Internal and public.
    information_loss : float
        Percent of the keys' information that the released values do not keep.
    peak_memory : mapping
        Most MB that each worker held at once.
    """

    target: str
    parts: tuple[str, ...]
    verification: Verification
    evidence: Evidence = field(repr=False)
    information_loss: float
    peak_memory: Mapping[str, float] = field(repr=False)

    def __str__(self) -> str:
        return f"{self.verification}; {self.information_loss:.2f} % of the information lost"


def lost(plan: Plan, tiles: Sequence[Protected]) -> Loss:
    """What was lost over all tiles, the same in any order and layout."""
    return declared_loss(_tallies(tiles), plan.schema)


def influence(plan: Plan, tiles: Sequence[Protected]) -> Influence:
    """How much of that k - 1 units can make up."""
    totals = {name: float(tally.total) for name, tally in _tallies(tiles).items()}
    return Influence.of_parts([tile.largest for tile in tiles], totals, plan.schema, plan.k)


def _tallies(tiles: Sequence[Protected]) -> dict[str, Tally]:
    tallies = dict(tiles[0].tallies)
    for tile in tiles[1:]:
        for name, tally in tile.tallies.items():
            tallies[name] = tallies[name] + tally
    return tallies


def search_objective(tiles: Sequence[Protected]) -> dict[str, float]:
    """SSE and SST of the groups' means in the space of the search, over all tiles."""
    sums = [Moments() for _ in tiles[0].moments]
    for tile in tiles:
        sums = [one + other for one, other in zip(sums, tile.moments, strict=True)]
    sse = math.fsum(tile.sse for tile in tiles)
    sst = float(sum(m.count * m.variance for m in sums))
    return {"sse": sse, "sst": sst, "objective_percent": 100.0 * sse / sst if sst > 0 else 0.0}


def evidence(
    plan: Plan,
    table: Input,
    found: Survey,
    tiles: Sequence[Protected],
    verification: Verification,
    loss: Loss,
    *,
    asked: Mapping[str, Any],
    seconds: Mapping[str, float],
    engine: Mapping[str, Any],
) -> Evidence:
    """Both kinds of evidence, in the words of a release in memory."""
    schema, k = plan.schema, plan.k
    sizes: Counter[int] = sum((tile.sizes for tile in tiles), Counter())
    released = sum(tile.rows for tile in tiles)
    search = search_objective(tiles)
    rule = Rule("public", k)
    dropped: int | str = 0
    if "drop" in (asked.get("missing"), asked.get("small_strata")):
        # Whether those are of few units, no part of the table can say.
        dropped = NOT_TOLD if schema.unit else rule.count(found.rows - released)
    figures = loss_figures(loss, rule, influence(plan, tiles))
    public = {
        "claim": CLAIM,
        "k": k,
        "keys": {name: schema[name].type for name in schema.keys},
        "strata": list(schema.strata),
        "unit": schema.unit,
        "confidential": list(schema.confidential),
        "method": asked["method"],
        "aggregation": asked["aggregation"],
        "records_released": released,
        "groups": sum(sizes.values()),
        "group_sizes": {str(size): sizes[size] for size in sorted(sizes)},
        "records_dropped": dropped,
        **words_of(figures, " %"),
        "rounded_to": rounded_to(figures),
        "measures": {"not_measured": "a release in parts: see coterie evaluate"},
        "versions": versions(),
    }
    internal = {
        **public,
        "records_read": found.rows,
        "records_dropped": found.rows - released,
        **loss_evidence(loss),
        "search": search,
        "strata_formed": len(plan.trees),
        "tiles": len(tiles),
        "smallest_class": verification.achieved,
        "method_options": dict(tiles[0].options),
        "asked": dict(asked),
        "identifiers_dropped": list(schema.identifiers),
        "schema": {
            a.name: {"type": a.type, "roles": sorted(a.roles), "reason": a.reason}
            for a in schema.attributes
        },
        "input": {"files": sorted({p.path for p in table.parts}), "parts": len(table.parts)},
        "seconds": dict(seconds),
        "engine": dict(engine),
    }
    del internal["rounded_to"]
    return Evidence(internal, listed(public, EVIDENCE))
