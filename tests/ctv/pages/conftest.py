"""A report for the tests that look at one in the browser."""

import pytest

from bounds.domain import Grid
from bounds.problem import Problem
from bounds.progress import unstaged
from bounds.times import EvaluationTimes
from ctv.pages.content import Content, report_content


@pytest.fixture(scope="session")
def short_content() -> Content:
    """A short report without runs."""
    times = EvaluationTimes.from_durations([1.0, 2.0, 40.0, 1.0])
    problem = Problem(times, epsilon=0.02, domain=Grid(1, 1.0, 4))
    return report_content(problem, range(0), "ctv report", unstaged)
