"""Progress: what is left is of the present stage, and its clock goes on after the first."""

import io
import sys
import time

import pytest

from ctv.show.progress import Estimate, progress


def test_a_share_that_falls_begins_a_stage() -> None:
    estimate = Estimate(0.0)
    assert estimate.note(0.5, 1.0) == pytest.approx(1.0)
    assert estimate.note(1.0, 2.0) == 0.0
    assert estimate.note(0.0, 2.0) is None
    # One percent in ten seconds: not what the first stage would say.
    assert estimate.note(0.01, 12.0) == pytest.approx(990.0)


class Terminal(io.StringIO):
    """Standard error that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_the_clock_does_not_freeze_after_the_first_stage(monkeypatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    with progress("work") as advance:
        advance("first", 1.0)
        time.sleep(1.2)
        advance("second", 0.5)
        time.sleep(0.3)
    shown = sys.stderr.getvalue()  # type: ignore[attr-defined]
    assert "work: second" in shown
    assert "0:01" in shown
