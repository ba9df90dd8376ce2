"""`optimize` in phases: start, annealing, regions, columns; `search` composes them."""
