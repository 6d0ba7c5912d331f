"""The Coq development that proves the statements about matrices, sums and sequences."""
