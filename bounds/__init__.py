"""bounds: deterministic mathematics of time-varying Gaussian process bandits.

Numbers go in, a bound comes out. Nothing here draws a random number, prints, plots or reads a file.
"""
