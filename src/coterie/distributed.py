"""Tables larger than memory, on one machine or a cluster: the public names of the parted pipeline.

`anonymize` takes files or a lazy table and leaves a proven release in files; the stages are those
of `coterie.pipeline`, mapped over parts by an engine.
"""

from coterie.pipeline.parted import anonymize
from coterie.pipeline.written import Written

__all__ = ["Written", "anonymize"]
