"""How useful a release is: one file a family of statistics."""
