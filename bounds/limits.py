"""Sizes beyond which nothing is tried."""

LARGEST_N = 10_000_000
"""Rounds."""

LARGEST_FILE = 128 * 2**20
"""Bytes of the largest file accepted, out of gzip too."""
