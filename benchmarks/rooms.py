"""The house in figures: files and lines by room, what is largest, the way of a record through it.

    dev.py bench rooms                  of this tree
    dev.py bench rooms --source FOLDER  of another one (its src/), for before and after
    dev.py bench rooms --ways           also the ways: files visited and changes of room

A way is walked with a profiler: a file counts once a function of it has been called, and a change
of room each time a function is called for the first time from a function of another room. What
compiled kernels call is not seen, and nor is what only runs while a module is loaded.

Twin code is six lines or more that stand somewhere else as well: comments, docstrings, imports and
blank lines left out, the others as they are, whatever their indentation.
"""

from __future__ import annotations

import argparse
import ast
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
TWIN = 6  # lines

WAY = """
import os, sys, threading
source, what, folder = sys.argv[1:]
package = os.path.join(source, "coterie") + os.sep
files, pairs, last = set(), set(), {}
def place(code):
    name = code.co_filename
    return name[len(package):] if name.startswith(package) else None
def room(path):
    return path.partition(os.sep)[0] if os.sep in path else ""
def watch(frame, event, argument):
    if event != "call" or frame.f_code.co_name == "<module>":
        return
    here = place(frame.f_code)
    if here is None:
        return
    caller, above = None, frame.f_back
    while above is not None:
        if place(above.f_code) is not None:
            if above.f_code.co_name == "<module>":
                return  # while a module is loaded
            caller = caller or above
        above = above.f_back
    files.add(here)
    if caller is not None and room(place(caller.f_code)) != room(here):
        pairs.add((caller.f_code, frame.f_code))
import numpy as np
import coterie
os.chdir(folder)
threading.setprofile(watch)
sys.setprofile(watch)
try:
    if what == "record":
        from coterie.cli.app import run
        keys = [word for name in ("age", "sex", "bmi", "bp") for word in ("-q", name)]
        run(["anonymize", "patients.csv", "-k", "5", *keys, "-o", "out.csv", "--quiet"])
    elif what == "optimize":
        X = np.random.default_rng(0).normal(size=(300, 3))
        coterie.partition(X, 5, "optimize", iterations=3, random_state=0)
    else:
        keys = ["a", "b"]
        coterie.distributed.anonymize(
            "parts", "tiles", 5, keys, method="mdav", tile=2_000, engine="tiles"
        )
finally:
    sys.setprofile(None)
    threading.setprofile(None)
print(len(files), len(pairs))
"""
WAYS = {
    "record": "coterie anonymize patients.csv",
    "optimize": 'partition(method="optimize")',
    "tiles": "a table through tiles",
}


def static(source: Path) -> None:
    """Rooms, functions, parameters."""
    package = source / "coterie"
    files, lines = Counter(), Counter()
    functions, most, largest = [], [], []
    classes = Counter()
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).parts
        room = parts[0] if len(parts) > 1 else "(lobby)"
        text = path.read_text(encoding="utf-8")
        count = len(text.splitlines())
        files[room] += 1
        lines[room] += count
        name = str(path.relative_to(package))
        largest.append((count, name))
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef):
                classes[node.name] += 1
            elif isinstance(node, ast.Assign) and "namedtuple(" in ast.unparse(node.value):
                classes[ast.unparse(node.targets[0])] += 1
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                a = node.args
                given = len(a.posonlyargs) + len(a.args) + len(a.kwonlyargs)
                functions.append((node.end_lineno - node.lineno + 1, f"{name}:{node.name}"))
                most.append((given, f"{name}:{node.name}"))
    for room in sorted(files):
        print(f"{room:15}{files[room]:5} files {lines[room]:7,} lines")
    print(f"{'all':15}{sum(files.values()):5} files {sum(lines.values()):7,} lines")
    for title, found in (
        ("largest file", largest),
        ("longest function", functions),
        ("most parameters", most),
    ):
        found.sort(reverse=True)
        print(f"{title:18}", "; ".join(f"{name} {count}" for count, name in found[:3]))
    print("twin code          {} passages, {} lines".format(*twins(package)))
    print(f"above 300 lines    {sum(count > 300 for count, _ in largest)}")
    print(f"class names twice  {sum(many > 1 for many in classes.values())}")
    print(f"floors             {floors(source.parent)}")
    words = sum(len(p.read_text(encoding="utf-8").split()) for p in docs(source.parent))
    print(f"words in docs/     {words:,}")


def twins(package: Path) -> tuple[int, int]:
    """How many passages stand in another place, too, and their lines; the first place not told."""
    files = {path: code_lines(path) for path in sorted(package.rglob("*.py"))}
    first: dict[tuple[str, ...], tuple[Path, int]] = {}
    again = set()
    for path, lines in files.items():
        for start in range(len(lines) - TWIN + 1):
            where, at = first.setdefault(tuple(lines[start : start + TWIN]), (path, start))
            if where != path or start >= at + TWIN:
                again.update((path, line) for line in range(start, start + TWIN))
    return sum((path, line - 1) not in again for path, line in again), len(again)


def code_lines(path: Path) -> list[str]:
    """What a file does, line by line."""
    text = path.read_text(encoding="utf-8")
    left_out = set()
    for node in ast.walk(ast.parse(text)):
        said = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if said or isinstance(node, ast.Import | ast.ImportFrom):
            left_out.update(range(node.lineno, node.end_lineno + 1))
    lines = ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1))
    return [line for number, line in lines if line and line[0] != "#" and number not in left_out]


def floors(root: Path) -> int:
    """How many floors the tree's own test knows."""
    for node in ast.parse((root / "tests" / "test_rooms.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "FLOORS":
            return len(ast.literal_eval(node.value))
    return 0


def docs(root: Path) -> list[Path]:
    """The pages of the site, without those that are generated."""
    return [p for p in (root / "docs").rglob("*.md") if "measured" not in p.parts]


def ways(source: Path) -> None:
    """Each way, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder))
        env = {"NUMBA_CACHE_DIR": f"{folder}/kernels", **os.environ, "PYTHONPATH": str(source)}
        for name, title in WAYS.items():
            command = [sys.executable, "-c", WAY, str(source), name, folder]
            done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
            last = (done.stdout or done.stderr).strip().splitlines()[-1]
            print(f"{title:32} {last.replace(' ', ' files, ')} changes of room", flush=True)


def make(folder: Path) -> None:
    """The tables that the ways are walked with."""
    import numpy as np
    import pandas as pd
    from sklearn.datasets import load_diabetes

    load_diabetes(as_frame=True)["data"].to_csv(folder / "patients.csv", index=False)
    (folder / "parts").mkdir()
    rng = np.random.default_rng(0)
    for part in range(4):
        table = pd.DataFrame(rng.normal(size=(2_500, 2)), columns=["a", "b"])
        table.to_parquet(folder / "parts" / f"{part}.parquet")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--source", type=Path, default=ROOT / "src")
    parser.add_argument("--ways", action="store_true")
    given = parser.parse_args()
    static(given.source.resolve())
    if given.ways:
        ways(given.source.resolve())


if __name__ == "__main__":
    main()
