"""What coterie is measured by: speed, and the tables of the publications."""
