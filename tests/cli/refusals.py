"""Refusals of the command line, a hundred kinds: each ends with an error of one line and code 2.

``python -m tests.cli.refusals COUNT`` makes so many of them, one kind after the other, each in an
interpreter of its own, and tells how many ended otherwise. With ``--forked`` they share what was
loaded, and take a fifth of the time.
"""

from __future__ import annotations

import argparse
import atexit
import contextlib
import itertools
import os
import random
import shlex
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

K3 = "-k 3 -q age -q income"
SAFE = f"people.csv {K3} --drop name"
OUT = "-o out.csv"

KINDS = [
    # how it is called
    "",
    "anonymise people.csv",
    "anonymize",
    "anonymize people.csv more.csv",
    f"anonymize {SAFE} {OUT} --colour red",
    f"anonymize {SAFE} {OUT} -q",
    f"anonymize {SAFE}",
    "verify",
    "verify people.csv",
    "verify people.csv -k 3",
    "verify people.csv -k three -q age",
    "verify people.csv -k 0 -q age",
    "evaluate people.csv",
    "compare people.csv",
    "tune people.csv",
    "init",
    "methods all",
    "demo --now",
    # what is read
    f"anonymize none.csv {K3} {OUT}",
    f"anonymize . {K3} {OUT}",
    f"anonymize empty.csv {K3} {OUT}",
    f"anonymize blank.csv {K3} {OUT}",
    f"anonymize ragged.csv {K3} {OUT}",
    f"anonymize twice.csv {K3} {OUT}",
    f"anonymize header.csv {K3} {OUT}",
    f"anonymize bytes.parquet {K3} {OUT}",
    f"anonymize bytes.feather {K3} {OUT}",
    f"anonymize bytes.xlsx {K3} {OUT}",
    f"anonymize bytes.sav {K3} {OUT}",
    f"anonymize people.doc {K3} {OUT}",
    f"anonymize {SAFE} {OUT} --delimiter ab",
    f"anonymize {SAFE} {OUT} --encoding klingon",
    f"anonymize people.parquet {K3} {OUT} --delimiter ,",
    f"anonymize {SAFE} {OUT} --format word",
    # its columns
    f"anonymize people.csv -k 3 -q agee {OUT}",
    f"anonymize people.csv -k 3 {OUT}",
    f"anonymize people.csv {K3} {OUT}",
    f"anonymize {SAFE} -q age {OUT}",
    f"anonymize {SAFE} --drop age {OUT}",
    f"anonymize {SAFE} --drop nobody {OUT}",
    f"anonymize {SAFE} --confidential nothing {OUT}",
    f"anonymize {SAFE} --unit nobody {OUT}",
    f"anonymize {SAFE} --strata nowhere {OUT}",
    f"anonymize {SAFE} --strata name {OUT}",
    f"anonymize {SAFE} --weight region {OUT}",
    f"anonymize {SAFE} --type age {OUT}",
    f"anonymize {SAFE} --type age=long {OUT}",
    f"anonymize {SAFE} --type region=number {OUT}",
    f"anonymize {SAFE} --order region=north {OUT}",
    f"anonymize {SAFE} --transform age=cube {OUT}",
    f"anonymize {SAFE} --attribute-weight age=-1 {OUT}",
    f"anonymize gaps.csv -k 3 -q age -q income {OUT}",
    f"anonymize gaps.csv -k 3 -q age --missing perhaps {OUT}",
    f"anonymize infinite.csv -k 3 -q age -q income {OUT}",
    # what is asked
    f"anonymize {SAFE.replace('-k 3', '-k 1')} {OUT}",
    f"anonymize {SAFE.replace('-k 3', '-k 61')} {OUT}",
    f"anonymize {SAFE.replace('-k 3', '-k 2.5')} {OUT}",
    f"anonymize {SAFE} --strata region --small-strata perhaps {OUT}",
    f"anonymize {SAFE} --method fastest {OUT}",
    f"anonymize {SAFE} --method mdav --time-limit 3 {OUT}",
    f"anonymize {SAFE} --time-limit soon {OUT}",
    f"anonymize {SAFE} --seed -1 {OUT}",
    f"anonymize {SAFE} --iterations 0 {OUT}",
    f"anonymize {SAFE} --aggregation middle {OUT}",
    f"anonymize {SAFE} --delta 0.1 {OUT}",
    f"anonymize {SAFE} --aggregation p3m --alpha 2 {OUT}",
    f"anonymize {SAFE} --min-distinct 2 {OUT}",
    f"anonymize {SAFE} --confidential diagnosis --min-distinct 9 {OUT}",
    f"anonymize {SAFE} --confidential diagnosis --max-share 0.001 {OUT}",
    f"anonymize {SAFE} --confidential income --dominance 1 {OUT}",
    f"anonymize {SAFE} --on-violation shrug {OUT}",
    f"anonymize {SAFE} --rule 'age >=' {OUT}",
    f"anonymize {SAFE} --rule 'agee >= 0' {OUT}",
    f"anonymize {SAFE} --rule 'age >= 1000' {OUT}",
    # earlier releases
    f"anonymize {SAFE} --previous plain.csv --match name {OUT}",
    f"anonymize {SAFE} --previous people.csv {OUT}",
    f"anonymize {SAFE} --previous none.csv {OUT}",
    f"anonymize {SAFE} --previous damaged.csv {OUT}",
    f"anonymize {SAFE} --match name {OUT}",
    f"anonymize {SAFE} --previous plain.csv --departed stay {OUT}",
    # what is written
    f"anonymize {SAFE} -o people.csv",
    f"anonymize {SAFE} -o .",
    f"anonymize {SAFE} -o none/out.csv",
    f"anonymize {SAFE} -o new.csv/",
    f"anonymize {SAFE} -o out.doc",
    f"anonymize {SAFE} -o out.sas7bdat",
    f"anonymize {SAFE} {OUT} --evidence out.csv",
    f"anonymize {SAFE} {OUT} --evidence out.pdf",
    f"anonymize {SAFE} {OUT} --report out.txt",
    f"anonymize {SAFE} {OUT} --report out.html --report-kind secret",
    f"anonymize {SAFE} {OUT} --metadata sheet.txt",
    f"anonymize {SAFE} {OUT} --dossier .",
    f"anonymize {SAFE} {OUT} --threshold nonsense",
    # settings, engines
    f"anonymize people.csv --config none.toml {OUT}",
    f"anonymize people.csv --config broken.toml {OUT}",
    f"anonymize people.csv --config unknown.toml {OUT}",
    f"anonymize {SAFE} {OUT} --engine cloud",
    f"anonymize {SAFE} {OUT} --tile 100",
    f"anonymize people.parquet {K3} -o out --engine tiles --aggregation p3m --delta 0.1",
    f"anonymize people.parquet {K3} -o out --engine tiles --tile 2",
    # the other commands
    "verify people.csv -k 3 -q agee",
    "verify none.csv -k 3 -q age",
    "verify people.csv -k 3 -q age --strata nowhere",
    "verify people.csv -k 3 -q age --min-distinct 2",
    "verify people.csv -k 3 -q region --rule 'age >'",
    "evaluate people.csv none.csv -q age",
    "evaluate people.csv ragged.csv -q age --aligned",
    "evaluate people.csv people.csv -q agee --aligned",
    "evaluate people.csv people.csv -q age --aligned --measure goodness",
    "evaluate people.csv people.csv -q age --match region",
    "evaluate people.csv people.csv -q age --crosswalk damaged.csv",
    f"compare people.csv {K3} --methods fastest",
    "compare people.csv -k 99 -q age --methods mdav",
    f"compare {SAFE} --methods mdav,md --time-limit 1",
    f"tune {SAFE} --methods mdav --threshold il=50 --iterations 9",
    "tune people.csv -k 3 -q region",
    "tune people.csv -k 3 -q age -q income --methods fastest",
    "tune people.csv -k 3 -q age -q income --alpha high",
    "init none.csv",
    "init people.csv -o people.csv",
]


