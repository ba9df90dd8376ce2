"""Optimal groups: subsets of a few records, and columns that are worth their price."""
