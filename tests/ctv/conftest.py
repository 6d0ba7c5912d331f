"""Tests of commands call them by the fixture `ctv`."""

from tests.command_line import a_terminal_of_100_columns, computed_once, ctv

__all__ = ["a_terminal_of_100_columns", "computed_once", "ctv"]
