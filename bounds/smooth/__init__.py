"""Smooth domains: what every sequence of times costs at least, up to constants (Theorem I3)."""
