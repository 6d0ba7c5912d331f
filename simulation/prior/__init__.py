"""Priors of hyperparameters, their evidence given a run, and weighted sets of them."""
