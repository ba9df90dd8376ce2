"""The site with its child, without a browser: jobs, histories, refusals, what is not told."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal

import pytest

pytest.importorskip("starlette")

from coterie.app.entry import Entry
from coterie.app.folder import Folder
from coterie.app.render import STEPS
from coterie.app.session import Session
from coterie.app.site import site
from tests.apart import POSIX
from tests.app.asked import AUTHORITY, ask

# Values that nothing else would hold.
MARKS = ("zanzibar", "48151623", "qwyjibo")
LINES = ["who,age,income,town"]
LINES += [
    f"qwyjibo{i},{20 + i % 30},{48151623 + 7919 * i % 997},zanzibar{i % 3}" for i in range(60)
]
KEYS = {"role.0": "identifier", "role.1": "key", "role.2": "key", "role.3": "confidential"}


class Browser:
    """Asks as the app's own pages do, and keeps every answer."""

    def __init__(self, folder):
        self.session = Session(Folder.at(folder))
        self.entry = Entry(8400)
        self.app = site(self.session, self.entry, AUTHORITY)
        self.cookie = f"{self.entry.name}={self.entry.cookie}"
        self.answers = []

    async def get(self, path):
        answer = await ask(self.app, path=path, cookie=self.cookie)
        self.answers.append((path, answer))
        return answer

    async def post(self, path, **form):
        form = {"seen": self.session.history.number, **form}
        answer = await ask(self.app, "POST", path, form=form, cookie=self.cookie)
        self.answers.append((path, answer))
        return answer

    def told(self, answer):
        """The message that a form was answered with."""
        number = answer.headers["location"].partition("note=")[2]
        return next((text for n, _, text in self.session.notes if str(n) == number), "")

    async def settled(self):
        """Wait until nothing is at work."""
        session = self.session
        while (session.job and session.job.active) or session._turn.locked() or not session.look:
            if session.look_failed:
                return
            await asyncio.sleep(0.02)

    async def ready(self, method="mdav"):
        await self.post("/open", name="people.csv")
        await self.settled()
        await self.post("/declare", **KEYS)
        await self.post("/choose", k="3", method=method)
        await self.settled()


@contextlib.asynccontextmanager
async def browsing(folder):
    (folder / "people.csv").write_text("\n".join(LINES) + "\n", encoding="utf-8")
    browser = Browser(folder)
    try:
        yield browser
    finally:
        await browser.session.close()


def test_the_whole_way_and_nothing_of_the_table_in_addresses_or_error_pages(tmp_path, capfd):
    async def way():
        async with browsing(tmp_path) as b:
            await b.ready()
            for page in (*STEPS, "history", "nowhere", "open/../..", "static/none"):
                await b.get(f"/{page}")
            await b.post("/choose/curve", sizes="3, 5", methods=["mdav"])
            await b.settled()
            assert [point["k"] for point in b.session.points] == [3, 5]
            await b.post("/choose/take", place="1")
            assert b.session.state.plan.k == 5
            await b.post("/run")
            await b.settled()
            assert b.session.job.status == "done", b.session.job.text
            number = b.session.runs[-1].number
            files = {"item.release": "1", "file.release": "out.csv"}
            await b.post("/release", run=number, **files)
            await b.settled()
            assert b.session.job.status == "done", b.session.job.text
            page = (await b.get("/release")).text
            assert "proved, the smallest of" in page
            for form in (
                {"name": "zanzibar.csv"},
                {"name": "../zanzibar"},
                {"name": "people.csv", "delimiter": "qwyjibo"},
            ):
                await b.post("/open", **form)
                await b.settled()
                await b.get("/open")
            await b.post("/nowhere", x="qwyjibo")
            return b

    b = asyncio.run(way())
    assert (tmp_path / "out.csv").exists()
    for path, answer in b.answers:
        seen = [path, *answer.headers.values()]
        if answer.code >= 400:
            seen.append(answer.text)
        assert not any(mark in text for mark in MARKS for text in seen), path
    out, err = capfd.readouterr()
    assert not any(mark in out + err for mark in MARKS)


def test_one_job_at_a_time_and_it_is_said(tmp_path):
    async def way():
        async with browsing(tmp_path) as b:
            await b.ready("optimize")
            await b.post("/run", time_limit="600")
            again = await b.post("/run", time_limit="600")
            assert "One job at a time" in b.told(again)
            await b.post("/run/control", word="cancel")
            await b.settled()
            assert b.session.job.status == "canceled"
            late = await b.post("/run/control", word="pause")
            assert "no job at work" in b.told(late)
            assert b.session.runs == []
            # The child is there for the next one.
            await b.post("/choose", k="3", method="mdav")
            await b.post("/run")
            await b.settled()
            assert b.session.job.status == "done", b.session.job.text

    asyncio.run(way())


@POSIX
def test_a_killed_child_is_told_and_the_next_job_has_another(tmp_path):
    async def way():
        async with browsing(tmp_path) as b:
            await b.ready("optimize")
            await b.post("/run", time_limit="600")
            while not b.session.job.phase:
                await asyncio.sleep(0.02)
            os.kill(b.session.worker.number, signal.SIGKILL)
            await b.settled()
            assert b.session.job.status == "failed"
            assert "process of the job ended" in b.session.job.text
            await b.post("/choose", k="3", method="mdav")
            await b.post("/run")
            await b.settled()
            assert b.session.job.status == "done", b.session.job.text
            assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]

    asyncio.run(way())


