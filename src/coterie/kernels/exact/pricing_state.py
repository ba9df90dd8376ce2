"""The state of pricing: see `coterie.kernels.exact.pricing`, whose step advances it.

Entry points: `pricing`, `PricingLimits`. O(n d) memory, and `width`^2 for the distances between the
candidates of one seed.
"""

from collections import namedtuple

import numpy as np

from coterie.kernels.exact.fines import tables

__all__ = [
    "BEGIN",
    "DEPTH",
    "FOUND",
    "GATHERED",
    "OPENED",
    "RANK",
    "SIZE",
    "Pricing",
    "PricingLimits",
    "pricing",
]

Pricing = namedtuple(
    "Pricing",
    [
        "order",  # (n,): the records by rank
        "columns",  # (d, n): their coordinates, attribute by attribute, by rank
        "price",  # (n,): by rank, falling
        "near",  # (n, 2k - 1): by rank, column j: sum of the j least squared distances to others
        "shares",  # (n, 2k - 1): by rank, column t: w(y, t); no columns if there are none
        "rows",  # (q, width): ranks of the records of each cut, -1 behind the last
        "weights",  # (q, width): theirs in the cut
        "fines",  # (q,): not negative
        "kind",  # (q,): by divisor and weights: row of the tables
        "paid",  # (kinds, sum of weights + 1): see `fines`, as the next two
        "hope",
        "need",
        "starts",  # (n + 1,): where the cuts of each rank begin in `cut_of`
        "cut_of",  # (entries,)
        "weight_of",  # (entries,): the record's weight in that cut
        "k",
        "fewest",  # records of the smallest groups looked for,
        "most",  # and of the largest
        "cheap",  # larger ones than k: only those of a lower mean price; inf: all
        "root",  # records that a search begins with: 1, a seed, or 3, a triple
        "ceiling",  # only groups with a reduced cost below this are looked for
        "keep",  # the most groups kept for a seed: the best ones
        "nodes",  # the most nodes opened for a seed; 0: no limit
        "stride",  # from a seed's rank to the next's: searches may share the seeds
        "last",  # rank of a seed, or place of a triple
        # what is found
        # by rank of the seed, or place of the triple:
        "least",  # (n or q,): no group of this root costs less (at most `ceiling`)
        "proved",  # (n or q,): whether all groups of this root were searched
        "whole",  # (n or q,): whether every group below the ceiling was kept
        "members",  # (capacity, 2k - 1): records of the groups found, -1 behind the last
        "reduced",  # (capacity,): their reduced costs
        # scratch
        "query",  # (d,)
        "d2",  # (n,): from the seed to the records behind it, or from the triple to all
        "d2_of_one",  # (n,): from one record of a triple to all
        "gathered",  # (d, width): coordinates of the candidates
        "pair",  # (width, width): squared distances between candidates
        "local",  # (width, 2k - 1): as `near`, among the candidates
        "lots",  # (width, 2k - 1): the candidates' `shares`
        "candidate",  # (width + 2,): rank of each candidate; behind them two records of the triple
        "slot",  # (n,): by rank: place among the candidates, -1 if it is none
        "met",  # (q,): weights in each cut of the records chosen
        "extra",  # (width,): change of a candidate's share of fines
        "ids",  # (2k, width): candidates open at each depth, by rising h
        "key",  # (2k, width): d2(S, y) - M p(y), and the fines hoped for
        "h",  # (2k, width)
        "smallest",  # (2k,): the smallest h of a node, by neighbors
        "least_lots",  # (2k,): the same, by shares
        "base",  # (2k,): P(S) - M p(S) at each depth
        "count",  # (2k,): candidates open at each depth
        "at",  # (2k,): next pivot at each depth
        "path",  # (2k,): the pivots
        "cursor",  # (7,): RANK, SIZE, DEPTH, OPENED, FOUND, BEGIN, GATHERED
    ],
)

RANK, SIZE, DEPTH, OPENED, FOUND, BEGIN, GATHERED = range(7)


PricingLimits = namedtuple(
    "PricingLimits",
    [
        "ceiling",  # only groups with a reduced cost below this are looked for
        "keep",  # the most groups kept for a seed
        "nodes",  # the most nodes opened for a seed; 0: no limit
        "width",  # the most candidates of a seed
        "capacity",  # the most groups kept for all seeds; None: `keep` for each
        "first",  # only the seeds of rank `first`, `first + stride` and so on are looked at,
        "stride",
        "seeds",  # of the so many first ranks; None: of all
        "most",  # records of the largest groups looked for; None: 2k - 1
        "cheap",  # larger ones than k: only those of a lower mean price
        "by_triples",  # only groups of more than k records that hold one of the triples whole
    ],
    defaults=(0.0, 5, 0, 512, None, 0, 1, None, None, np.inf, False),
)


