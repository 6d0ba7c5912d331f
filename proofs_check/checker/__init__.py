"""A checker of a printed bound that Coq proved right, and how it is asked."""
