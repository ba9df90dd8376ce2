"""`verify`: a table by any tool judged by what was asked of it, or by the plan of a release."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from coterie.errors import ParameterError, bad_parameter, listed, unknown_name
from coterie.guarantees.beyond_k import OF_AMOUNTS, OF_VALUES, BeyondK
from coterie.guarantees.proof import Verification, count
from coterie.plan import Plan
from coterie.plan.columns import EVERYWHERE
from coterie.table.read import read
from coterie.table.source import Source

__all__ = ["verify"]


def verify(
    table: Any,
    k: int | Plan,
    quasi_identifiers: Sequence[str] = (),
    *,
    strata: Sequence[str] = (),
    unit: str | None = None,
    rules: Sequence[str] = (),
    missing_codes: Mapping[str, Sequence[Any]] | None = None,
    confidential: Sequence[str] = (),
    min_distinct: int | Mapping[str, int] | None = None,
    max_share: float | Mapping[str, float] | None = None,
    entropy_l: float | Mapping[str, float] | None = None,
    t_closeness: float | Mapping[str, float] | None = None,
    alpha_k: float | Mapping[str, Any] | None = None,
    recursive_cl: tuple[float, int] | Mapping[str, tuple[float, int]] | None = None,
    beta_likeness: float | Mapping[str, float] | None = None,
    delta_disclosure: float | Mapping[str, float] | None = None,
    p_percent: Mapping[str, float] | None = None,
    dominance: Mapping[str, tuple[int, float]] | None = None,
) -> Verification:
    """Count the classes of a table or file and prove that each has at least `k` units.

    Parameters
    ----------
    table : path, or pandas, polars or pyarrow table
        The release to judge, made by any tool.
    k : int or Plan
        Least number of units in a class. Or the plan of a release, which holds all that follows;
        what it asks for that the table cannot show stands in ``left_out``.
    quasi_identifiers : sequence of str
        The keys: columns that an intruder may know.
    strata : sequence of str
        Columns that were released as they are and count as keys too.
    unit : str, optional
        Column that tells units apart, where one unit may have several records.
    rules : sequence of str
        What every record must keep, such as ``"total == a + b"``.
    missing_codes : mapping of column to values, optional
        Values that mean missing: rules do not apply to them.
    confidential : sequence of str
        Columns whose values in a class must not be too much alike, as the next ones say.
    min_distinct, max_share, entropy_l, t_closeness : number, or mapping of column to number
        Least different values, largest share of one, least exp(entropy), and largest distance of
        the class from the whole table: by ranks for numbers and dates, else with equal distances.
    alpha_k, recursive_cl, beta_likeness, delta_disclosure : number or pair, or mapping by column
        (alpha, k)-anonymity, recursive (c, l)-diversity, enhanced beta-likeness and
        delta-disclosure privacy, as `coterie.anonymize` takes them.
    p_percent, dominance : mapping of column to number, or to (count, percent)
        Amounts in the file that no unit may dominate in a class. Not of keys: a released key no
        longer tells what each unit added.

    Raises
    ------
    NotKAnonymous
        If a class is smaller; its ``violations`` hold the proof.
    RuleBroken
        If a record breaks a rule.
    NotAdmissible
        If a class misses another of the guarantees; its ``findings`` say which.

    Examples
    --------
    >>> import pandas as pd
    >>> import coterie
    >>> released = pd.DataFrame({"age": [34, 34, 51, 51], "sex": ["f", "f", "m", "m"]})
    >>> coterie.verify(released, k=2, quasi_identifiers=["age", "sex"]).achieved
    2
    >>> coterie.verify(released, k=3, quasi_identifiers=["age"])
    Traceback (most recent call last):
        ...
    coterie.guarantees.proof.NotKAnonymous: Not 3-anonymous on age: 2 class(es) have ...
    >>> print(coterie.verify(released, coterie.Plan(k=2, quasi_identifiers=["age"], unit="home")))
    k-anonymous on age: 4 records in 2 classes, each of at least 2 records (k = 2); records are
    counted, not units: the table does not hold 'home'
    """
    limits: dict[str, Any] = {
        "min_distinct": min_distinct,
        "max_share": max_share,
        "entropy_l": entropy_l,
        "t_closeness": t_closeness,
        "alpha_k": alpha_k,
        "recursive_cl": recursive_cl,
        "beta_likeness": beta_likeness,
        "delta_disclosure": delta_disclosure,
        "p_percent": p_percent,
        "dominance": dominance,
    }
    if isinstance(k, Plan):
        given = {
            "quasi_identifiers": quasi_identifiers,
            "strata": strata,
            "unit": unit,
            "rules": rules,
            "missing_codes": missing_codes,
            "confidential": confidential,
            **limits,
        }
        more = [name for name, value in given.items() if value is not None and value != ()]
        if more:
            raise ParameterError(
                f"verify takes a plan, or what a plan would hold. Got both, a plan and {more[0]}; "
                "use plan.replace(...)."
            )
        return _as_planned(_opened(table), k)
    source = _opened(table)
    if isinstance(quasi_identifiers, str) or not quasi_identifiers:
        rule = "a sequence of at least one column name"
        raise bad_parameter("quasi_identifiers", "verify", rule, quasi_identifiers)
    keys = tuple(dict.fromkeys([*quasi_identifiers, *strata]))
    columns = list(source.frame.columns)
    for name in (*keys, *([unit] if unit is not None else [])):
        if name not in columns:
            raise unknown_name("column", name, columns)
    if isinstance(confidential, str):
        raise bad_parameter("confidential", "verify", "a sequence of column names", confidential)
    for name in confidential:
        if name not in columns:
            raise unknown_name("column", name, columns)
    source.refuse_odd([*keys, *([unit] if unit is not None else []), *confidential])
    guarantees = BeyondK.of("verify", source, keys, confidential, **limits)
    if confidential and not any(rule in guarantees.asked for rule in OF_VALUES):
        raise bad_parameter(
            "confidential",
            "verify",
            "given with one of " + ", ".join(OF_VALUES),
            list(confidential),
            "Say what to guarantee, or leave it out.",
        )
    return count(source, k, keys, unit, guarantees, rules, missing_codes)


def _opened(table: Any) -> Source:
    return table if isinstance(table, Source) else read(table, spelled=True)


def _as_planned(source: Source, plan: Plan) -> Verification:
    """Judge a release by all of its plan that the released table can show."""
    columns = list(source.frame.columns)
    unit = plan.unit if plan.unit in columns else None
    left_out = list(_unseen(plan, columns))
    watched = any(plan.limits[rule] is not None for rule in OF_VALUES)
    confidential = plan.confidential if watched else ()
    keys = (*plan.quasi_identifiers, *plan.strata)
    for name in (*keys, *confidential):
        if name not in columns:
            raise unknown_name("column", name, columns)
    source.refuse_odd([*keys, *([unit] if unit is not None else []), *confidential])
    given = plan.missing_codes if isinstance(plan.missing_codes, Mapping) else {}
    codes = {name: (*given.get(name, ()), *given.get(EVERYWHERE, ())) for name in columns}
    declared = {**dict.fromkeys(plan.orders or (), "ordinal"), **(plan.types or {})}
    limits = {**plan.limits, **{rule: _of_amounts(plan, rule) for rule in OF_AMOUNTS}}
    guarantees = BeyondK.of(
        "verify",
        source,
        keys,
        confidential,
        declared={n: (kind, (plan.orders or {}).get(n)) for n, kind in declared.items()},
        **limits,
    )
    found = [
        count(
            source,
            plan.k,
            tuple(dict.fromkeys([*names, *plan.strata])),
            unit,
            guarantees,
            plan.rules,
            codes,
            together=unit is not None and plan.unit_members == "together",
        )
        for names in plan.attribute_groups or [plan.quasi_identifiers]
    ]
    found.sort(key=lambda one: one.achieved)  # the weakest speaks for all
    others = tuple(replace(one, rules=()) for one in found[1:])
    return replace(found[0], left_out=tuple(left_out), other_sets=others)


def _of_amounts(plan: Plan, rule: str) -> dict[str, Any] | None:
    """The limits of a rule of dominance on columns that are no keys."""
    asked = plan.limits[rule]
    if not isinstance(asked, Mapping):  # a plain number is for the keys
        return None
    return {n: v for n, v in asked.items() if n not in plan.quasi_identifiers} or None


def _unseen(plan: Plan, columns: Sequence[str]) -> Iterator[str]:
    """What a plan asks for that its released table does not show, and why."""
    if plan.unit is not None and plan.unit not in columns:
        yield f"records are counted, not units: the table does not hold {plan.unit!r}"
    for rule in OF_AMOUNTS:
        asked = plan.limits[rule]
        named = list(asked) if isinstance(asked, Mapping) else list(plan.quasi_identifiers)
        of = [name for name in named if name in plan.quasi_identifiers]
        if asked is not None and of:
            yield (
                f"{rule} of {listed(of)} is not judged: a released key does not tell what each "
                "unit added"
            )
    if plan.k_map is not None:
        yield "k_map is not judged: it is about the population, see coterie.evaluate"
    if plan.previous:
        yield "what earlier releases add is not judged: it is about several tables"
