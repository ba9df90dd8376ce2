"""What an intruder computes, and how well a model tells the tables apart."""
