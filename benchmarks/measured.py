"""Pages of docs/measured/, made from the result files that benchmarks keep.

    python3 dev.py bench measured        # every page anew, from benchmarks/results

A benchmark collects its figures in a `Sheet`; asked to `--keep` them, it leaves results/NAME.json,
which names version, machine, processor seconds and date, and the page docs/measured/NAME.md.
"""

from __future__ import annotations

import json
import os
import platform
import resource
import sys
import time
from dataclasses import asdict, dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).parent / "results"
PAGES = ROOT / "docs" / "measured"
UNSTAMPED = "Version 0.1.0, two shared cores, by 2026-11-17: kept before files named more"
DIGITS = 1e-7  # relative: what a sheet rounds its figures by, at most
STAMP = ("version", "python", "machine", "date", "seconds")  # what every result file names


def machine():
    """Processor, cores and how busy they are; a shared machine is a noisy one."""
    model = platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    return f"{model}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.0f}"


def processor_seconds():
    """Of this process and of those that it has started and waited for."""
    spent = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in spent)


def asked(benchmark):
    """The command that runs a benchmark as it was just run."""
    words = " ".join(sys.argv[1:])
    return f"make bench-{benchmark}" + (f' ARGS="{words}"' if words else "")


def stamp():
    """Version, machine, date and processor seconds so far, as every result file names them."""
    import coterie

    return {
        "version": coterie.__version__,
        "python": platform.python_version(),
        "machine": machine(),
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "seconds": round(processor_seconds(), 1),
    }


def stamped(found):
    """The stamp of a result file, in words; the oldest files have none."""
    if "version" not in found:
        return UNSTAMPED
    return (
        f"Version {found['version']}, Python {found['python']}, {found['machine']}, "
        f"{found['date']}, {found['seconds']:,.0f} processor seconds"
    )


def by_processor():
    """Let searches count processor seconds: on a busy machine what a free one would do."""
    from coterie.partitioning import driver

    driver.time = SimpleNamespace(**{**vars(time), "perf_counter": time.process_time})


@dataclass
class Table:
    """Rows of raw figures; each column has a name and the format of its figures.

    After a format, `down` or `up` says how they are rounded: ".4f down" of a lower bound, which to
    the nearest might not be proved.
    """

    title: str
    columns: dict[str, str]
    text: str = ""
    rows: list[list] = field(default_factory=list)

    def add(self, *cells):
        """One row."""
        if len(cells) != len(self.columns):
            raise ValueError(f"a row of {self.title!r} must have {len(self.columns)} cells")
        self.rows.append([plain(cell) for cell in cells])


@dataclass
class Sheet:
    """What a benchmark found: tables with their titles, and who made them when and where."""

    name: str
    title: str
    benchmark: str
    about: str
    tables: list[Table] = field(default_factory=list)
    pictures: dict[str, str] = field(default_factory=dict)  # what it shows: file of docs/images

    def table(self, title, columns, text=""):
        """Begin a table."""
        self.tables.append(Table(title, columns, text))
        return self.tables[-1]

    def keep(self, folder=RESULTS):
        """Write the result file and its page."""
        self.about = " ".join(self.about.split())
        folder.mkdir(exist_ok=True)
        made = {**stamp(), "command": asked(self.benchmark), **asdict(self)}
        text = json.dumps(made, indent=1, ensure_ascii=False)
        (folder / f"{self.name}.json").write_text(text + "\n", encoding="utf-8")
        write(self.name, folder)
        print(f"kept: {self.name}")


def kept(name, folder=RESULTS):
    """A result file as it was kept."""
    return json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))


def page(found):
    """A result file as a page."""
    file = found.get("file") or f"benchmarks/results/{found['name']}.json"
    lines = [
        f"# {found['title']}",
        found["about"],
        f"Made by `{found['command']}` from `{file}`; not written by hand. {stamped(found)}.",
    ]
    lines += [f"![{shows}](../images/{file})" for shows, file in found["pictures"].items()]
    for table in found["tables"]:
        lines += [f"## {table['title']}", *filter(None, [table["text"]])]
        formats = list(table["columns"].values())
        rows = [
            [shown(cell, form) for cell, form in zip(row, formats, strict=True)]
            for row in table["rows"]
        ]
        line = ["---:" if form else "---" for form in formats]
        every = [list(table["columns"]), line, *rows]
        lines.append("\n".join("| " + " | ".join(row) + " |" for row in every))
    return american("\n\n".join(lines) + "\n")


def american(text):
    """A page in the spelling of the others: results that were kept before it was have another."""
    return text.replace("tandardised", "tandardized")


def write(name, folder=RESULTS):
    """The page of one result file."""
    (PAGES / f"{name}.md").write_text(page(kept(name, folder)), encoding="utf-8")


def plain(cell):
    """Numbers of NumPy as numbers; figures to eight digits."""
    if hasattr(cell, "item"):
        cell = cell.item()
    return float(f"{cell:.8g}") if isinstance(cell, float) else cell


def shown(cell, form):
    """A cell in its format."""
    if cell is None or isinstance(cell, str):
        return cell or ""
    form, _, way = form.partition(" ")
    return format(_rounded(cell, form, way) if way else cell, form)


def _rounded(cell, form, way):
    """A figure down or up to the decimals of a format, with what it was rounded by before."""
    least = Decimal(1).scaleb(-int(form.strip(",+f").removeprefix(".")))
    off = abs(cell) * DIGITS
    if way == "down":
        return Decimal(cell - off).quantize(least, ROUND_FLOOR)
    return Decimal(cell + off).quantize(least, ROUND_CEILING)


def main():
    for path in sorted(RESULTS.glob("*.json")):
        write(path.stem)
        print(f"written: docs/measured/{path.stem}.md")


if __name__ == "__main__":
    main()
