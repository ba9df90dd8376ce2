"""Run every comparison with a publication: python3 dev.py bench papers [--quick].

Each file here with a `main(arguments)` is one publication; all of them know ``--quick``.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).parent


def main(arguments: list[str]) -> None:
    """Run the `main(arguments)` of every file here that has one."""
    for path in sorted(HERE.glob("*.py")):
        if path.name[0] == "_":
            continue
        module = import_module(f"benchmarks.papers.{path.stem}")
        if hasattr(module, "main"):
            module.main(arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
