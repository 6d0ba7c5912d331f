"""Calls of every command with drawn options and files: the promises of the command line hold.

`make test` draws a few for each command, `make fuzz` 10,000 in all.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz import words
from tests.fuzz.oracle import PHASES, followed

CASES = int(os.environ.get("CTV_FUZZ_CASES", "10000"))
SLOWEST = (
    "report",
    "explore",
    "partition",
    "verify",
    "coverage",
    "rates",
    "figure",
    "bound",
    "ladder",
    "gain",
    "example",
    "look",
)
"""Commands whose smallest call takes half a second or more."""
OF_SLOWEST = 3 * CASES // 100
"""Cases of each of these; the others share the rest."""
pytestmark = pytest.mark.xdist_group("fuzz")  # one process imports everything


def hold(command: str, count: int, *, derandomize: bool) -> None:
    """Draw so many calls of a command and judge each."""

    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        derandomize=derandomize,
        suppress_health_check=list(HealthCheck),
        phases=PHASES,
    )
    @given(st.data())
    def examine(data: st.DataObject) -> None:
        call = data.draw(words.calls(command))
        with tempfile.TemporaryDirectory() as folder:
            followed(call, Path(folder))

    examine()


def test_what_is_kept_small_or_not_drawn_is_an_option() -> None:
    known = {name for command in words.ALL for name in words.layout(command).options}
    assert {*words.SMALL, *words.PATIENT} <= known


@pytest.mark.parametrize("command", words.ALL)
def test_drawn_calls(command: str) -> None:
    hold(command, 1 if command in SLOWEST else 2, derandomize=True)


@pytest.mark.slow
@pytest.mark.parametrize("command", words.ALL)
def test_many_drawn_calls(command: str) -> None:
    rest = (CASES - OF_SLOWEST * len(SLOWEST)) // (len(words.ALL) - len(SLOWEST))
    hold(command, OF_SLOWEST if command in SLOWEST else rest + 1, derandomize=False)
