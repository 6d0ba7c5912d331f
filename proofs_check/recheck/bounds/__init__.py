"""The recheck of a certificate of bounds, one file for each part of it."""
