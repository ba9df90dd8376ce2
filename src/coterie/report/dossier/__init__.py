"""The dossier: what a review board reads and signs before a release leaves the house.

`board` gathers it as plain data, `write_dossier` writes the folder, whole or not at all;
`metadata` describes a release for everybody, as JSON or as a DDI codebook.
"""

from coterie.report.dossier.board import board
from coterie.report.dossier.folder import write_dossier
from coterie.report.dossier.metadata import metadata, write_metadata

__all__ = ["board", "metadata", "write_dossier", "write_metadata"]
