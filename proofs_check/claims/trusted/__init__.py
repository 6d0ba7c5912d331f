"""Textbook facts on which other claims rest."""
