"""Policies and acquisition functions on the box [0, side]^d."""
