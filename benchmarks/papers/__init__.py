"""The published tables, theirs beside ours. `python3 dev.py bench papers` runs them all."""
