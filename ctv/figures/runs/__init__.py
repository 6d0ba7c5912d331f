"""Pictures of runs: regret, certificates and their coverage, the paper's sentences."""
