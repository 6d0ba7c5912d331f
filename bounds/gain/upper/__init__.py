"""The upper bounds on γ̃_n: a file each, and what those over a partition share."""
