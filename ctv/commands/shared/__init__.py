"""What several commands share: answers as formulas, how a study runs, the paper's experiments."""
