"""The prior that fits a log: hyperpriors, their evidence, and the weighted set that remains."""
