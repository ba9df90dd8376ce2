"""Partitions that improve: moves, descent, perturbation, acceptance, annealing."""
