"""Sizes beyond which nothing is tried."""

LARGEST_N = 10_000_000
"""Rounds."""
