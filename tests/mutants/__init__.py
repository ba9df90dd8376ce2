"""Small changes of the source, one at a time: those that no test notices are listed.

make mutants ROOM=partitioning ARGS=--published    formulas and constants of publications
make mutants ROOM=partitioning                     a sample of 60 others, drawn by a seed
"""
