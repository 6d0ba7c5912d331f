"""What the theory promises for one problem: the bounds, the report, the ladder."""
