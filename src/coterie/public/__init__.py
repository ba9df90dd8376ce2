"""What everybody may know: statistics that at least k units share, and not more digits of them.

Everything public passes through this module: the public kind of evidence and report, and the sheet
of metadata. Who reads it is taken to have the release too, and to subtract whatever can be
subtracted. The rules, with the reason for each:

- **What is asked and what is released** (k, names, method, sizes of classes, statistics of released
  keys) is told as it is: the release says the same.
- **A number of records of the original** is told by its cell of a grid, never exactly. A cell holds
  `base` numbers: one more than the records that any k - 1 units have together, k where each
  record is a unit. Cells begin at 0 and at multiples of `base`, so nobody is told apart from
  nobody: "fewer than k" may be none. Differences to numbers that are known exactly, such as those
  of the release, are then known to within `base` numbers in a row, and none such lies within
  1 .. base - 1: that fewer than k units differ can never be concluded. Of numbers that add up to a
  known total all but one are told so, and that one is what is left: it says nothing that the others
  and the total do not say, and every sum and difference of them is at least as wide as one of them.
- **A share of the records** is told on a grid whose steps are at least `base` records wide. The
  first and the last cell are half a step wider, and told as limits: less than, more than. A
  complement is a share of the same cell.
- **A sum over records** (a loss, a mean, a correlation) can be the work of few: the square of one
  large value is most of a variance. It is told on a grid whose step is at least what the k - 1
  units that matter most add to it. Whoever knows what all other units add finds what these have
  added only to within a step, that is to within as much as it is; where that leaves nothing,
  nothing is told.
- **One figure for one secret.** Figures of the same sums on grids of their own could be laid upon
  each other. The standard deviation of the original follows from that of the release and the loss,
  so the loss alone is told; measures that compare moments or whole distributions, the course of
  the search and its bound are left out.
- **Nothing else.** A name that is not on the list of a document is not in it.
"""

from coterie.public.influence import Influence, Largest, of_correlations, of_mean
from coterie.public.names import DIGITS, EVIDENCE, METADATA, REPORT, few_digits, listed
from coterie.public.rule import KINDS, MEASURES, NOT_REPORTED, DocumentRule, rounded_to, words_of

__all__ = [
    "DIGITS",
    "EVIDENCE",
    "KINDS",
    "MEASURES",
    "METADATA",
    "NOT_REPORTED",
    "REPORT",
    "DocumentRule",
    "Influence",
    "Largest",
    "few_digits",
    "listed",
    "of_correlations",
    "of_mean",
    "rounded_to",
    "words_of",
]
