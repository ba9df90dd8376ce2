"""Step 2, *Declare*: what every column is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from coterie.app.drawing.columns import glance
from coterie.app.forms import BY_COLUMN, ROLES, Form, declared
from coterie.app.pages.acting import action
from coterie.app.render import answer, back, session_of
from coterie.app.session import Session
from coterie.app.state import amended
from coterie.app.words import say
from coterie.errors import ParameterError
from coterie.plan import Plan
from coterie.plan.columns import RELEASED
from coterie.table.schema import TRANSFORMS, TYPES

__all__ = ["apply", "propose", "show"]

FEW = 12  # codes that may be the levels of an ordinal


async def show(request: Request) -> Response:
    """The page: a row for each column."""
    session = session_of(request)
    look = session.look
    rows = [] if look is None else [_row(look, i, session.state.plan) for i in range(_count(look))]
    named = {row["name"] for row in rows}
    return answer(
        request,
        "declare",
        rows=rows,
        roles=ROLES,
        types=TYPES,
        transforms=TRANSFORMS,
        released=RELEASED,
        general=[
            one["text"]
            for one in (look or {}).get("problems", ())
            if named.isdisjoint(one["columns"])
        ],
        proposed=_proposed(look) if look else 0,
    )


def _count(look: dict[str, Any]) -> int:
    return len(look["columns"])


def _row(look: dict[str, Any], number: int, plan: Plan) -> dict[str, Any]:
    column = look["columns"][number]
    name = column["name"]
    found = look["found"]["columns"].get(name, {})
    now = look["declared"].get(name, {"type": "", "order": None, "reason": ""})
    given = plan.missing_codes
    codes = given.get(name, ()) if isinstance(given, Mapping) else ()
    values = column["categories"]
    order = list((plan.orders or {}).get(name, ())) or now["order"] or values or []
    places = [values.index(one) for one in order if one in values] if values else []
    places += [place for place in range(len(values or ())) if place not in places]
    return {
        **column,
        "number": number,
        "role": _role(name, plan),
        "type": (plan.types or {}).get(name, ""),
        "inferred": now["type"],
        "reason": now["reason"] or found.get("reason", ""),
        "proposal": found.get("role", "other"),
        "proposed_why": found.get("why", ""),
        "suspicion": found.get("suspicion"),
        "stays": name in plan.declared,
        "codes": ", ".join(map(str, codes)),
        "transform": (plan.transforms or {}).get(name, ""),
        "weight": (plan.attribute_weights or {}).get(name, ""),
        "lines": {
            what: shown(before[name]) if name in before else ""
            for option, (what, shown, _, _) in BY_COLUMN.items()
            for before in [getattr(plan, option) or {}]
        },
        "places": places if _may_be_ordered(column, now["type"]) else [],
        "ordinal": now["type"] == "ordinal",
        "problems": [one["text"] for one in look["problems"] if name in one["columns"]],
        "drawn": glance(column["picture"], say("declare.picture", name=name)),
    }


def _may_be_ordered(column: dict[str, Any], kind: str) -> bool:
    """Whether an order of the values can be meant: of texts, or of a few codes."""
    count = len(column["categories"] or ())
    return count > 1 and (kind == "ordinal" or column["stored"] == "text" or count <= FEW)


def _role(name: str, plan: Plan) -> str:
    if name in plan.quasi_identifiers:
        return "both" if name in plan.confidential else "key"
    for role, names in (
        ("confidential", plan.confidential),
        ("identifier", plan.identifiers),
        ("stratum", plan.strata),
        ("unit", (plan.unit,)),
        ("weight", (plan.sample_weight,)),
    ):
        if name in names:
            return role
    return "other"


def _proposed(look: dict[str, Any]) -> int:
    return sum(one["role"] != "other" for one in look["found"]["columns"].values())


@action("declare", timely=True)
def apply(request: Request, session: Session, form: Form) -> Response | None:
    """Take over what the page says of every column."""
    if session.look is None:
        raise ParameterError(say("error.no_table"))
    changes, problems = declared(form, session.look, session.state.plan)
    plan, more = amended(session.state.plan, changes)
    session.folder.holds_files_of(plan)
    session.change(replace(session.state, plan=plan), "declare")
    if problems or more:
        return back(request, "declare", "warn", "; ".join([*problems, *more]))
    return back(request, "choose" if form.one("next") else "declare")


@action("declare", timely=True)
def propose(request: Request, session: Session, form: Form) -> None:
    """Take over the roles that were proposed."""
    if session.look is None:
        raise ParameterError(say("error.no_table"))
    found = session.look["found"]["columns"]
    having = {role: [n for n, one in found.items() if one["role"] == role] for role in ROLES}
    changes: dict[str, Any] = {
        "quasi_identifiers": [*having["key"], *having["both"]],
        "confidential": [*having["confidential"], *having["both"]],
        "identifiers": having["identifier"],
        "strata": having["stratum"],
        "declared": [],
        "unit": next(iter(having["unit"]), None),
        "sample_weight": next(iter(having["weight"]), None),
        "transforms": None,
        "attribute_weights": None,
        "missing": "error",
        "small_strata": "error",
        "unit_columns": (),
        **session.look["found"]["settings"],
        **dict.fromkeys(BY_COLUMN),
    }
    plan, _ = amended(session.state.plan, changes)
    session.change(replace(session.state, plan=plan), "propose")
