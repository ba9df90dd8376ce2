"""Figures of a release as everybody may know them: what at least k units share."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from coterie.public.influence import Influence
from coterie.public.rule import MEASURES, NOT_REPORTED, DocumentRule, rounded_to, words_of
from coterie.space import Loss
from coterie.table.schema import Schema

__all__ = ["LINKED", "public_counts", "public_figures", "public_rules"]

OF_LINKS = ("dld_expected", "own_group")
LINKED = "linked"  # of what was judged: which records linkage was measured on


def public_figures(
    loss: Loss,
    judged: Mapping[str, Any],
    records: int,
    rule: DocumentRule,
    influence: Influence,
    schema: Schema,
) -> dict[str, Any]:
    """What was lost and what was measured, in words, and what each figure is rounded to.

    `influence` is that of k - 1 units on the losses; `records` are those released.
    """
    lost = _loss_figures(loss, rule, influence)
    figures, others = _measures(judged, records, rule, influence.loss, schema)
    return {
        **words_of(lost, " %"),
        "measures": words_of(figures, " %") | others,
        "rounded_to": {**rounded_to(lost), **rounded_to(figures)},
    }


def _loss_figures(loss: Loss, rule: DocumentRule, influence: Influence) -> dict[str, Any]:
    """What was lost, in all and by key."""
    return {
        "information_loss_percent": rule.figure(loss.percent, influence.loss, most=100.0),
        "information_loss_percent_by_key": {
            # A stratum that was pooled loses the share of the records that gave it up.
            name: rule.share(key.percent, key.records)
            if key.kind == "stratum"
            else rule.figure(key.percent, influence.losses.get(name, math.inf), most=100.0)
            for name, key in loss.keys.items()
        },
        "changed_percent_by_key": {
            name: rule.share(share, loss.keys[name].records) for name, share in loss.changed.items()
        },
    }


def public_counts(counts: Mapping[str, Any], rule: DocumentRule, schema: Schema) -> dict[str, Any]:
    """What is said of earlier releases: counts of records as far as they may be known."""
    return {
        name: _count(value, rule, schema) if name.startswith("records") else value
        for name, value in counts.items()
    }


def _count(number: int, rule: DocumentRule, schema: Schema) -> int | str:
    """Records that may not be in the release: of how many units they are, it does not say."""
    return NOT_REPORTED if schema.unit is not None else rule.count(number)


def public_rules(rules: Mapping[str, Any], rule: DocumentRule, schema: Schema) -> dict[str, Any]:
    """What is said of edit rules: how many records broke one as far as it may be known."""
    checked = [
        {**one, "broken_in_original": _count(one["broken_in_original"], rule, schema)}
        for one in rules["checked"]
    ]
    change = {name: float(f"{value:.1g}") for name, value in rules["change_sd"].items()}
    return {**rules, "checked": checked, "change_sd": change}


def _measures(
    judged: Mapping[str, Any], records: int, rule: DocumentRule, influence: float, schema: Schema
) -> tuple[dict[str, dict[str, Any]], dict[str, Any]]:
    """The measures as the public may know them, and what else was found: why there are none."""
    figures: dict[str, dict[str, Any]] = {}
    others: dict[str, Any] = {}
    sample = judged.get(LINKED, {})
    for name, value in judged.items():
        if name == LINKED:
            others[name] = {"records": value["records"], "among": value["among"]}
        elif sample and name in OF_LINKS and schema.unit is not None:
            others[name] = NOT_REPORTED  # how many records k - 1 units have, no part can say
        elif name == "distance_targets":
            others[name] = {
                column: {**one, "targets_met": _share(one["targets_met"], records, rule)}
                for column, one in value.items()
            }
        elif name not in MEASURES:
            others[name] = value
        else:
            base = sample["records"] if name in OF_LINKS and sample else records
            figure = rule.measure(name, value, base, influence)
            if figure is not None:
                figures[name] = figure
    return figures, others


def _share(part: float, records: int, rule: DocumentRule) -> float | str:
    """A share that is no percentage."""
    figure = rule.share(100.0 * part, records)
    value = figure["value"]
    return f"{words_of(figure, ' %')}" if value is None else float(f"{value / 100:.6g}")
