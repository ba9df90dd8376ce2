"""Tables in and out: reading, writing, and what each column is.

`read` gives a `Source`, `infer` its `Schema`, `write` puts a released table into a file that is
read back and proven before it takes the target's name. pandas, polars, pyarrow and the packages of
the file formats load only when a table needs them.
"""

from coterie.table.infer import infer
from coterie.table.read import read
from coterie.table.schema import Attribute, Schema
from coterie.table.source import Source
from coterie.table.suspects import Suspect, suspects
from coterie.table.write import write

__all__ = ["Attribute", "Schema", "Source", "Suspect", "infer", "read", "suspects", "write"]
