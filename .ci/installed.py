"""What an installed coterie must do by itself: the demonstration, and a command for each format.

Run by `dev.py wheel` with the interpreter of an environment that holds the wheel and what it
requires, in an empty folder: ``python -I installed.py [EXTRA]``.
"""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from pathlib import Path

import coterie

PLAIN = ("csv", "parquet", "feather")
EXTRA = ("xlsx", "sav", "dta", "xpt")  # Excel, SPSS, Stata and SAS
KEYS = ("-k", "5", "-q", "age", "-q", "bmi")
COMMAND = Path(sys.executable).with_name("coterie")


def run(*arguments: str, code: int = 0) -> str:
    done = subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == code, f"{arguments}: {done.returncode}\n{done.stdout}{done.stderr}"
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout + done.stderr


def check_package() -> None:
    home = Path(coterie.__file__).parent
    assert home.is_relative_to(sys.prefix), f"coterie was taken from {home}"
    assert (home / "py.typed").is_file()
    version = importlib.metadata.version("coterie")
    assert version == coterie.__version__
    assert run("--version").split() == ["coterie", version]


def check_demo() -> None:
    run("demo")
    written = {path.name for path in Path("demo").iterdir()}
    assert {"released.csv", "report.html"} <= written, written


def check_formats(formats: tuple[str, ...]) -> None:
    """Each is written from the one before it, then read and proved."""
    source = "patients.csv"
    coterie.datasets.diabetes().to_csv(source, index=False)
    for extension in formats:
        target = f"released.{extension}"
        run("anonymize", source, *KEYS, "--method", "mdav", "-o", target, "--quiet")
        assert "k-anonymous on age, bmi" in run("verify", target, *KEYS)
        source = target


def check_refusals() -> None:
    """Without the extra, its name is told."""
    for extension in EXTRA:
        told = run("anonymize", "patients.csv", *KEYS, "-o", f"refused.{extension}", code=2)
        assert 'pip install "coterie[formats]"' in told, told


def main() -> None:
    if "EXTRA" in sys.argv:
        check_formats(PLAIN + EXTRA)
        print("formats: " + ", ".join(PLAIN + EXTRA))
        return
    check_package()
    check_demo()
    check_formats(PLAIN)
    check_refusals()
    print("coterie " + coterie.__version__ + ", demo, formats: " + ", ".join(PLAIN))


if __name__ == "__main__":
    main()
