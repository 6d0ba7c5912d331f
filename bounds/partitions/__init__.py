"""Partitions of the rounds: uniformity, drift terms, and the exact searches."""
