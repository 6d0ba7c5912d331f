"""The numbered statements and displayed steps of the paper, in its order."""
