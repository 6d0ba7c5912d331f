"""What the theory of this package adds to the paper."""
