"""Tests of commands call them by the fixture `ctv`."""

import pytest

from tests.command_line import a_terminal_of_100_columns, computed_once, ctv

__all__ = ["a_terminal_of_100_columns", "computed_once", "ctv"]


@pytest.fixture
def without_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages whose pictures, most of the time that they take, are empty."""
    from ctv.pages import plates

    empty = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>'
    monkeypatch.setattr(plates, "rendered", lambda figure, suffix, **how: empty)
