"""The demonstration behind ``make demo``: an embedded table, protected by every method."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table

import coterie
from coterie.datasets import diabetes

__all__ = ["main"]

KEYS = ["age", "sex", "bmi", "bp"]
SIZES = (3, 5, 10)


def main() -> None:
    """Partition the diabetes patients by each method and print what each one loses."""
    console = Console()
    patients = diabetes()
    X = coterie.standardise(patients[KEYS])
    table = Table(title=f"{len(patients)} diabetes patients grouped on {', '.join(KEYS)}")
    table.add_column("method")
    table.add_column("how", style="dim")
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
            method.description,
            *(f"{p.information_loss:.2f} %" for p in made),
            f"{min(p.sizes.min() for p in made)}..{max(p.sizes.max() for p in made)}",
            f"{1000 * sum(p.runtime or 0.0 for p in made):.1f}",
        )
    console.print(table)
    console.print(
        "Information loss: the share of the variation of the keys that the groups' centroids do "
        "not keep (100 SSE / SST).\nEach patient shares the released keys with at least k - 1 "
        "others."
    )


if __name__ == "__main__":
    main()
