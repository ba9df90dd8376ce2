"""Pages that the code itself writes, and the check that the site loads nothing from elsewhere.

mkdocs calls the functions ``on_...`` while it builds: the reference of the command line is what
``--help`` prints, those of methods and measures are their registries, changelog, contributing
and security are the files beside this folder.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent

# Attributes by which a browser fetches something without being asked to.
FETCHED = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
    "embed": "src",
    "object": "data",
}
LINKS = {"stylesheet", "icon", "preload", "preconnect", "dns-prefetch", "modulepreload", "manifest"}


EXIT_CODES = """| code | meaning |
| --- | --- |
| 0 | done |
| 1 | not k-anonymous, or not as guaranteed; `coterie verify --json` prints the counts then too |
| 2 | bad input: one line on standard error, nothing written |
| 70 | a bug of ours |
| 130 | interrupted |
| 128 + n | ended by signal n (143 for SIGTERM); what lay [on the disk](disk.md) is removed |"""


def on_files(files: Any, config: Any) -> Any:
    """Add the generated pages to those of the folder."""
    from mkdocs.structure.files import File

    pages = {
        "reference/commands.md": commands(),
        "reference/methods.md": methods(),
        "reference/measures.md": measures(),
        "reference/plan.md": plan(),
        "changelog.md": (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"),
        "contributing.md": (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"),
        "security.md": (ROOT / "SECURITY.md").read_text(encoding="utf-8").replace("(docs/", "("),
    }
    for name, content in pages.items():
        files.append(File.generated(config, name, content=content))
    return files


def on_post_build(config: Any) -> None:
    """Refuse a site that fetches from another host; let the search work from the disk."""
    from mkdocs.exceptions import PluginError

    found = []
    for path in sorted(Path(config.site_dir).rglob("*")):
        if path.suffix == ".html":
            finder = Fetches()
            finder.feed(path.read_text(encoding="utf-8"))
            found += [f"{path.name}: {url}" for url in finder.urls if outside(url)]
        elif path.suffix == ".css":
            urls = re.findall(r"url\(\s*['\"]?([^'\")]+)", path.read_text(encoding="utf-8"))
            found += [f"{path.name}: {url}" for url in urls if outside(url)]
    if found:
        raise PluginError("the site loads from other hosts: " + "; ".join(found[:5]))
    index = Path(config.site_dir) / "search" / "search_index.json"
    # A page that was opened from the disk reads the index as a script.
    script = f"var __index = {index.read_text(encoding='utf-8')}\n"
    index.with_suffix(".js").write_text(script, encoding="utf-8")


def outside(url: str) -> bool:
    """Whether an address names a host."""
    return re.match(r"(?:[a-z]+:)?//", url.strip(), re.IGNORECASE) is not None


class Fetches(HTMLParser):
    """Addresses that a browser loads with the page; links to follow are none."""

    def __init__(self) -> None:
        super().__init__()
        self.urls: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what a start tag fetches."""
        given = dict(attrs)
        if tag in FETCHED and given.get(FETCHED[tag]):
            self.urls.append(str(given[FETCHED[tag]]))
        if "mermaid" in (given.get("class") or ""):
            self.urls.append("//diagrams that the theme would fetch a program for")
        if tag == "link" and LINKS & set((given.get("rel") or "").split()):
            self.urls.append(given.get("href") or "")


def commands() -> str:
    """What ``--help`` prints, for the program and each of its commands."""
    os.environ.update(COLUMNS="90", TERMINAL_WIDTH="90", NO_COLOR="1")
    from typer.main import get_command

    from coterie.cli import main
    from coterie.cli.app import app

    text = [
        "# Command line",
        "Every command as it explains itself.",
        "## Exit codes",
        EXIT_CODES,
    ]
    for name in ("", *get_command(app).commands):
        arguments = [name, "--help"] if name else ["--help"]
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            main(arguments)
        text += [f"## coterie {name}".rstrip(), f"```text\n{out.getvalue().strip()}\n```"]
    return "\n\n".join(text) + "\n"


def methods() -> str:
    """Every method with its options and reference."""
    import coterie

    text = [
        "# Methods and options",
        "As `coterie.methods()` and `coterie methods` list them. Options go to `partition(..., "
        'option=value)`, `anonymize(method_options={"option": value})`, and in a settings file '
        "under `method_options`. [Methods](../explanation/methods.md) compares them.",
    ]
    for method in coterie.methods():
        anytime = " · anytime" if method.anytime else ""
        text.append(f"## {method.name}")
        text.append(f"{method.description[0].upper()}{method.description[1:]}.")
        text.append(f"*{method.kind}{anytime} · {method.reference}*")
        if method.options:
            rows = [f"| `{name}` | {escaped(rule)} |" for name, rule in method.options.items()]
            text.append("\n".join(["| option | rule and default |", "| --- | --- |", *rows]))
    return "\n\n".join(text) + "\n"


def plan() -> str:
    """Everything that can be asked, with its rule, its flag and where it is understood."""
    from coterie.plan.plan import options

    rows = []
    for option in options().values():
        flag = f"`{option.flag.names[-1]}`" if option.flag else ""
        place = f"`[columns.NAME]` `{option.of_column}`" if option.of_column else "top"
        engines = "all" if option.anywhere else "memory"
        cells = (
            f"`{option.name}`",
            escaped(option.doc),
            escaped(option.rule),
            flag,
            place,
            engines,
        )
        rows.append("| " + " | ".join(cells) + " |")
    head = [
        "| name | what it asks for | rule | flag | in a settings file | engines |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    about = (
        "A parameter of `coterie.anonymize` and `coterie.Plan`, a flag of the command, a line "
        "of a settings file: one table makes them all. Lists and mappings that flags and file both "
        "hold add up; of single values the flag's counts."
    )
    return "\n\n".join(["# Everything that can be asked", about, "\n".join(head + rows)]) + "\n"


def measures() -> str:
    """Every measure with its direction, bounds and reference."""
    from coterie.evaluation import measures as listed

    rows = [
        f"| `{m.name}` | {m.kind} | {escaped(m.title)} | {escaped(m.direction)} | "
        f"{m.bounds[0]:g} to {m.bounds[1]:g} | {escaped(m.reference)} |"
        for m in listed()
    ]
    head = [
        "| name | kind | what it is | read it so | bounds | reference |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    about = "As `coterie.evaluation.measures()` lists them; [how each is computed](definitions.md)."
    return "\n\n".join(["# Measures", about, "\n".join(head + rows)]) + "\n"


def escaped(text: str) -> str:
    """Text that may stand in a cell of a table."""
    return text.replace("|", "\\|")
