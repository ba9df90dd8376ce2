"""From groups to released values: mean, median, mode, labels, P3M; and rules that they keep."""
