"""A plain, slow oracle of sweeps: every change of SSE is computed from all records.

It shares no code with the package and draws the same random numbers in the same order. Groups are
lists in slots; an empty list is an empty slot.
"""

from __future__ import annotations

import math

from tests.naive_annealing import slot_of, total

BITS = 12


def told(change, unit):
    """A cost in a byte: eight even steps for each factor of two, from a small part of `unit` on."""
    share = change / unit * 2.0**22
    if share < 1.0:
        return 0
    octave = math.floor(math.log2(share))
    return min(8 * octave + math.floor(8 * (share / 2.0**octave - 1.0)), 255)


class Oracle:
    """A partition and the one walk that sweeps over some of its slots."""

    def __init__(self, X, near, slots, k, unit, draws, mine):
        self.X, self.near, self.k, self.unit, self.draws = X, near, k, unit, draws
        self.slots = [list(group) for group in slots]
        self.mine = set(mine)
        self.order = [g for g in sorted(mine) if slots[g]]
        self.empty = [g for g in sorted(mine) if not slots[g]]
        self.version = [97 * g + 1 for g in range(len(slots))]
        self.known = {}  # by record and number of the near one: cost in a byte, then the signature
        self.wait = 0
        self.moves = self.spared = 0

    def signature(self, a, b):
        return (3 * self.version[a] + self.version[b]) % 256

    def changed(self, *slots):
        for g in slots:
            self.version[g] += 1

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
        now, rise, went = self.slots, -total(self.X, [self.slots[core]]), []
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
                self.changed(*went)
                return
            now = self.put(now, y, to)
            self.changed(to)
            went.append(to)
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
                self.changed(g)
                came.append((y, g))
        rise = total(self.X, now) - total(self.X, self.slots)
        if len(came) == self.k:
            self.changed(core)
        if len(came) == self.k and rise < most:
            self.empty.pop()
            self.moves += 1
        else:  # who goes back comes last
            for y, g in reversed(came):
                now = self.put(now, y, g)
                self.changed(g)
        self.slots = now

    def propose(self, a, m, b, j, most):
        x = self.slots[a][m]
        start = total(self.X, self.slots)
        best, chosen = math.inf, None
        if len(self.slots[a]) > self.k and len(self.slots[b]) < 2 * self.k - 1:
            shifted = self.put(self.slots, x, b)
            if total(self.X, shifted) - start < best:
                best, chosen = total(self.X, shifted) - start, shifted
        for c, y in enumerate(self.slots[b]):
            swapped = [list(group) for group in self.slots]
            swapped[a][m], swapped[b][c] = y, x
            if total(self.X, swapped) - start < best:
                best, chosen = total(self.X, swapped) - start, swapped
        if best >= most:
            self.known[x, j] = told(best, self.unit), self.signature(a, b)
            return
        self.known.update({(x, c): (0, 0) for c in range(len(self.near[x]))})
        self.slots = chosen
        self.changed(a, b)
        self.moves += 1

    def looks(self, g, words, temperature, fading):
        """Members of slot `g` and their words, but for those that remember a cost too high."""
        found = []
        for m, word in enumerate(words[: len(self.slots[g])]):
            x, j = self.slots[g][m], word >> 32
            b = slot_of(self.slots, self.near[x][j])
            if b == g or b not in self.mine:
                continue
            cost, signature = self.known.get((x, j), (0, 0))
            if cost <= told(self.most(word, temperature), self.unit):
                found.append((m, word))
                continue
            self.spared += 1
            if signature != self.signature(g, b):
                self.known[x, j] = max(cost - fading, 0), signature
        return found

    def most(self, word, temperature):
        chance = ((word % 2**32) >> (32 - BITS)) + 0.5
        return -temperature * math.log(chance / 2**BITS)

    def sweep(self, window, temperature, rare, bold, fading):
        reach = len(self.near[0])
        words, looks = {}, {}
        for t in range(-2, len(window)):
            if t + 2 < len(window):
                words[t + 2] = [self.draws.bits() * reach for _ in self.slots[window[t + 2]]]
            if 0 <= t + 1 < len(window):
                looks[t + 1] = self.looks(window[t + 1], words[t + 1], temperature, fading)
            if t < 0:
                continue
            a = window[t]
            self.wait -= len(words[t])
            if self.wait < 0 and self.slots[a]:
                self.wait = self.draws.bits() * 2 * rare >> 32
                if self.draws.bits() & 1:
                    self.distill(self.slots[a][0], bold * temperature)
                else:
                    self.dissolve(a, bold * temperature)
            for m, word in looks[t]:
                if m < len(self.slots[a]):
                    j = word >> 32
                    b = slot_of(self.slots, self.near[self.slots[a][m]][j])
                    if b != a and b in self.mine:
                        self.propose(a, m, b, j, self.most(word, temperature))

    def run(self, sweeps, window, temperature, rare, bold, fading):
        """All that a level asks for."""
        for first in range(0, len(self.order), window):
            for _ in range(sweeps):
                self.sweep(self.order[first : first + window], temperature, rare, bold, fading)
        return self.slots
