"""γ_m: the maximum information gain without drift, from both sides."""
