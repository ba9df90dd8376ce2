"""`compare`: one table, several methods and k, what each loses and how much it can be linked."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from coterie.errors import ParameterError, bad_parameter, together, unknown_name
from coterie.evaluation.bars import Bar, read_bars
from coterie.evaluation.registry import find
from coterie.partitioning import registry
from coterie.partitioning.driver import Progress
from coterie.pipeline import anonymize
from coterie.plan import Plan
from coterie.plan.search import untaken_limits
from coterie.table.read import read
from coterie.table.source import Source
from coterie.tuning.rehearsal import Rehearsal, rehearse
from coterie.tuning.sweep import met, sweep

if TYPE_CHECKING:
    import pandas as pd

    from coterie.pipeline.release import Release

__all__ = ["METHODS", "cheapest", "compare"]

METHODS = ("mdav", "mdav-mhm", "cbfs-mhm", "tsp-mhm", "auto")


def compare(
    table: Any,
    k: Sequence[int] | None = None,
    methods: Sequence[str] = METHODS,
    quasi_identifiers: Sequence[str] = (),
    *,
    plan: Plan | None = None,
    measures: Sequence[str] = (),
    thresholds: Mapping[str, float] | None = None,
    control: float | None = None,
    callback: Callable[[Progress], object] | None = None,
    **asked: Any,
) -> pd.DataFrame:
    """Protect a table by each method at each k and say what it costs.

    A better fit at the same k can be linked more, so linkage stands beside the loss.

    Parameters
    ----------
    table, quasi_identifiers, **asked
        As `coterie.anonymize` takes them.
    k : sequence of int
        Group sizes; that of the plan where none are given.
    methods : sequence of str
        Names of `coterie.methods`.
    plan : Plan, optional
        In place of quasi_identifiers and what else is asked; its k and method give way to those
        compared, its time limit and iterations go to the methods that search, its method_options
        to its own method. Limits asked for without a plan are refused where no method searches.
    measures : sequence of str
        Names of `coterie.evaluation.measures`, a column each; attacks have their interval too.
        Declared `analyses` have theirs without being named here.
    thresholds : mapping of measure to number, optional
        What is asked of a release, in the measures' own units; the column ``met`` says whether
        all are met. What could not be measured does not meet its threshold.
    control : float, optional
        Share of the records that are held out by the seed before grouping, for attacks to be
        tried on; a fifth where there are attacks. Then the others are released and judged.
    callback : callable, optional
        Called with a `Progress`.

    Returns
    -------
    pandas.DataFrame
        A row for each method and k: information loss in percent, groups, smallest and largest
        class, records that were dropped (which all figures leave out), expected share of records
        linked in percent (None for large tables), seconds, and what else was asked for. `cheapest`
        picks the one that loses least of those that are met.

    Examples
    --------
    >>> import coterie
    >>> patients = coterie.datasets.diabetes()
    >>> keys = ["age", "sex", "bmi", "bp"]
    >>> found = coterie.compare(patients, [3, 5], ["mdav", "mdav-mhm"], keys)
    >>> found["method"].tolist()
    ['mdav', 'mdav-mhm', 'mdav', 'mdav-mhm']
    """
    import pandas as pd

    plan, problems = _asked(plan, {"quasi_identifiers": quasi_identifiers, **asked}, k)
    sizes = [plan.k] if k is None else k
    for name, value in (("k", sizes), ("methods", methods)):
        if isinstance(value, str) or not isinstance(value, Sequence) or not value:
            problems.append(
                str(bad_parameter(name, "compare", "a sequence with at least one element", value))
            )
    if problems:
        raise ParameterError(together(problems))
    problems = list(untaken_limits(asked, [registry.find(name) for name in methods]))
    if problems:
        raise ParameterError(together(problems))
    bars = read_bars(thresholds)
    declared = ["analyses"] if plan.analyses else []
    wanted = list(dict.fromkeys(find(name).name for name in [*measures, *bars, *declared]))
    source = table if isinstance(table, Source) else read(table)
    seed = plan.random_state if isinstance(plan.random_state, int) else 0
    if plan.unit is not None and plan.unit not in source.frame.columns:
        raise unknown_name("column", plan.unit, source.frame.columns)
    stage = rehearse(source, control, wanted, plan.unit, seed)
    refused: dict[str, str] = {}

    def make(setting: tuple[int, str]) -> Release:
        size, method = setting
        one = _by(plan, method).replace(k=size, row_order="keep")
        return anonymize(stage.source, one, callback=callback)

    def judge(setting: tuple[int, str], release: Release, seconds: float) -> dict[str, Any]:
        found, evidence = release.partition.sizes, release.evidence.internal
        return {
            "k": setting[0],
            "method": setting[1],
            "information_loss": release.information_loss,
            "linked": evidence["measures"].get("dld_expected"),
            "groups": len(found),
            "smallest": int(found.min()),
            "largest": int(found.max()),
            "dropped": evidence["records_dropped"],
            "seconds": seconds,
            **_measured(stage, release, wanted, bars, refused),
        }

    rows = pd.DataFrame(sweep(list(itertools.product(sizes, methods)), make, judge))
    rows.attrs["refused"] = refused
    return rows


def cheapest(found: pd.DataFrame) -> pd.Series | None:
    """Of the releases that meet every threshold the one that loses least; None if none does.

    Examples
    --------
    >>> import coterie
    >>> from coterie.tuning import cheapest, compare
    >>> patients, keys = coterie.datasets.diabetes(), ["age", "sex", "bmi", "bp"]
    >>> found = compare(patients, [3, 5, 10], ["mdav"], keys, thresholds={"dld_expected": 22})
    >>> int(cheapest(found)["k"])
    5
    """
    good = found[found["met"].astype(bool)]
    return good.loc[good["information_loss"].idxmin()] if len(good) else None


def _measured(
    stage: Rehearsal,
    release: Release,
    wanted: Sequence[str],
    bars: Mapping[str, Bar],
    refused: dict[str, str],  # out: why a measure could not be had
) -> dict[str, Any]:
    """What else is told of a release, and whether it is good enough."""
    if not wanted:
        return {}
    found = stage.judge(release, wanted)
    refused.update(found.refused)
    row: dict[str, Any] = {}
    for name in wanted:
        score = found.get(name)
        row[name] = None if score is None else score.value
        if score is not None and score.attacks and score.parts is not None:
            row |= {f"{name}_low": score.parts["low"], f"{name}_high": score.parts["high"]}
    if bars:
        row["met"] = met(row, bars)
    return row


def _asked(
    plan: Plan | None, asked: dict[str, Any], k: Sequence[int] | None
) -> tuple[Plan, list[str]]:
    """What all releases of the comparison have in common, and what is wrong with it."""
    if plan is not None:
        more = [name for name, value in asked.items() if value]
        if more:
            raise ParameterError(
                f"compare takes a plan, or what a plan would hold. Got both, a plan and {more[0]}; "
                "use plan.replace(...)."
            )
        return plan, []
    first = k[0] if isinstance(k, Sequence) and not isinstance(k, str) and k else k
    return Plan.gather({"k": first, **asked}, "compare")


def _by(plan: Plan, method: str) -> Plan:
    """The plan with another method: limits are for methods that search, options for its own."""
    chosen = registry.find(method)
    own = plan.method_options if method == plan.method else None
    limits = {} if chosen.anytime else {"time_limit": None, "iterations": None}
    return plan.replace(method=method, method_options=own, **limits)
