"""One run of a policy against an objective."""