@dataclass(frozen=True)
class Ending:
    """How a command ended."""

    command: str
    code: int
    told: str

    @property
    def is_refusal(self) -> bool:
        lines = self.told.splitlines()
        errors = [line for line in lines if line.startswith("coterie: ")]
        return self.code == 2 and len(errors) == 1 and errors[0] == lines[-1]


def write_files(folder: Path) -> None:
    """What the commands are called with."""
    import pyarrow as pa
    from pyarrow import parquet

    draw = random.Random(0)
    people = {
        "name": [f"Person {i}" for i in range(60)],
        "age": [draw.randint(18, 90) for _ in range(60)],
        "income": [round(draw.lognormvariate(10, 0.5), 2) for _ in range(60)],
        "region": [draw.choice(["north", "south"]) for _ in range(60)],
        "diagnosis": [draw.choice(["flu", "none"]) for _ in range(60)],
    }
    rows = list(zip(*people.values(), strict=True))
    texts = {
        "people.csv": [tuple(people), *rows],
        "header.csv": [tuple(people)],
        "twice.csv": [("age", "age"), *((row[1], row[1]) for row in rows)],
        "ragged.csv": [tuple(people), rows[0], rows[1][:2], *rows[2:]],
        "gaps.csv": [("age", "income"), ("", "1.5"), *(row[1:3] for row in rows[1:])],
        "infinite.csv": [("age", "income"), ("inf", "1.5"), *(row[1:3] for row in rows[1:])],
        "plain.csv": [("original_row", "records", "class"), *((i, 60, i // 3) for i in range(60))],
        "damaged.csv": [("original_row", "records", "class"), *((7, 60, 0) for _ in range(60))],
    }
    for name, lines in texts.items():
        (folder / name).write_text("".join(",".join(map(str, line)) + "\n" for line in lines))
    (folder / "empty.csv").write_text("")
    (folder / "blank.csv").write_text(" \n \n")
    (folder / "people.doc").write_text("text")
    for extension in ("parquet", "feather", "xlsx", "sav"):
        (folder / f"bytes.{extension}").write_bytes(bytes(range(256)) * 4)
    parquet.write_table(
        pa.table({name: people[name] for name in ("age", "income")}), folder / "people.parquet"
    )
    (folder / "broken.toml").write_text("k = = 3\n")
    (folder / "unknown.toml").write_text('k = 3\nquasi_identifier = ["age"]\n')


def fresh(command: str, folder: Path) -> Ending:
    """Run one command in an interpreter of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "coterie", *shlex.split(command)],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return Ending(command, done.returncode, done.stderr)


def forked(command: str, folder: Path) -> Ending:
    """Run one command in a copy of this process, which ends as a command does."""
    with tempfile.TemporaryFile("w+") as told, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of native threads, which wait
        child = os.fork()
        if not child:
            with contextlib.suppress(BaseException):
                atexit._clear()  # what this process is to do at its end, not the copy
                os.chdir(folder)
                os.dup2(os.open(os.devnull, os.O_RDWR), 0)
                os.dup2(os.open(os.devnull, os.O_RDWR), 1)
                os.dup2(told.fileno(), 2)
                from coterie.cli.process import program

                sys.argv = ["coterie", *shlex.split(command)]
                program()
            os._exit(99)  # never reached
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        told.seek(0)
        return Ending(command, code, told.read())


def endings(commands: Sequence[str], share: bool) -> Iterator[Ending]:
    """Run the commands one after the other on the same files, which none of them may change."""
    if share:
        import coterie.cli.app
        import coterie.pipeline
        import coterie.table.read  # noqa: F401
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder)
        kept = {path.name: path.read_bytes() for path in folder.iterdir()}
        for command in commands:
            yield (forked if share else fresh)(command, folder)
        left = {path.name: path.read_bytes() for path in folder.iterdir()}
        assert left == kept, "a refusal has written something"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=len(KINDS))
    parser.add_argument("--forked", action="store_true")
    asked = parser.parse_args()
    commands = list(itertools.islice(itertools.cycle(KINDS), asked.count))
    others = 0
    for ending in endings(commands, asked.forked):
        if not ending.is_refusal:
            others += 1
            print(f"{ending.code}: coterie {ending.command}\n{ending.told}", flush=True)
    print(f"{len(commands)} refusals of {len(set(commands))} kinds: {others} ended otherwise")
    return 1 if others else 0


if __name__ == "__main__":
    sys.exit(main())
