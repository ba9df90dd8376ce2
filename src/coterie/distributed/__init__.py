"""Tables larger than memory, on one machine or a Dask cluster: the same stages over parts.

`anonymize` takes Parquet parts and leaves proven Parquet parts. Dask loads only when it is used.
"""

from coterie.distributed.composition import anonymize
from coterie.distributed.written import Written

__all__ = ["Written", "anonymize"]
