"""Orders of the records, and the best groups of neighbors in an order."""
