"""Step 3, *Choose*: risk against loss over k and methods, and what is guaranteed beyond k."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from coterie.app.drawing.curve import curve, described
from coterie.app.forms import CHOOSING, Form, field, said
from coterie.app.pages.acting import action
from coterie.app.render import answer, back, session_of
from coterie.app.session import Session
from coterie.app.state import State, amended
from coterie.app.words import say
from coterie.cli.asked import number_or_text
from coterie.errors import ParameterError, bad_parameter
from coterie.numbers.finite import is_number
from coterie.plan import Plan
from coterie.plan.plan import options

__all__ = ["apply", "begin_curve", "show", "take"]

SIZES = "3, 5, 10, 20"
METHODS = ("mdav-mhm", "auto")  # a curve within seconds, then the one that loses least
BARS = ("il", "dld_expected")  # measures that the picture has axes for
MOST_SIZES, MOST_METHODS = 12, 6
# Of no point's business: what is compared, how long and by which seed, what is told and written.
BASIS = (
    *("k", "method", "method_options", "time_limit", "iterations", "random_state"),
    *("row_order", "formulas", "analyses"),
)


async def show(request: Request) -> Response:
    """The page."""
    from coterie.partitioning.registry import METHODS as METHOD_TABLE

    session = session_of(request)
    plan = session.state.plan
    points = [{**point, "place": place} for place, point in enumerate(session.points)]
    whole = {(p["k"], p["method"]) for p in points if not p["sample"]}
    shown = [p for p in points if not p["sample"] or (p["k"], p["method"]) not in whole]
    bars = dict(session.state.bars)
    return answer(
        request,
        "choose",
        groups={
            name: [field(options()[one], getattr(plan, one)) for one in names]
            for name, names in CHOOSING.items()
        },
        methods=[
            {"name": one.name, "description": one.description} for one in METHOD_TABLE.values()
        ],
        points=shown,
        described=described,
        drawn=curve(shown, bars, (plan.k, plan.method)) if shown else "",
        series=list(dict.fromkeys(p["method"] for p in shown)),
        stale=bool(points) and session.points_of != basis(session.state),
        sizes=SIZES,
        picked=METHODS,
        bars=bars,
    )


def basis(state: State) -> object:
    """What a curve depends on."""
    given = {name: value for name, value in state.plan.given.items() if name not in BASIS}
    return state.table, repr(given)


@action("choose", timely=True)
def apply(request: Request, session: Session, form: Form) -> Response | None:
    """Take over the page's settings."""
    names = [name for group in CHOOSING.values() for name in group]
    columns = [one["name"] for one in (session.look or {}).get("columns", ())]
    changes = said(form, names, columns, session.state.plan)
    plan, problems = amended(session.state.plan, fitting(changes, session.state.plan))
    session.folder.holds_files_of(plan)
    bars = tuple((name, _bar(form, name)) for name in BARS if form.one(f"bar.{name}").strip())
    session.change(replace(session.state, plan=plan, bars=bars), "choose")
    if problems:
        return back(request, "choose", "warn", "; ".join(problems))
    return back(request, "run" if form.one("next") else "choose")


def fitting(changes: dict[str, Any], plan: Plan) -> dict[str, Any]:
    """The changes, and what another method does not take left out: its options, limits."""
    from coterie.partitioning import registry

    method = changes.get("method", plan.method)
    if method == plan.method:
        return changes
    known = registry.METHODS.get(method)
    limits = {} if known is None or known.anytime else {"time_limit": None, "iterations": None}
    return {**changes, "method_options": None, **limits}


def _bar(form: Form, name: str) -> float:
    value = number_or_text(form.one(f"bar.{name}").strip())
    if not is_number(value) or not 0 <= value <= 100:
        raise bad_parameter(name, "a threshold", "a number from 0 to 100", value)
    return float(value)


@action("choose")
def begin_curve(request: Request, session: Session, form: Form) -> None:
    """Have the curve computed: every k by every method."""
    texts = [one for one in form.one("sizes").replace(";", ",").split(",") if one.strip()]
    sizes: list[Any] = [number_or_text(one.strip()) for one in texts]
    if not 1 <= len(sizes) <= MOST_SIZES or not all(isinstance(k, int) and k > 1 for k in sizes):
        rule = f"1 to {MOST_SIZES} integers of at least 2, with commas between them"
        raise bad_parameter("k", "the curve", rule, form.one("sizes"))
    methods = form.get("methods", [])
    if not 1 <= len(methods) <= MOST_METHODS:
        rule = f"1 to {MOST_METHODS} methods"
        raise bad_parameter("methods", "the curve", rule, len(methods))
    if not session.state.plan.quasi_identifiers:
        raise ParameterError(say("error.no_keys"))
    asked = session.asked()
    session.begin("curve", k=sorted(set(sizes)), methods=methods, **asked)
    session.points, session.points_of = [], basis(session.state)
    session.touch("curve")


@action("choose", timely=True)
def take(request: Request, session: Session, form: Form) -> None:
    """Take k and method of a point of the curve."""
    text = form.one("place")
    if not text.isdigit() or int(text) >= len(session.points):
        raise ParameterError(say("error.no_point"))
    point = session.points[int(text)]
    changes = {"k": point["k"], "method": point["method"]}
    plan, _ = amended(session.state.plan, fitting(changes, session.state.plan))
    session.change(replace(session.state, plan=plan), "take")
