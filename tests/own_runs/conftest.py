"""Tests of commands about logs call them as those of `tests/ctv` do."""

from tests.command_line import a_terminal_of_100_columns, computed_once, ctv

__all__ = ["a_terminal_of_100_columns", "computed_once", "ctv"]
