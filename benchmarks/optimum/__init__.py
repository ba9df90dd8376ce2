"""`optimize` against the best published, the records it has come to, and time to target."""