def test_nothing_is_overwritten_unasked_and_never_the_input(tmp_path):
    (tmp_path / "old.csv").write_text("old\n")

    async def way():
        async with browsing(tmp_path) as b:
            await b.ready()
            await b.post("/run")
            await b.settled()
            number = b.session.runs[-1].number

            async def refused(name, item="release", **more):
                form = {"run": number, f"item.{item}": "1", f"file.{item}": name, **more}
                return b.told(await b.post("/release", **form))

            assert "must not be there yet" in await refused("old.csv")
            assert "must not be overwritten" in await refused("people.csv", replace="1")
            assert "within the folder" in await refused("../out.csv")
            assert "must not be hidden" in await refused(".out.csv")
            assert "unknown format" in await refused("out.doc")
            assert "must end in .html" in await refused("out.csv", item="report")
            assert "Something must be ticked" in b.told(await b.post("/release", run=number))
            both = {"item.report": "1", "file.report": "r.html"}
            twice = {"item.public_report": "1", "file.public_report": "r.html"}
            assert "name of its own" in b.told(
                await b.post("/release", run=number, **both, **twice)
            )
            assert (tmp_path / "old.csv").read_text() == "old\n"
            assert await refused("old.csv", replace="1") == ""
            await b.settled()
            assert b.session.job.status == "done"
            assert (tmp_path / "old.csv").read_text() != "old\n"

    asyncio.run(way())


def test_forms_of_another_state_change_nothing(tmp_path):
    async def way():
        async with browsing(tmp_path) as b:
            await b.post("/open", name="people.csv")
            await b.settled()
            before = b.session.history.number
            answer = await b.post("/choose", k="9", seen="0")
            assert "another tab" in b.told(answer)
            assert b.session.history.number == before

    asyncio.run(way())


def test_plans_are_kept_and_loaded_within_the_folder(tmp_path):
    folder = tmp_path / "inside"
    folder.mkdir()
    (tmp_path / "outside.toml").write_text("k = 9\n")
    (folder / "far.toml").write_text('k = 9\nprevious = ["../secret.csv"]\n')

    async def way():
        async with browsing(folder) as b:
            await b.ready()
            assert "kept as plan.toml" in b.told(await b.post("/plan/keep", file="plan.toml"))
            assert "not be there yet" in b.told(await b.post("/plan/keep", file="plan.toml"))
            assert "must end in .toml" in b.told(await b.post("/plan/keep", file="plan.csv"))
            kept = b.session.state.plan
            await b.post("/choose", k="8", method="mdav")
            await b.post("/plan/load", file="plan.toml")
            assert b.session.state.plan == kept
            assert "within the folder" in b.told(await b.post("/plan/load", file="../outside.toml"))
            assert "within the folder" in b.told(await b.post("/plan/load", file="far.toml"))
            assert "within the folder" in b.told(await b.post("/choose", previous="../x.csv"))
            assert b.session.state.plan == kept

    asyncio.run(way())


def test_problems_stand_at_their_column(tmp_path):
    async def way():
        async with browsing(tmp_path) as b:
            await b.post("/open", name="people.csv")
            await b.settled()
            await b.post("/declare", **{"role.0": "key", "role.1": "key"})
            await b.settled()
            page = (await b.get("/declare")).text
            why = page.partition('id="why-0"')[2].partition("</div>")[0]
            assert "no two of them equal" in why
            assert "problem" not in page.partition('id="why-1"')[2].partition("</div>")[0]
            assert 'class="note warn"' in (await b.get("/run")).text

    asyncio.run(way())


def test_listeners_hear_of_every_change_and_end_with_the_server(tmp_path):
    async def way():
        async with browsing(tmp_path) as b:
            heard = []

            async def listen():
                async for told in b.session.events():
                    heard.append(told)  # noqa: PERF401 - read while it grows

            listeners = [asyncio.create_task(listen()) for _ in range(2)]
            await b.post("/open", name="people.csv")
            await b.settled()
            await asyncio.sleep(0.6)
            assert sum(one["versions"] == b.session.versions for one in heard) == 2
            b.session.closing.set()
            b.session.touch()
            await asyncio.wait_for(asyncio.gather(*listeners), 60)

    asyncio.run(way())


def test_pause_resume_and_take(tmp_path):
    async def way():
        async with browsing(tmp_path) as b:
            await b.ready("optimize")
            await b.post("/run", time_limit="600")
            job = b.session.job
            while job.status == "waiting":
                await asyncio.sleep(0.02)
            await b.post("/run/control", word="pause")
            while job.status != "paused":
                await asyncio.sleep(0.02)
            assert 'id="do-resume"' in (await b.get("/run")).text
            await b.post("/run/control", word="resume")
            while job.status == "paused":
                await asyncio.sleep(0.02)
            await b.post("/run/control", word="take")
            await b.settled()
            assert job.status == "done", job.text
            assert b.session.runs[-1].summary["figures"]["achieved"] >= 3

    asyncio.run(way())
