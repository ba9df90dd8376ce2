"""The server as a process: who is answered, what it prints, and what is left when it is killed."""

from __future__ import annotations

import http.client
import os
import re
import signal
import time
from urllib.parse import urlencode, urlsplit

import pytest

pytest.importorskip("starlette")

from tests.apart import POSIX
from tests.app.browser import served

TABLE = "who,age,income\n" + "".join(f"p{i},{20 + i},{900 + 3 * i}\n" for i in range(40))


class Client:
    """A browser of the plainest kind."""

    def __init__(self, address):
        self.netloc = urlsplit(address).netloc
        self.cookie = ""

    def ask(self, method, path, form=None, **headers):
        connection = http.client.HTTPConnection(self.netloc, timeout=300)
        sent = {"Cookie": self.cookie} if self.cookie else {}
        body = None
        if form is not None:
            body = urlencode(form)
            sent |= {
                "Origin": f"http://{self.netloc}",
                "Content-Type": "application/x-www-form-urlencoded",
            }
        connection.request(method, path, body, {**sent, **headers})
        answer = connection.getresponse()
        text = answer.read().decode()
        if answer.getheader("Set-Cookie"):
            self.cookie = answer.getheader("Set-Cookie").partition(";")[0]
        connection.close()
        return answer.status, text

    def state(self):
        """The number of the state that the pages show."""
        return re.search(r'data-state="(\d+)"', self.ask("GET", "/history")[1])[1]

    def wait(self, path, words):
        while words not in (text := self.ask("GET", path)[1]):
            time.sleep(0.1)
        return text


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "people.csv").write_text(TABLE)
    return tmp_path


@POSIX
def test_from_the_address_to_the_end(folder):
    with served(folder / "people.csv") as app:
        client = Client(app.address)
        path = app.address.partition(client.netloc)[2]
        assert client.ask("GET", "/open")[0] == 403
        assert client.ask("GET", "/enter?ticket=wrong")[0] == 403
        assert client.ask("GET", path, **{"Sec-Fetch-Site": "cross-site"})[0] == 403
        assert client.ask("GET", path)[0] == 200
        assert client.ask("GET", path)[0] == 403  # once
        for host in ("localhost", "attacker.example", client.netloc.replace("127", "126")):
            assert client.ask("GET", "/open", Host=host)[0] == 421
        assert client.ask("POST", "/history/undo", {}, Origin="http://attacker.example")[0] == 403
        page = client.wait("/open", "First rows")
        assert "people.csv" in page
        assert "http" not in page.replace("http-equiv", "")
        code, page = client.ask("POST", "/quit", {})
        assert (code, "The app has ended" in page) == (200, True)
        assert app.process.wait(timeout=60) == 0
        out, err = app.process.stdout.read(), app.process.stderr.read()
        assert out == ""
        assert err.splitlines() == ["coterie: Ctrl-C ends the app"]


def dead(number):
    """Whether a process has ended, and only its parent has not noticed yet."""
    try:
        with open(f"/proc/{number}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def children(number):
    """Processes that a process has started."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat") as file:
                    parent = int(file.read().rpartition(")")[2].split()[1])
            except OSError:
                continue
            found += [int(entry)] if parent == number else []
    return found


@POSIX
@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs /proc to find the child")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_server_that_is_ended_leaves_neither_child_nor_scratch(folder, number):
    with served(folder / "people.csv") as app:
        client = Client(app.address)
        client.ask("GET", app.address.partition(client.netloc)[2])
        client.wait("/open", "First rows")
        (child,) = children(app.process.pid)
        os.kill(app.process.pid, number)
        code = app.process.wait(timeout=120)
        assert code == {signal.SIGKILL: -9, signal.SIGINT: 0, signal.SIGTERM: 143}[number]
        while os.path.exists(f"/proc/{child}"):
            time.sleep(0.05)
    assert [path.name for path in folder.iterdir()] == ["people.csv"]


@POSIX
@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs /proc to find the child")
@pytest.mark.parametrize("whom", ["server", "child"])
def test_a_kill_while_files_are_written_leaves_old_or_whole_ones(folder, whom):
    """Whenever it comes: the file that was there, or the whole new one; nothing beside it."""
    import coterie

    (folder / "out.csv").write_text("old\n")
    with served(folder / "people.csv") as app:
        client = Client(app.address)
        client.ask("GET", app.address.partition(client.netloc)[2])
        client.wait("/open", "First rows")
        seen = {"seen": client.state()}
        roles = {"role.0": "identifier", "role.1": "key", "role.2": "key"}
        client.ask("POST", "/declare", {**seen, **roles})
        client.ask("POST", "/choose", {"seen": client.state(), "k": "3", "method": "mdav"})
        client.ask("POST", "/run", {"seen": client.state()})
        run = client.wait("/run", 'id="onward"')
        run = re.search(r'data-job="(\d+)"', run)[1]
        wanted = {"item.release": "1", "file.release": "out.csv", "replace": "1", "run": run}
        wanted |= {"item.report": "1", "file.report": "r.html"}
        (child,) = children(app.process.pid)
        client.ask("POST", "/release", wanted)
        while not any(path.name.startswith((".", "r.")) for path in folder.iterdir()):
            time.sleep(0.001)  # until something is under way
        os.kill(app.process.pid if whom == "server" else child, signal.SIGKILL)
        while os.path.exists(f"/proc/{child}") and not dead(child):
            time.sleep(0.05)
        if whom == "child":
            client.ask("POST", "/quit", {})
        app.process.wait(timeout=120)
    left = {path.name for path in folder.iterdir()}
    assert left <= {"people.csv", "out.csv", "r.html"}
    if (folder / "out.csv").read_text() != "old\n":
        found = coterie.verify(folder / "out.csv", k=3, quasi_identifiers=["age", "income"])
        assert found.records == 40
    if "r.html" in left:
        assert (folder / "r.html").read_text().rstrip().endswith("</html>")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--listen", "192.0.2.7"], "--listen must come with --token-file"),
        (["--port", "99999"], "'port' parameter of app must be an integer from 0 to 65535"),
        (["--demo", "x.csv"], "--demo has a table of its own"),
        (["nowhere"], "nowhere does not exist"),
        (["--token-file", "none"], "--token-file none cannot be read"),
    ],
)
def test_what_cannot_be_meant_is_one_line_and_code_2(words, message, capfd, monkeypatch, tmp_path):
    from coterie.cli import main

    monkeypatch.chdir(tmp_path)
    assert main(["app", "--no-browser", *words]) == 2
    err = capfd.readouterr().err
    assert message in err
    assert err.count("\n") == 1
