"""`by_record`: the records of a release from the riskiest on, for those who hold the original."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coterie.errors import ParameterError
from coterie.evaluation.request import case_of
from coterie.evaluation.risk.records import records_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["by_record"]


def by_record(
    original: Any,
    released: Any,
    quasi_identifiers: Any = None,
    confidential: Any = (),
    **asked: Any,
) -> pd.DataFrame:
    """Who is at risk, and why: a row for each record, from the riskiest on.

    Internal: it tells rows of the original. Never publish it.

    Parameters
    ----------
    original, released, quasi_identifiers, confidential, **asked
        As `coterie.evaluate` takes them; ``aligned=True`` or ``match=COLUMN`` must be among them.

    Returns
    -------
    pandas.DataFrame
        ``original_row``, ``linked_percent`` (chance of a right link by all keys), ``class_size``
        (units in the released class), ``alone_on`` (the fewest keys, up to three, on which nobody
        else of the original has the same values) and for each confidential column
        ``..._stands_out`` (how far its value is from the others of its class).

    Examples
    --------
    >>> from coterie.evaluation import by_record
    >>> x, y = [[1.0], [2.0], [9.0], [10.0]], [[1.5], [1.5], [9.0], [10.0]]
    >>> by_record(x, y, aligned=True)["original_row"].tolist()
    [2, 3, 0, 1]
    """
    case = case_of(original, released, quasi_identifiers, confidential, **asked)
    if not case.pair.aligned:
        raise ParameterError(
            "by_record needs to know which released row belongs to which original one. Got "
            "neither aligned=True nor match=COLUMN; give one of them."
        )
    return records_of(case).table()
