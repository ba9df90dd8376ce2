"""The command *look*: what a table is, what a plan makes of its columns, what speaks against it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from coterie.app.child.desk import Desk, plan_of
from coterie.app.child.findings import findings
from coterie.app.child.profile import profile
from coterie.errors import CoterieError
from coterie.table.classes import class_codes, count_classes, value_codes

if TYPE_CHECKING:
    from coterie.plan import Plan
    from coterie.table.schema import Schema
    from coterie.table.source import Source

__all__ = ["look"]

MOST_RANKED = 40  # keys: each is left out once


def look(desk: Desk, command: Mapping[str, Any]) -> dict[str, Any]:
    """Profile, proposals, the columns as the plan has them, problems, the ranking of keys."""
    source = desk.read(command["table"])
    if desk.profile is None:
        desk.profile = {**profile(source), "found": findings(source)}
    desk.controls.check()
    plan = plan_of(command)
    schema, problems = _examined(source, plan)
    return {
        **desk.profile,
        "declared": {
            a.name: {
                "roles": sorted(a.roles),
                "type": a.type,
                "reason": a.type_reason,
                "order": list(a.order) if a.order is not None else None,
                "codes": list(a.missing_codes),
            }
            for a in schema or ()
        },
        "fates": {} if schema is None else schema.fates(),
        "problems": [{"text": text, "columns": list(of)} for text, of in problems.items()],
        "ranking": None if schema is None else ranking(source, schema, plan.k),
    }


def _examined(source: Source, plan: Plan) -> tuple[Schema | None, dict[str, tuple[str, ...]]]:
    """The schema, and every problem that a run would be refused for, with the columns it is of."""
    from coterie.pipeline.preparation import prepare
    from coterie.pipeline.stages import Stages
    from coterie.table.infer import examine

    try:
        schema, found = examine(source, **plan.described)
    except CoterieError as error:
        return None, {str(error): ()}
    problems = found.columns
    if plan.quasi_identifiers:
        try:
            prepare(source, plan, Stages(None))
        except CoterieError as error:
            texts = error.problems or (str(error),)
            problems = {text: error.columns.get(text, ()) for text in texts}
    return schema, problems


def ranking(source: Source, schema: Schema, k: int) -> dict[str, Any] | None:
    """How many records the keys tell apart, together and with each of them left out.

    Of the original table, strata among the keys: what an intruder who knows them all would find
    if it were published as it is.
    """
    keys = [*schema.keys, *schema.strata]
    if not keys or any(name in source.odd for name in keys):
        return None
    units = None if schema.unit is None else value_codes(source, [schema.unit])

    def alone(names: Sequence[str]) -> tuple[int, int]:
        codes = class_codes(source, names) if names else None
        if codes is None:
            return 0, 0
        sizes = count_classes(codes, units)[codes]
        return int((sizes == 1).sum()), int((sizes < k).sum())

    whole = alone(keys)
    each: list[dict[str, Any]] = []
    for name in keys[:MOST_RANKED]:
        without, by_itself = alone([one for one in keys if one != name]), alone([name])
        each.append(
            {
                "name": name,
                "alone_without": without[0],
                "fewer": whole[0] - without[0],
                "alone_by_itself": by_itself[0],
            }
        )
    each.sort(key=lambda one: (-one["fewer"], -one["alone_by_itself"], one["name"]))
    return {"alone": whole[0], "below_k": whole[1], "k": k, "keys": each}
