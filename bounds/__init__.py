"""bounds: deterministic mathematics of time-varying Gaussian process bandits (numbers in, bounds out).

Nothing here draws a random number, prints, plots or reads a file.
"""
