"""Figures of fits and of stopping rules."""
