"""What comes of a plan on some engine: a release with its figures, or the words of a refusal."""

from __future__ import annotations

import pyarrow.parquet as pq

import coterie
from coterie.distributed import anonymize
from tests.pipeline.plans import PLANS

__all__ = ["hidden", "outcome", "same_as_tiles", "words"]


def hidden(folder):
    return [p.name for p in folder.iterdir() if p.name.startswith(".")]


def words(error):
    return f"{type(error).__name__}: {error}"


def outcome(parts, target, plan, **how):
    """The released table and its figures, or the words of the refusal."""
    refused = None
    try:
        done = anonymize(parts, target, **how, **plan)
    except coterie.CoterieError as error:
        refused = words(error)
    assert not hidden(target.parent)
    if refused is not None:
        assert "\n" not in refused
        assert not target.exists()
        return refused
    told = {n: v for n, v in done.evidence.public.items() if n != "versions"}
    internal = done.evidence.internal
    found = pq.read_table(target), done.information_loss, told, done.verification
    more = {name: internal.get(name) for name in ("recoded", "suppressed", "strata_formed")}
    # A summary judges everything once more: only where there is something of it to compare.
    more["analyses"] = done.summary("internal")["analyses"] if "analyses" in plan else []
    return (*found, internal["measures"], more)


def equal(one, other):
    if isinstance(one, str) or isinstance(other, str):
        assert one == other
        return
    assert one[0].equals(other[0])
    assert one[1:] == other[1:]


def same_as_tiles(parts, in_tiles, tmp_path, name, tile, **how):
    other = outcome(parts, tmp_path / "other.parquet", PLANS[name], tile=tile, **how)
    equal(in_tiles(name, tile), other)
