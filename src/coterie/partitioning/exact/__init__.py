"""Proved optima and bounds."""
