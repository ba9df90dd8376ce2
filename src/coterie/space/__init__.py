"""The one space: coordinates, distances and loss of every type of attribute.

`Space` is fitted from moments and counts that add up over the parts of a table; it gives the search
its coordinates and the judge its own. `Loss` is what is told of a release: the squared distance of
the released values, by type, over that of the best single value for everybody.
"""

from coterie.space.axis import NOMINAL, Axis, Hot, Line, transformed
from coterie.space.fit import (
    MOST_CATEGORIES,
    Space,
    Summary,
    Values,
    check_categories,
    standardise,
)
from coterie.space.loss import KeyLoss, Loss, Tally, tally_of

__all__ = [
    "MOST_CATEGORIES",
    "NOMINAL",
    "Axis",
    "Hot",
    "KeyLoss",
    "Line",
    "Loss",
    "Space",
    "Summary",
    "Tally",
    "Values",
    "check_categories",
    "standardise",
    "tally_of",
    "transformed",
]
