"""Tests of single claims by other means."""
