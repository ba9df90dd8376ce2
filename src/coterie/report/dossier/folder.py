"""A dossier as a folder: written beside its place and renamed, so that it is whole or not there."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coterie.partitioning.driver import Progress
from coterie.report.dossier.board import board
from coterie.report.dossier.metadata import metadata, render
from coterie.report.dossier.replay import SETTINGS
from coterie.report.page import page
from coterie.report.plain import legible
from coterie.table import atomic

if TYPE_CHECKING:
    from coterie.pipeline.release import ReleaseFacts

__all__ = ["write_dossier"]

README = """\
dossier.html, dossier.json   for the review board. Internal: extremes, rare categories, the seed.
settings.toml                makes the release again. Internal.
public/metadata.xml, .json   describe the release (DDI Codebook 2.5 structure). May be published.
public/evidence.json         what was done and found. May be published.
"""


def write_dossier(
    release: ReleaseFacts,
    folder: str | os.PathLike[str],
    thresholds: Mapping[str, float] | None = None,
    k: Iterable[int] | None = None,
    *,
    output: str = "",
    title: str = "",
    callback: Callable[[Progress], object] | None = None,
) -> dict[str, Any]:
    """Write what a review board signs, and what may go with the release.

    Parameters
    ----------
    release : Release or Written
        Made by `coterie.anonymize` or `coterie.distributed.anonymize`.
    folder : str or path
        A folder that does not exist yet, or an empty one: a signed dossier is never overwritten.
    thresholds, k, output, title, callback
        As for `board`.

    Returns
    -------
    dict
        What `board` gathered.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import coterie
    >>> r = coterie.anonymize(coterie.datasets.diabetes(), 5, ["age", "bmi"], method="mdav")
    >>> with tempfile.TemporaryDirectory() as place:
    ...     _ = coterie.write_dossier(r, pathlib.Path(place, "dossier"), k=[5])
    ...     sorted(path.name for path in pathlib.Path(place, "dossier").iterdir())
    ['README.txt', 'dossier.html', 'dossier.json', 'public', 'settings.toml']
    """
    atomic.check_folder(Path(os.path.realpath(folder)), str(folder))
    found = board(release, thresholds, k, output=output, title=title, callback=callback)
    sheet = metadata(release, title=title, file=output)
    texts = {
        "dossier.html": page("dossier.html", legible(found), _pictures(found)),
        "dossier.json": json.dumps(found, indent=1, ensure_ascii=False, allow_nan=False) + "\n",
        SETTINGS: found["replay"]["settings"],
        "README.txt": README,
        "public/metadata.xml": render(sheet, ".xml"),
        "public/metadata.json": render(sheet, ".json"),
        "public/evidence.json": release.evidence.json("public") + "\n",
    }
    with atomic.folder(folder) as place:
        try:
            (place / "public").mkdir()
            for name, text in texts.items():
                (place / name).write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:
            raise atomic.cannot_write(str(folder), error) from error
    return found


def _pictures(found: Mapping[str, Any]) -> dict[str, Any]:
    """The sizes of the classes, and loss and risk over k."""
    from coterie.report import plots as plotting
    from coterie.report.plots.svg import inline_svg

    what = "units" if found["figures"]["unit"] else "records"
    sizes = [(name, number) for name, number in found["sizes"]]
    text = "; ".join(f"{number:,} of {name} {what}" for name, number in sizes)
    axes = plotting.group_sizes(sizes, what=what)
    drawn = {"sizes": inline_svg(axes, "sizes", "Number of classes by size", text)}
    rows = [row for row in found["sweep"] if not row["refused"]]
    curves = {
        "loss": [row["information_loss"] for row in rows],
        "risk": [row["measures"]["dld_expected"] for row in rows],
    }
    if len(rows) > 1:
        axes = plotting.over_k([row["k"] for row in rows], **curves, chosen=found["figures"]["k"])
        reported = [
            f"k = {row['k']}: {row['information_loss']:.2g} % lost"
            + (f", {linked:.2g} % linked" if linked is not None else "")
            for row, linked in zip(rows, curves["risk"], strict=True)
        ]
        drawn["sweep"] = inline_svg(axes, "sweep", "Loss and risk over k", "; ".join(reported))
    return drawn
