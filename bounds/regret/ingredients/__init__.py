"""What bounds on regret are computed from: m*, sums of deviations, ranges, what is known of f."""
