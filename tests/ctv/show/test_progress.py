"""Progress: what is left is of the present stage and runs down, and its clock goes on."""

import io
import sys
import time

import pytest

from ctv.show.progress import Estimate, progress


def left(estimate: Estimate, stage: str, share: float, now: float) -> float | None:
    """What is left as soon as this is told."""
    estimate.note(stage, share, now)
    return estimate.left(now)


def test_a_share_that_falls_begins_a_stage() -> None:
    estimate = Estimate()
    assert left(estimate, "runs", 0.0, 0.0) is None
    assert left(estimate, "runs", 0.5, 1.0) == pytest.approx(1.0)
    assert left(estimate, "runs", 1.0, 2.0) is None
    assert left(estimate, "runs", 0.0, 2.0) is None
    # One percent in ten seconds: not what the first stage would say.
    assert left(estimate, "runs", 0.01, 12.0) == pytest.approx(990.0)


def test_stages_of_unknown_share_say_nothing_of_each_other() -> None:
    estimate = Estimate()
    left(estimate, "gain of a design", 0.0, 0.0)
    assert left(estimate, "published bounds", 0.0, 10.0) is None
    # The second took two seconds for its half, whatever the first one took.
    assert left(estimate, "published bounds", 0.5, 12.0) == pytest.approx(2.0)


def test_names_within_a_stage_go_on_with_it() -> None:
    estimate = Estimate()
    left(estimate, "0 of 4, random", 0.0, 0.0)
    left(estimate, "1 of 4, ts", 0.25, 1.0)
    assert left(estimate, "2 of 4, ts", 0.5, 2.0) == pytest.approx(2.0)


def test_what_is_left_runs_down_and_is_unknown_when_it_is_over() -> None:
    estimate = Estimate()
    estimate.note("runs", 0.0, 0.0)
    estimate.note("runs", 0.5, 3.0)
    assert estimate.left(5.0) == pytest.approx(1.0)
    assert estimate.left(6.0) is None
    estimate.note("runs", 0.75, 9.0)
    assert estimate.left(9.0) == pytest.approx(3.0)


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
