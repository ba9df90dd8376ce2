"""The app: seconds to the first page and to a first curve, and what its server costs.

Run: make bench-app, or python3 dev.py bench app [--records 50000]. Processor time is that of the
server alone, from /proc: its child does the work. A table of the health survey, mixed.
"""

from __future__ import annotations

import argparse
import http.client
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode, urlsplit

KEYS = ["region", "age", "sex", "height", "weight", "income"]
TICKS = os.sysconf("SC_CLK_TCK")


class Page:
    """A browser of the plainest kind, that holds the events open as a page does."""

    def __init__(self, address: str) -> None:
        self.netloc = urlsplit(address).netloc
        self.cookie = ""
        self.ask("GET", address.partition(self.netloc)[2])

    def ask(self, method: str, path: str, form: dict | None = None) -> str:
        """The text of an answer."""
        connection = http.client.HTTPConnection(self.netloc, timeout=600)
        headers = {"Cookie": self.cookie} if self.cookie else {}
        body = None
        if form is not None:
            body = urlencode(form, doseq=True)
            headers["Origin"] = f"http://{self.netloc}"
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        self.cookie = (answer.getheader("Set-Cookie") or self.cookie).partition(";")[0]
        connection.close()
        return text

    def wait(self, path: str, words: str) -> str:
        """Ask until the page says so."""
        while words not in (text := self.ask("GET", path)):
            time.sleep(0.2)
        return text

    def post(self, path: str, form: dict) -> None:
        """A form, as a page of the present state would send it."""
        seen = re.search(r'data-state="(\d+)"', self.ask("GET", "/open"))
        assert seen is not None
        self.ask("POST", path, {"seen": seen[1], **form})

    def listen(self) -> http.client.HTTPConnection:
        """The stream of events, open."""
        connection = http.client.HTTPConnection(self.netloc, timeout=600)
        connection.request("GET", "/events", headers={"Cookie": self.cookie})
        connection.getresponse()
        return connection


def started(*words: str) -> tuple[subprocess.Popen, str]:
    """The app's process, and its address."""
    command = [sys.executable, "-m", "coterie", "app", "--no-browser", *words]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    return process, process.stdout.readline().split()[-1]


def used(process: subprocess.Popen) -> float:
    """Processor seconds of the process without its children."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def share(process: subprocess.Popen, seconds: float) -> float:
    """Percent of a core that the process takes."""
    before, began = used(process), time.perf_counter()
    time.sleep(seconds)
    return 100 * (used(process) - before) / (time.perf_counter() - began)


def demonstration() -> None:
    began = time.perf_counter()
    process, address = started("--demo")
    told = time.perf_counter() - began
    page = Page(address)
    page.ask("GET", "/open")
    first = time.perf_counter() - began
    cost = used(process)
    page.wait("/open", "First rows")
    rows = time.perf_counter() - began
    page.ask("POST", "/quit", {})
    process.wait()
    print(f"app --demo: address after {told:.2f} s, first page {first:.2f} s ({cost:.2f} s of")
    print(f"  processor time), the table on it {rows:.2f} s")


def large(records: int) -> None:
    from coterie.datasets import health

    with tempfile.TemporaryDirectory() as folder:
        table = health(records, random_state=0).drop(columns="household")
        table.to_csv(Path(folder) / "people.csv", index=False)
        process, address = started(str(Path(folder) / "people.csv"))
        page = Page(address)
        began = time.perf_counter()
        page.wait("/open", "First rows")
        print(f"{records:,} mixed records: looked at after {time.perf_counter() - began:.1f} s")
        roles = dict.fromkeys(KEYS, "key") | {"diagnosis": "confidential"}
        form = {f"role.{i}": roles.get(n, "confidential") for i, n in enumerate(table.columns)}
        page.post("/declare", form)
        page.post("/choose/curve", {"sizes": "3, 5, 10, 20", "methods": ["mdav-mhm", "auto"]})
        events = page.listen()
        began = time.perf_counter()
        page.wait("/choose", 'id="point-3"')
        print(f"  first curve, of a sample, after {time.perf_counter() - began:.1f} s")
        page.ask("POST", "/run/control", {"word": "cancel", "page": "choose"})
        page.wait("/choose", 'id="compute"')
        page.post("/choose", {"k": "5", "method": "optimize"})
        page.post("/run", {"time_limit": "40", "random_state": "1"})
        time.sleep(5.0)
        print(f"  the server while a search runs: {share(process, 20):.1f} % of a core")
        page.wait("/run", 'id="onward"')
        time.sleep(1.0)
        print(f"  and while nothing runs: {share(process, 20):.2f} % of a core")
        events.close()
        page.ask("POST", "/quit", {})
        process.wait()


def main(arguments: list[str]) -> None:
    reader = argparse.ArgumentParser(prog="bench app", description=__doc__.split("\n")[0])
    reader.add_argument("--records", type=int, default=50_000)
    given = reader.parse_args(arguments)
    demonstration()
    large(given.records)


if __name__ == "__main__":
    main(sys.argv[1:])
