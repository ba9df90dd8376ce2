"""Tables that no memory need hold, on every engine; each run leaves a file in results/."""
