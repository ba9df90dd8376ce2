"""Random tables, files and plans, and an independent judge of what coterie makes of them.

`contents`, `dress`, `names`, `plans` and `cases` make a case from choices alone: from a seeded
generator, many a second, or from Hypothesis, which shrinks what it finds. `attempts` runs a case
through coterie's public entry points; `grid` reads what came out with other libraries; `checker`
judges it with `originals` and `limits`. None of these three know coterie. `python -m tests.fuzz`
(``make fuzz``) does that for a while in worker processes under a watchdog.
"""
