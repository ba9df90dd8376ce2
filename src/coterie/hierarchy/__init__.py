"""Hierarchies: the tree behind a column's codes, from a rule, a file or a mapping.

A `Hierarchy` gives every value its path, from the value itself up to the root. Distances and losses
count the levels of that path; a generalized release shows a label on it.
"""

from coterie.hierarchy.checker import found_in, of_paths
from coterie.hierarchy.files import read_levels, write_levels
from coterie.hierarchy.rule import RULE, build, check_rule
from coterie.hierarchy.tree import ROOT, Hierarchy

__all__ = [
    "ROOT",
    "RULE",
    "Hierarchy",
    "build",
    "check_rule",
    "found_in",
    "of_paths",
    "read_levels",
    "write_levels",
]
