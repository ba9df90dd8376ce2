"""``coterie methods``: the methods, what they do and their options."""

from __future__ import annotations

import json as text

import typer

from coterie.cli.options import Json

__all__ = ["command"]


def command(json: Json = False) -> None:
    """List the methods with their options and references."""
    from coterie.partitioning.dispatch import methods

    found = [
        {
            "name": m.name,
            "kind": m.kind,
            "description": m.description,
            "options": m.options,
            "reference": m.reference,
        }
        for m in methods()
    ]
    if json:
        typer.echo(text.dumps(found, indent=2))
        return
    for m in found:
        typer.echo(f"{m['name']:12} {m['description']} [{m['kind']}]")
        for name, rule in m["options"].items():  # type: ignore[attr-defined]
            typer.echo(f"{'':14}{name}: {rule}")
