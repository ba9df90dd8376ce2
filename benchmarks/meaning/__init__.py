"""Codes with hierarchies: what a truthful release loses, beside modes, peers, and suppression."""
