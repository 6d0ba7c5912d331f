"""What bounds for a schedule are computed from: its regret, increments of f, blocks of looks."""
