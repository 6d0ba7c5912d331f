"""Covers boxes of the domain by balls."""
