"""Seconds, work and memory: ours beside the alternative, in one run."""
