"""Step 5, *Release*: the risk that is left, before and after, and the files after their proof."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from coterie.app.drawing.columns import pair
from coterie.app.forms import Form
from coterie.app.pages.acting import action
from coterie.app.render import answer, released_name, session_of
from coterie.app.session import Done, Session
from coterie.app.words import say
from coterie.errors import ParameterError, shown

__all__ = ["ITEMS", "show", "write"]

ITEMS = (
    "release",
    "report",
    "public_report",
    "evidence",
    "public_evidence",
    "crosswalk",
    "dossier",
)
USUAL = ("release", "report", "public_report")  # ticked at first
ENDINGS = {
    "report": "-report.html",
    "public_report": "-report-public.html",
    "evidence": "-evidence.json",
    "public_evidence": "-evidence-public.json",
    "crosswalk": "-crosswalk.csv",
    "dossier": "-dossier",
}


async def show(request: Request) -> Response:
    """The page: the last run, beside an earlier one if that was asked for."""
    session = session_of(request)
    run = session.runs[-1] if session.runs else None
    with_ = request.query_params.get("with", "")
    other = next((one for one in session.runs[:-1] if str(one.number) == with_), None)
    return answer(
        request,
        "release",
        run=run,
        other=other,
        rows=[] if run is None or other is None else list(_compared(run, other)),
        changed=run is not None and run.state != session.state,
        items=[] if run is None else [_item(session, run, name) for name in ITEMS],
        drawn={} if run is None else _drawn(run),
        written=session.written,
    )


def _item(session: Session, run: Done, name: str) -> dict[str, Any]:
    first = released_name(run.state)
    stem = Path(first).with_suffix("").as_posix()
    usual = first if name == "release" else stem + ENDINGS[name]
    return {"name": name, "file": usual, "ticked": name in USUAL}


def _drawn(run: Done) -> dict[str, Any]:
    return {
        column["name"]: pair(column, say("release.picture", name=column["name"]))
        for column in run.summary["columns"]
    }


def _compared(run: Done, other: Done) -> Iterator[dict[str, Any]]:
    """Figures of two runs, and what was asked otherwise."""
    for name in ("k", "achieved", "records", "classes"):
        here, there = run.summary["figures"][name], other.summary["figures"][name]
        yield {"name": name, "here": here, "there": there, "percent": False}
    for name, here, there in (
        ("loss", run.summary["figures"]["loss"], other.summary["figures"]["loss"]),
        ("risk", run.risk, other.risk),
    ):
        yield {"name": name, "here": here, "there": there, "percent": True}


@action("release")
def write(request: Request, session: Session, form: Form) -> None:
    """Write what was ticked; nothing that is there is replaced unless that was said."""
    number = form.one("run")
    run = session.runs[-1] if session.runs else None
    if run is None or str(run.number) != number:
        raise ParameterError(say("error.no_release"))
    wanted = [name for name in ITEMS if f"item.{name}" in form]
    if not wanted:
        raise ParameterError(say("error.nothing_to_write"))
    items: dict[str, str] = {}
    for name in wanted:
        given = form.one(f"file.{name}").strip()
        path = session.folder.target(given)
        _check(session, run, name, path, given, replace="replace" in form)
        if str(path) in items.values():
            raise ParameterError(say("error.twice", name=shown(given)))
        items[name] = str(path)
    output = form.one("file.release") if "release" in wanted else ""
    bars = dict(run.state.bars)
    session.written = []
    # Of that run: the release in the child has its number.
    session.begin("write", number=run.number, items=items, bars=bars, output=output)


def _check(
    session: Session, run: Done, name: str, path: Path, given: str, *, replace: bool
) -> None:
    """Endings that go with the item, never the input, nothing overwritten unasked."""
    wanted = {"report": (".html",), "public_report": (".html",), "crosswalk": (".csv",)}
    wanted |= {"evidence": (".json",), "public_evidence": (".json",), "dossier": ("",)}
    if name in wanted and path.suffix.lower() not in wanted[name]:
        ending = wanted[name][0] or say("error.no_ending")
        raise ParameterError(
            say("error.ending", item=say(f"item.{name}"), ending=ending, name=shown(given))
        )
    if name == "release":
        from coterie.table import formats

        formats.by_extension(Path(given), writing=True).check_writing()
    assert run.state.table is not None
    if path == session.folder.inside(run.state.table.name):
        raise ParameterError(say("error.input", name=shown(given)))
    if path.exists() and not replace:
        raise ParameterError(say("error.exists", name=shown(given)))
