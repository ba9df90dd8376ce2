"""The demonstration behind ``make demo``: an embedded table, compared, protected and written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import coterie
from coterie.cli.summary import release_table
from coterie.datasets import diabetes

__all__ = ["main"]

KEYS = ["age", "sex", "bmi", "bp"]
SERUM = ["s1", "s2", "s3", "s4", "s5", "s6", "progression"]
SIZES = (3, 5, 10)


def main(folder: str = "demo") -> None:
    """Compare the methods on the diabetes patients, then protect and write the table."""
    console = Console()
    patients = diabetes()
    console.print(compared(patients))
    console.print(
        "Percent of the variation of the keys that is lost (100 SSE / SST); searches are held to "
        "200 iterations here.\n"
    )
    release = coterie.anonymize(
        patients, 5, KEYS, confidential=SERUM, types={"sex": "nominal"}, random_state=0
    )
    target = Path(folder)
    target.mkdir(exist_ok=True)
    release.write(target / "released.csv")
    for kind in ("internal", "public"):
        (target / f"evidence-{kind}.json").write_text(release.evidence.json(kind) + "\n")
    console.print(f"The {len(patients)} patients protected at k = 5:\n", style="bold")
    release_table(release, str(target / "released.csv"))
    console.print(f"\nLook at {target}/released.csv and {target}/evidence-public.json.")


def compared(patients: Any) -> Table:
    """A table of what each method loses, how large its groups are and how long it takes."""
    X = coterie.standardise(patients[KEYS])
    table = Table(title=f"{len(patients)} diabetes patients grouped on {', '.join(KEYS)}")
    table.add_column("method")
    table.add_column("kind", style="dim")
    for k in SIZES:
        table.add_column(f"k = {k}", justify="right")
    table.add_column("groups of", justify="right")
    table.add_column("ms", justify="right")
    for method in coterie.methods():
        if method.kind == "exact":
            continue  # it proves one attribute, or few records
        brief: dict[str, Any] = {"iterations": 200} if method.anytime else {}
        made = [coterie.partition(X, k, method.name, random_state=0, **brief) for k in SIZES]
        table.add_row(
            method.name,
            method.kind,
            *(f"{p.information_loss:.2f} %" for p in made),
            f"{min(p.sizes.min() for p in made)}..{max(p.sizes.max() for p in made)}",
            f"{1000 * sum(p.runtime or 0.0 for p in made):.1f}",
        )
    return table


if __name__ == "__main__":
    main()
