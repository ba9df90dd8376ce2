"""A panel: earlier releases of the same people, and which records must stay together."""
