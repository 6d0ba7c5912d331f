"""Studies: many runs, stored, resumable, summarised and laid beside the bounds."""
