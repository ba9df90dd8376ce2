"""The examples of README and docs: found, run, and what they print compared.

- A ``python`` block is executed, the blocks of a page one after the other in one namespace. If a
  ``text`` block follows, it is what the code prints.
- In a ``console`` block a line that begins with ``$`` is a command and the lines below it are its
  output; in a ``bash`` block every line is a command. ``coterie`` runs in this process, commands
  with pipes in a shell; ``make`` and ``dev.py`` are only looked up: they are the suite around us.
- ``...`` stands for anything, white space is not compared, seconds are not, other numbers nearly:
  a method that gets a little better, or a processor that rounds otherwise, changes no page.
- ``<!-- not run: reason -->`` before a block leaves it out; ``<!-- setup ... -->`` holds Python
  that runs unseen at its place.

``python -m tests.docs.examples`` counts them.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from coterie.cli.progress import ANNOUNCEMENT

ROOT = Path(__file__).resolve().parents[2]
NUMBER = r"(?<![\w.])-?\d+(?:,\d{3})*(?:\.\d+)?(?![\w])"
RUN = ("python", "console", "bash")
SHOWN = ("text", "toml", "json")  # languages of blocks that are not examples
TOOLS = ("head", "cat", "ls", "wc")


@dataclass
class Block:
    """One fenced block, or a comment for this module."""

    line: int
    language: str
    body: str
    reason: str = ""  # why it is not run


def pages() -> list[Path]:
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a page and the comments that speak to this module, in order."""
    found: list[Block] = []
    reason, inside, lines = "", None, text.splitlines()
    number = 0
    while number < len(lines):
        line = lines[number]
        if line.startswith("```"):
            if inside is None:
                inside = Block(number + 2, line[3:].strip(), "", reason)
                reason = ""
            else:
                found.append(inside)
                inside = None
        elif inside is not None:
            inside.body += line + "\n"
        elif match := re.match(r"<!-- not run: (.+) -->", line):
            reason = match[1]
        elif line == "<!-- setup":
            end = lines.index("-->", number)
            found.append(Block(number + 2, "setup", "\n".join(lines[number + 1 : end]) + "\n"))
            number = end
        number += 1
    assert inside is None, "a fence is not closed"
    return found


def commands(block: Block) -> list[tuple[str, str | None]]:
    """Commands of a block, and what each one prints; None where it is not shown."""
    body = re.sub(r"\\\n\s*(> )?", "", block.body)
    if block.language == "bash":
        lines = (re.sub(r"\s+#.*", "", line).strip() for line in body.splitlines())
        return [(line, None) for line in lines if line and not line.startswith("#")]
    made: list[tuple[str, str | None]] = []
    for line in body.splitlines():
        if line.startswith("$ "):
            made.append((re.sub(r"\s+# .*", "", line[2:]).strip(), None))
        else:
            command, output = made[-1]
            made[-1] = (command, (output or "") + line + "\n")
    return made


class Page:
    """The examples of one page, run in the current folder."""

    def __init__(self, path: Path) -> None:
        self.name = path.relative_to(ROOT).as_posix()
        self.blocks = blocks(path.read_text(encoding="utf-8"))
        self.space: dict[str, object] = {"__name__": "__main__"}
        self.counts: Counter[str] = Counter()

    def run(self) -> Counter[str]:
        for place, block in enumerate(self.blocks):
            after = self.blocks[place + 1] if place + 1 < len(self.blocks) else None
            if block.reason and block.language in RUN:
                self.counts["not run"] += 1
            elif block.language in ("python", "setup"):
                printed = self.python(block)
                if block.language == "python":
                    self.counts["python"] += 1
                    if after is not None and after.language == "text":
                        self.compare(after.body, printed, after.line)
            elif block.language in ("console", "bash"):
                for command, output in commands(block):
                    self.counts[self.command(command, output, block.line)] += 1
            else:
                self.check_shown(block)
        return self.counts

    def python(self, block: Block) -> str:
        code = compile("\n" * (block.line - 1) + block.body, self.name, "exec")
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(code, self.space)
        return out.getvalue()

    def command(self, text: str, output: str | None, line: int) -> str:
        """Run one command; what kind it was."""
        words = shlex.split(text)
        if looked_up(words):
            if words[0] == "pip":
                known_extras(text)
            else:
                known_target(words[1] if words[0] == "make" else words[2], text)
            return "looked up"
        if re.search(r"[|<>]", text) or words[0] in TOOLS:
            code, printed = in_shell(text)
        else:
            assert words[0] == "coterie", f"{self.name}:{line}: unknown command {text!r}"
            code, printed = in_process(words[1:])
        fails = (output or "").startswith(("coterie: ", "Not "))
        assert fails or code == 0, f"{self.name}:{line}: {text}\nexit code {code}\n{printed}"
        if output is not None:
            # A page shows what everybody sees, not what the first run on a machine says beside it.
            lines = [one for one in printed.splitlines(True) if ANNOUNCEMENT not in one]
            self.compare(output, "".join(lines), line)
        return "command"

    def compare(self, wanted: str, got: str, line: int) -> None:
        why = difference(wanted, got)
        assert not why, f"{self.name}:{line}: {why}\nshown:\n{wanted}\nprinted:\n{got}"

    def check_shown(self, block: Block) -> None:
        place = f"{self.name}:{block.line}"
        assert block.language in SHOWN, f"{place}: a block must be one of {RUN + SHOWN}"
        hidden = re.search(r"^(\$ |coterie |make |import |from \w+ import )", block.body, re.M)
        assert not hidden, f"{place}: an example in a block that is not run"


