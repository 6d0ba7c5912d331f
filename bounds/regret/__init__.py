"""Bounds on regret that do not pass through the information gain."""
