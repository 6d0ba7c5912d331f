"""What a policy believes: posteriors of the objective and of evaluation times."""