def pricing(points, price, near, k, cuts=None, shares=None, limits=None):
    """State for pricing (n, d) `points` at `price`; `near`, `shares` by record.

    `cuts` have (q, width) `records` and `weights`, `divisors` and `fines`; see
    `coterie.partitioning.exact.cuts`.
    """
    limits = PricingLimits() if limits is None else limits
    keep, stride, seeds = limits.keep, limits.stride, limits.seeds
    n, d = points.shape
    order = np.lexsort((np.arange(n), -price))
    rank = np.empty(n, dtype=np.int64)
    rank[order] = np.arange(n)
    ranks, fined = fined_by(cuts, rank)
    width = min(limits.width, n)
    depth = 2 * k
    if shares is None:
        shares = np.empty((n, 0))
    by_triples = limits.by_triples
    roots = len(ranks) if by_triples else n
    # The last rank with k - 1 records behind it, or before.
    last = n - k if seeds is None else min(n - k, seeds - 1)
    capacity = -(-roots // stride) * keep if limits.capacity is None else limits.capacity
    return Pricing(
        order=order,
        columns=np.ascontiguousarray(points[order].T),
        price=price[order],
        near=np.ascontiguousarray(near[order]),
        shares=np.ascontiguousarray(shares[order]),
        **fined,
        k=k,
        fewest=k + 1 if by_triples else k,
        most=min(2 * k - 1 if limits.most is None else limits.most, n),
        cheap=float(limits.cheap),
        root=3 if by_triples else 1,
        ceiling=float(limits.ceiling),
        keep=keep,
        nodes=limits.nodes,
        stride=stride,
        last=roots - 1 if by_triples else last,
        least=np.full(roots, float(limits.ceiling)),
        proved=np.ones(roots, dtype=np.bool_),
        whole=np.ones(roots, dtype=np.bool_),
        members=np.full((capacity, 2 * k - 1), -1),
        reduced=np.empty(capacity),
        query=np.empty(d),
        d2=np.empty(n),
        d2_of_one=np.empty(n if by_triples else 0),
        gathered=np.empty((d, width)),
        pair=np.empty((width, width)),
        local=np.zeros((width, 2 * k - 1)),
        lots=np.zeros((width, shares.shape[1])),
        candidate=np.empty(width + 2, dtype=np.int64),
        slot=np.full(n, -1),
        met=np.zeros(len(ranks), dtype=np.int64),
        extra=np.zeros(width),
        ids=np.empty((depth, width), dtype=np.int64),
        key=np.empty((depth, width)),
        h=np.empty((depth, width)),
        smallest=np.empty(depth),
        least_lots=np.empty(depth),
        base=np.empty(depth),
        count=np.zeros(depth, dtype=np.int64),
        at=np.zeros(depth, dtype=np.int64),
        path=np.empty(depth, dtype=np.int64),
        cursor=np.array([limits.first, k + 1 if by_triples else k, 0, 0, 0, 0, 0]),
    )


def fined_by(cuts, rank):
    """The cuts as the state holds them: ranks of their records, and all fields by name."""
    if cuts is None or len(cuts.fines) == 0:
        rows, weights = np.empty((0, 3), dtype=np.int64), np.empty((0, 3), dtype=np.int64)
        divisors, fines = np.empty(0, dtype=np.int64), np.empty(0)
    else:
        rows = np.where(cuts.records >= 0, rank[cuts.records], -1)
        weights, divisors, fines = cuts.weights, cuts.divisors, cuts.fines
    kinds = {}
    kind = np.array(
        [
            kinds.setdefault((int(q), tuple(sorted(w[w > 0].tolist()))), len(kinds))
            for q, w in zip(divisors, weights, strict=True)
        ],
        dtype=np.int64,
    )
    paid, hope, need = tables(list(kinds))
    used = rows >= 0
    entries = np.argsort(rows[used], kind="stable")
    return rows, {
        "rows": rows,
        "weights": np.ascontiguousarray(weights),
        "fines": np.asarray(fines, dtype=np.float64),
        "kind": kind,
        "paid": paid,
        "hope": hope,
        "need": need,
        "starts": np.searchsorted(rows[used][entries], np.arange(len(rank) + 1)),
        "cut_of": np.repeat(np.arange(len(rows)), used.sum(axis=1))[entries],
        "weight_of": weights[used][entries],
    }
