"""The demonstration behind ``make demo``: an embedded table, protected, written and reported."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import Any

from rich.console import Console

import coterie
from coterie.cli.progress import bar
from coterie.datasets import diabetes
from coterie.report import comparison_summary, summary, terminal, write
from coterie.tuning import compare

__all__ = ["main"]

KEYS = ["age", "sex", "bmi", "bp"]
SERUM = ["s1", "s2", "s3", "s4", "s5", "s6", "progression"]
SIZES = (3, 5, 10)
METHOD = "auto"
METHODS = ("mdav", "mdav-mhm", "auto")
WRITTEN = {
    "report.html": "the report for those who hold the original: open it in a browser",
    "report-public.html": "the one that may be published with the release",
    "dossier/dossier.html": "what a review board signs; dossier/public may be published",
    "released.csv": "the protected table",
    "comparison.html": "methods and k beside each other, risk against loss",
    "evidence-internal.json": "what was done and found; evidence-public.json may be published",
}


def main(folder: str = "demo") -> None:
    """Protect the diabetes patients, write the release and its reports, compare methods."""
    console = Console()
    began = time.perf_counter()
    patients = diabetes()
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    console.print(
        f"Protecting {len(patients)} diabetes patients at k = 5: keys {', '.join(KEYS)}; the serum "
        "measures are confidential. The first run compiles for a while.\n"
    )
    roles: dict[str, Any] = {"confidential": SERUM, "types": {"sex": "nominal"}, "random_state": 0}
    rules = ["19 <= age <= 80", "bmi >= 10", "bp >= 40"]
    with bar(quiet=False) as callback:
        release = coterie.anonymize(
            patients, 5, KEYS, method=METHOD, rules=rules, callback=callback, **roles
        )
        release.write(target / "released.csv")
        for kind in ("internal", "public"):
            text = release.evidence.json(kind) + "\n"
            (target / f"evidence-{kind}.json").write_text(text, encoding="utf-8")
        reported = summary(release, callback=callback)
        write(reported, target / "report.html")
        release.report(target / "report-public.html", "public")
        if (target / "dossier" / "dossier.json").exists():  # of an earlier demonstration
            shutil.rmtree(target / "dossier")
        coterie.write_dossier(
            release,
            target / "dossier",
            {"dld_expected": 20, "distinct_l": 2},
            output="released.csv",
            title="442 diabetes patients",
            callback=callback,
        )
        found = compare(patients, list(SIZES), list(METHODS), KEYS, callback=callback, **roles)
    compared = comparison_summary(found, KEYS, source="diabetes patients")
    write(compared, target / "comparison.html")
    console.print(terminal(reported))
    console.print()
    console.print(terminal(compared))
    console.print(f"\nDone in {time.perf_counter() - began:.1f} s. Where to look:", style="bold")
    for name, what in WRITTEN.items():
        console.print(f"  {(target / name).as_posix():<30} {what}", highlight=False, soft_wrap=True)


if __name__ == "__main__":
    main()
