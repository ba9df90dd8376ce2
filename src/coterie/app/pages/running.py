"""Step 4, *Run*: limits and seed, then the search as it goes."""

from __future__ import annotations

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from coterie.app.forms import RUNNING, Form, field, said
from coterie.app.pages.acting import action
from coterie.app.render import answer, back, session_of
from coterie.app.session import Session
from coterie.app.state import amended
from coterie.app.words import say
from coterie.errors import ParameterError
from coterie.plan.plan import options

__all__ = ["control", "show", "start"]

WORDS = ("pause", "resume", "take", "cancel")


async def show(request: Request) -> Response:
    """The page."""
    from coterie.partitioning import registry

    session = session_of(request)
    plan = session.state.plan
    return answer(
        request,
        "run",
        fields=[field(options()[name], getattr(plan, name)) for name in RUNNING],
        searches=registry.find(plan.method).anytime,
        ready=bool(session.state.table and plan.quasi_identifiers),
        problems=[one["text"] for one in (session.look or {}).get("problems", ())],
    )


@action("run", timely=True)
def start(request: Request, session: Session, form: Form) -> Response | None:
    """Take over limits and seed, and run the plan."""
    plan, problems = amended(session.state.plan, said(form, RUNNING, (), session.state.plan))
    session.change(replace(session.state, plan=plan), "run")
    if problems:
        return back(request, "run", "warn", "; ".join(problems))
    if not plan.quasi_identifiers:
        raise ParameterError(say("error.no_keys"))
    if not form.one("keep"):
        session.begin("run", **session.asked())
    return None


@action("run")
def control(request: Request, session: Session, form: Form) -> Response | None:
    """A word about the job at work: pause, resume, take, cancel."""
    word = form.one("word")
    job = session.job
    if word not in WORDS or job is None or not job.active:
        raise ParameterError(say("error.no_job"))
    if word == "cancel":
        session.cancel()
    else:
        session.worker.say(word)
    page = form.one("page")
    return back(request, page if page in ("choose", "release") else "run")
