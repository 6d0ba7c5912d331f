"""Upper bounds on the regret before a run that do not pass through the gain, by policy."""
