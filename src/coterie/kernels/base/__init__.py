"""What every kernel may use: decorators, random numbers, records that remain, moving groups."""
