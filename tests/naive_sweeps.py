"""A plain, slow oracle of sweeps: every change of SSE is computed from all records.

It shares no code with the package and draws the same random numbers in the same order. Groups are
lists in slots; an empty list is an empty slot.
"""

from __future__ import annotations

import math

from tests.naive_annealing import slot_of, total

BITS = 12


class Oracle:
    """A partition and the one walk that sweeps over some of its slots."""

    def __init__(self, X, near, slots, k, draws, mine):
        self.X, self.near, self.k, self.draws = X, near, k, draws
        self.slots = [list(group) for group in slots]
        self.mine = set(mine)
        self.order = [g for g in sorted(mine) if slots[g]]
        self.empty = [g for g in sorted(mine) if not slots[g]]
        self.wait = 0
        self.moves = 0

    def put(self, slots, x, to):
        """Slots with `x` at the end of `to`; the last of its own takes its place."""
        slots = [list(group) for group in slots]
        old = slots[slot_of(slots, x)]
        at, last = old.index(x), old.pop()
        if last != x:
            old[at] = last
        slots[to].append(x)
        return slots

    def dissolve(self, core, most):
        now, rise = self.slots, -total(self.X, [self.slots[core]])
        while now[core]:
            y = now[core][-1]
            best, to = math.inf, None
            for z in self.near[y]:
                g = slot_of(now, z)
                if g in self.mine and g != core and len(now[g]) < 2 * self.k - 1:
                    cost = total(self.X, [[*now[g], y]]) - total(self.X, [now[g]])
                    if cost < best - 1e-12:
                        best, to = cost, g
            rise += best
            if rise >= most:
                return
            now = self.put(now, y, to)
        self.slots = now
        self.moves += 1
        self.empty.append(core)

    def distill(self, x, most):
        if not self.empty:
            return
        core, now, came = self.empty[-1], self.slots, []
        for y in [x, *self.near[x]]:
            g = slot_of(now, y)
            if g in self.mine and g != core and len(now[g]) > self.k and len(came) < self.k:
                now = self.put(now, y, core)
                came.append((y, g))
        rise = total(self.X, now) - total(self.X, self.slots)
        if len(came) == self.k and rise < most:
            self.empty.pop()
            self.moves += 1
        else:  # who goes back comes last
            for y, g in reversed(came):
                now = self.put(now, y, g)
        self.slots = now

    def propose(self, a, m, b, most):
        x = self.slots[a][m]
        start = total(self.X, self.slots)
        best, chosen = most, None
        if len(self.slots[a]) > self.k and len(self.slots[b]) < 2 * self.k - 1:
            shifted = self.put(self.slots, x, b)
            if total(self.X, shifted) - start < best:
                best, chosen = total(self.X, shifted) - start, shifted
        for c, y in enumerate(self.slots[b]):
            swapped = [list(group) for group in self.slots]
            swapped[a][m], swapped[b][c] = y, x
            if total(self.X, swapped) - start < best:
                best, chosen = total(self.X, swapped) - start, swapped
        if chosen is not None:
            self.slots = chosen
            self.moves += 1

    def ahead(self, g):
        reach = len(self.near[0])
        return [self.draws.bits() * reach for _ in self.slots[g]]

    def sweep(self, window, temperature, rare):
        ready = self.ahead(window[0])
        for t, a in enumerate(window):
            drawn = ready
            if t + 1 < len(window):
                ready = self.ahead(window[t + 1])
            m = 0
            while m < min(len(drawn), len(self.slots[a])):
                chance = ((drawn[m] % 2**32) >> (32 - BITS)) + 0.5
                most = -temperature * math.log(chance / 2**BITS)
                x = self.slots[a][m]
                self.wait -= 1
                if self.wait < 0:
                    self.wait = self.draws.bits() * 2 * rare >> 32
                    if self.draws.bits() & 1:
                        self.distill(x, most)
                    else:
                        self.dissolve(a, most)
                else:
                    b = slot_of(self.slots, self.near[x][drawn[m] >> 32])
                    if b != a and b in self.mine:
                        self.propose(a, m, b, most)
                m += 1

    def run(self, sweeps, window, temperature, rare):
        """All that a level asks for."""
        for first in range(0, len(self.order), window):
            for _ in range(sweeps):
                self.sweep(self.order[first : first + window], temperature, rare)
        return self.slots
