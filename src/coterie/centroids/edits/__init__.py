"""Edit rules: what must hold in every record, read, checked for contradictions, and kept.

A rule is a linear equation or inequality over columns: a bound (``income >= 0``), a sum
(``total == a + b + c``), a comparison (``net <= gross``). `read_rules` reads them, `feasible` finds
those that contradict each other, `check` counts the records that break them, and `keep` moves the
centroids of groups as little as need be until they hold.
"""

from coterie.centroids.edits.check import Check, RuleBroken, check
from coterie.centroids.edits.feasible import refuse_contradictions
from coterie.centroids.edits.rule import Rule, read_rules

__all__ = ["Check", "Rule", "RuleBroken", "check", "read_rules", "refuse_contradictions"]
