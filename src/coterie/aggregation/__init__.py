"""What is released for a group in place of its members' values."""
