"""What a run meets: the drifting objective and the evaluation times."""
