"""The one space: coordinates, distances and loss of every type of attribute.

`Space` is fitted from moments and counts that add up over the parts of a table; it gives the search
its coordinates and the judge its own. `Loss` is what is told of a release: the squared distance of
the released values, by type, over that of the best single value for everybody.
"""

from coterie.space.axis import NOMINAL, Hot, Line, transformed
from coterie.space.fit import Axis, Space, Summary, Values, standardize
from coterie.space.loss import KeyLoss, Loss, Stake, shares_of
from coterie.space.tally import GENERALIZED, LossTally, generalized_tally, tally_of
from coterie.space.trees import Tree

__all__ = [
    "GENERALIZED",
    "NOMINAL",
    "Axis",
    "Hot",
    "KeyLoss",
    "Line",
    "Loss",
    "LossTally",
    "Space",
    "Stake",
    "Summary",
    "Tree",
    "Values",
    "generalized_tally",
    "shares_of",
    "standardize",
    "tally_of",
    "transformed",
]
