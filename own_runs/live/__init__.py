"""The next point for data of one's own."""
