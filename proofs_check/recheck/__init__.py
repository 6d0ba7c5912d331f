"""Checks certificates of bounds and of claims again, by other code than made them."""
