"""Upper bounds on the regret before a run with probability 1 − δ, a file each."""
