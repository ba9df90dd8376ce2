"""What a release guarantees: strata, k, diversity, dominance, panels; asked for, and proven."""
