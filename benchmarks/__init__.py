"""Benchmarks: what was measured, beside what was published."""
