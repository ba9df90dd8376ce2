"""How many persons a predicate holds for: conditions on single columns, all of which must hold.

Entry point: `count`. A condition names a column, an operator and a value; a gap is not a number and
meets no comparison. A predicate costs at most a pass over the rows and ends as soon as it holds for
more of them than matter. A person may have several rows, one after the other: she counts once.
"""

import numpy as np

from coterie.kernels.base.jit import kernel

__all__ = ["AT_LEAST", "AT_MOST", "EQUAL", "MISSING", "count"]

EQUAL, AT_MOST, AT_LEAST, MISSING = 0, 1, 2, 3


@kernel
def count(
    rows,  # (n, d): values, not a number at gaps; those of a person stand together
    owners,  # (n,): the person of each row, at least 0
    columns,  # (q, c): columns of the conditions of each predicate
    operators,  # (q, c)
    values,  # (q, c)
    most,  # persons after which counting a predicate ends
    found,  # out (q,): for how many persons each holds, at most `most`
):
    """Count the persons with a row that meets each predicate."""
    n = rows.shape[0]
    for q in range(columns.shape[0]):
        held = np.int64(0)
        last = np.int64(-1)
        for r in range(n):
            holds = True
            for c in range(columns.shape[1]):
                value = rows[r, columns[q, c]]
                operator = operators[q, c]
                if operator == EQUAL:
                    holds = value == values[q, c]
                elif operator == AT_MOST:
                    holds = value <= values[q, c]
                elif operator == AT_LEAST:
                    holds = value >= values[q, c]
                else:
                    holds = value != value
                if not holds:
                    break
            if holds and owners[r] != last:
                last = owners[r]
                held += 1
                if held >= most:
                    break
        found[q] = held
