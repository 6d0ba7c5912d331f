"""Finds counterexamples and confirms them exactly."""
