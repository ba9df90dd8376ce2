"""Inference: a confidential value of a person from the keys that are known of her.

Three intruders, each of whom knows some keys of a person exactly. The first goes to the nearest
released record and takes its value, ties at random (Giomi et al. (2023), section 5.3); the second
takes the value that is right for most records of the nearest class; the third trains a model on the
release (`coterie.evaluation.attacks.learned`). The baseline of each is the same intruder without
keys: the first takes the value of any record of the table, the others guess for everybody the value
that is right for most of the table.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from coterie.evaluation.attacks.learned import predictions
from coterie.evaluation.attacks.reach import NOWHERE, Persons, Reached, persons, reach
from coterie.evaluation.attacks.secret import Secret
from coterie.evaluation.attacks.trial import ALL, ALL_KEYS, RAREST, Attack, Rate, finding, judged
from coterie.evaluation.case import Case, Finding

__all__ = ["inference"]

SALT = 3
NEIGHBORS, MAJORITY, MODEL = "by neighbors", "by the majority of the class", "by a learned model"
Chances = NDArray[np.float64]


def inference(case: Case) -> Finding:
    """What the release adds to the chance that a confidential value is guessed."""
    names = tuple(column.name for column in case.pair.keys)
    sets = {ALL_KEYS: names, **case.settings.known}
    target, control = persons(case, SALT)
    asked = [target] if control is None else [target, control]
    attacks: list[Attack] = []
    steps = len(sets) * len(case.pair.confidential)
    for label, known in sets.items():
        ends = [reach(case, who, known) for who in asked]
        places = [place for place, name in enumerate(names) if name in known]
        for which, column in enumerate(case.pair.confidential):
            case.tell(len(attacks) / (6 * steps))
            secret = Secret.of(column, case.settings.tolerance, case.settings.sd)
            attacks += _attacks(case, secret, which, asked, ends, places, label)
    return finding(attacks)


def _attacks(
    case: Case,
    secret: Secret,
    which: int,
    asked: list[Persons],
    ends: list[Reached],
    places: list[int],
    knows: str,
) -> list[Attack]:
    """Every attack on one column, on all records and on the rarest."""
    anybody = secret.best(np.arange(case.n))
    truths = [_truth(who, which) for who in asked]
    same = [
        secret.right(np.full(len(truth), anybody[0]), np.full(len(truth), anybody[1]), truth, gaps)
        for truth, gaps in truths
    ]
    chances: dict[str, list[Chances]] = {
        NEIGHBORS: [
            np.where(
                end.ends == NOWHERE,
                alike,
                secret.shares(end.places, end.ends, truth, gaps),
            )
            for end, alike, (truth, gaps) in zip(ends, same, truths, strict=True)
        ],
        MAJORITY: _by_majority(secret, ends, truths, anybody),
    }
    reported = predictions(case, secret, places, asked)
    chances[MODEL] = [
        secret.right(guess, gap, truth, absent).astype(np.float64)
        for (guess, gap), (truth, absent) in zip(reported, truths, strict=True)
    ]
    anyone = np.zeros(case.n, dtype=np.int64)
    truth, absent = truths[0]
    drawn = secret.shares(anyone, np.zeros(len(truth), dtype=np.int64), truth, absent)
    blind = {NEIGHBORS: drawn, MAJORITY: same[0], MODEL: same[0]}
    attacks = []
    for name, found in chances.items():
        for who, rare in ((ALL, False), (RAREST, True)):
            these = asked[0].rare == rare
            if not these.any():
                continue
            reference = None
            if len(asked) > 1:
                alike = asked[1].rare == rare
                some = alike if alike.any() else ~asked[1].rare
                reference = Rate.of(found[1][some])
            attacks.append(
                judged(
                    f"{secret.column.name} {name}",
                    Rate.of(found[0][these]),
                    # Computed over the very records that are attacked: no interval of its own.
                    Rate(Rate.of(blind[name][these]).value),
                    reference,
                    column=secret.column.name,
                    knows=knows,
                    who=who,
                )
            )
    return attacks


def _truth(who: Persons, which: int) -> tuple[NDArray[np.float64], NDArray]:
    column = who.confidential[which]
    return column.original[who.rows].astype(np.float64), column.gaps[0][who.rows]


def _by_majority(
    secret: Secret,
    ends: list[Reached],
    truths: list[tuple[NDArray[np.float64], NDArray]],
    anybody: tuple[float, int],
) -> list[Chances]:
    """Whether the best single guess for the place where a search ended is right."""
    order = np.argsort(ends[0].places, kind="stable")
    bounds = np.concatenate(([0], np.cumsum(ends[0].sizes)))
    guessed = {NOWHERE: anybody}
    chances = []
    for end, (truth, gaps) in zip(ends, truths, strict=True):
        for place in np.unique(end.ends).tolist():
            if place not in guessed:
                guessed[place] = secret.best(order[bounds[place] : bounds[place + 1]])
        guess = np.array([guessed[place][0] for place in end.ends.tolist()])
        gap = np.array([guessed[place][1] for place in end.ends.tolist()])
        chances.append(secret.right(guess, gap, truth, gaps).astype(np.float64))
    return chances