def difference(wanted: str, got: str) -> str:
    """Why an output is not the one shown; empty if it is."""
    pieces = re.split(rf"(\.\.\.|{NUMBER}|\s+)", wanted.strip())
    parts, numbers = [], []
    for place, piece in enumerate(pieces):
        if piece == "...":
            parts.append(".*?")
        elif piece.isspace():
            parts.append(r"\s*")  # borders of tables move with their contents
        elif re.fullmatch(NUMBER, piece):
            parts.append(f"({NUMBER})")
            seconds = "".join(pieces[place + 1 : place + 4]).startswith((" s", "s "))
            numbers.append((piece, seconds))
        else:
            parts.append(re.escape(piece))
    match = re.fullmatch("".join(parts), got.strip(), re.DOTALL)
    if match is None:
        return "the text differs"
    for (shown, seconds), printed in zip(numbers, match.groups(), strict=True):
        if not seconds and not alike(shown, printed):
            return f"shown is {shown}, printed was {printed}"
    return ""


def alike(shown: str, printed: str) -> bool:
    """Small whole numbers are equal, large ones within 5 %, others within 15 %."""
    one, other = (float(text.replace(",", "")) for text in (shown, printed))
    if "." in shown:
        return abs(one - other) <= max(0.15 * abs(one), 0.02)
    return one == other or (abs(one) >= 20 and abs(one - other) <= 0.05 * abs(one))


def in_process(arguments: list[str]) -> tuple[int, str]:
    from coterie.cli import main

    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        code = main(arguments)
    return code, out.getvalue()


def in_shell(text: str) -> tuple[int, str]:
    """Through a shell in which `coterie` is this very one."""
    shim = f'coterie() {{ {shlex.quote(sys.executable)} -m coterie "$@"; }}; '
    done = subprocess.run(
        ["bash", "-c", shim + text], capture_output=True, text=True, env=os.environ, check=False
    )
    return done.returncode, done.stdout + done.stderr


def looked_up(words: list[str]) -> bool:
    """Whether a command is not for a test to run: the suite around us, or an installation."""
    return words[0] in ("make", "pip") or words[:2] in (["python", "dev.py"], ["python3", "dev.py"])


def known_target(name: str, text: str) -> None:
    """A target of make and dev.py exists; a benchmark's file does, too."""
    source = (ROOT / "dev.py").read_text()
    if name.startswith("bench-") or name == "bench":
        bench = name.removeprefix("bench-") if name != "bench" else shlex.split(text)[-1]
        last = bench.rpartition(".")[2]
        folder = ROOT / "benchmarks"
        found = [*folder.rglob(f"{last}.py"), *folder.glob(f"{last}/__main__.py")]
        assert found or name == "bench", f"no benchmark for {text!r}"
    else:
        assert f'"{name}": ' in source, f"dev.py has no command for {text!r}"


def known_extras(text: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for extra in re.findall(r"\[([\w,]+)\]", text):
        assert set(extra.split(",")) <= set(project["optional-dependencies"]), text


def main() -> None:
    """Count without running."""
    total: Counter[str] = Counter()
    for path in pages():
        for block in blocks(path.read_text(encoding="utf-8")):
            if block.language not in RUN:
                continue
            if block.reason:
                total["not run"] += 1
                print(f"not run: {path.relative_to(ROOT)}:{block.line}: {block.reason}")
            elif block.language == "python":
                total["python"] += 1
            else:
                for command, _ in commands(block):
                    total["looked up" if looked_up(shlex.split(command)) else "command"] += 1
    print(dict(total))


if __name__ == "__main__":
    main()
