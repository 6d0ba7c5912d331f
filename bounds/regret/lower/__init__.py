"""Lower bounds on the regret of every policy, and the rounds until a floor per round is small."""
