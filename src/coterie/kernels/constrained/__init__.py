"""Groups that are admissible, and made so."""
