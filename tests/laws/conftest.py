"""The command line inside the test process, as the tests of its commands have it."""

from tests.command_line import ctv

__all__ = ["ctv"]
