"""Bounds and proved optima on the reference data."""
