"""γ̃_n: the maximum information gain at given times, from both sides, without a partition."""
