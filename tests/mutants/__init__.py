"""Small changes of the source, one at a time: those that no test notices are listed.

make mutants ROOM=partitioning                  a sample of 60, drawn by a seed
make mutants ROOM=partitioning ARGS="--most 0"  all of them: hours
"""
