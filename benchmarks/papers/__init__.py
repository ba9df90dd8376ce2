"""Published tables, theirs beside ours."""
