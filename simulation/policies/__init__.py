"""How points are chosen: policies, acquisition functions, readings of the paper."""
