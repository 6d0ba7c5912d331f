"""Upper bounds on the expected regret before a run, a file each."""
