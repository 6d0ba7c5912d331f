"""The little language of claims and its one meaning: formulas, parameters, claims."""
