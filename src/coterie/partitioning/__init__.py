"""Groups of similar records, at least k to a group: methods, their registry and their driver."""

from coterie.partitioning.core import Partition
from coterie.partitioning.dispatch import methods, partition
from coterie.partitioning.path.mhm import mhm

__all__ = ["Partition", "methods", "mhm", "partition"]
