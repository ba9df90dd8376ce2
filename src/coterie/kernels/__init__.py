"""Compiled loops: arrays in, arrays out, no pandas and no validation.

Every file here imports only NumPy, `coterie.kernels.base.jit` and its neighbors. Callers import a
kernel inside the function that runs it, so that listing methods or reading help never loads Numba.
"""
