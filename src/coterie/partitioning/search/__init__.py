"""Searches: moves, perturbations, acceptance and stopping, and the methods composed of them."""
