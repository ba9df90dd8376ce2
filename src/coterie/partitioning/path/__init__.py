"""Orders of the records, and the best groups of neighbours in an order."""
