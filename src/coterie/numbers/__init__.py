"""Numbers as 64 bits hold them: what may come in, what can be squared, moments in time."""
