"""How numbers are computed and shown: compiled loops, threads of BLAS, ties, rounding to a side."""
