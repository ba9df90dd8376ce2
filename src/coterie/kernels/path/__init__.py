"""Orders of the records, and the best cuts of them."""
