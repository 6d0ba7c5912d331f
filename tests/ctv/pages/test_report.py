"""The report page: complete, self-contained, safe with any text, the same for the same content."""

import re
from base64 import b64decode
from dataclasses import replace
from html import escape
from html.parser import HTMLParser

import pytest

from bounds.domain import Grid
from bounds.kernels import SquaredExponential
from bounds.problem import Problem
from bounds.progress import unstaged
from bounds.times import EvaluationTimes
from ctv.pages import report
from ctv.pages.content import report_content
from ctv.show.rounding import at_least, at_most, digits
from simulation.paper.experiments import ExperimentOptions, run_experiment
from simulation.paper.stored import stored_experiments

HOSTILE = '<script>alert("x")</script>&amp;\u2028.csv'


class Balanced(HTMLParser):
    """Fails on a tag that is closed and was not the last one opened."""

    VOID = frozenset(("meta", "img", "br"))

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.sources: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        self.sources += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def content() -> report.Content:
    times = EvaluationTimes.from_durations([1.0, 0.0, 40.0, 2.0, 2.0], source=HOSTILE)
    problem = Problem(times, domain=Grid(1, 1.0, 6))
    return report_content(problem, range(2), f"ctv report --times '{HOSTILE}'", unstaged)


def test_page_is_well_formed_and_needs_nothing_else(content: report.Content) -> None:
    page = report.render(content)
    parser = Balanced()
    parser.feed(page)
    assert parser.open == []
    assert parser.sources
    assert all(source.startswith("data:image/svg+xml;base64,") for source in parser.sources)
    for source in parser.sources:
        assert b64decode(source.split(",", 1)[1]).startswith(b"<?xml")
    assert not re.search(r"https?://|@import|url\(", page)


def test_text_from_outside_is_escaped(content: report.Content) -> None:
    page = report.render(content)
    assert "<script" not in page
    assert page.count("&lt;script&gt;") >= 3


def test_page_holds_the_numbers(content: report.Content) -> None:
    page = report.render(content)
    bounds = content.report
    assert f"{at_least(bounds.lower)} … {at_most(bounds.best)}" in page
    assert digits(content.uniformity) in page
    for value in (bounds.beta, *(bound.value for bound in bounds.gains.values())):
        assert at_most(value) in page
    assert page.count("<math ") == 5  # the bounds that have a formula
    for words in (
        "Every valid bound is certified",
        "fixed before the first round",
        "Make this page again",
    ):
        assert words in page


def test_a_bound_that_does_not_hold_says_why() -> None:
    times = EvaluationTimes.from_durations([1.0, 1.0, 5.0])
    problem = Problem(times, epsilon=0.01, domain=Grid(1, 1.0, 4))
    problem = replace(problem, time_kernel=SquaredExponential(2.0))
    page = report.render(report_content(problem, range(1), "ctv report", unstaged))
    assert "Theorem 1 as printed does not hold here" in page


def test_the_same_content_is_the_same_page(content: report.Content) -> None:
    assert report.render(content) == report.render(content)


def test_experiments_of_the_paper_appear_with_their_verdicts(content, tmp_path) -> None:
    options = ExperimentOptions(seeds=2, initial=2, rounds=2, grid=Grid(2, 1.0, 3))
    for variant in ("matern52-beta", "matern52-sqrt-beta"):
        run_experiment("figure-2", options, out=tmp_path / "figure-2" / variant)
    found = stored_experiments(tmp_path)
    page = report.render(replace(content, experiments=found))
    parser = Balanced()
    parser.feed(page)
    assert parser.open == []
    assert "experiments: figure-2" in page
    assert page.count("not supported (") == 2 * len(found[0].findings)
    assert page.count(" seeds needed): ") == page.count("not supported (")
    assert "2 seeds are too few to contradict" in page
    for one in found:
        assert one.variant in page
        for verdict in one.findings:
            assert escape(verdict.sentence.statement) in page
        for of_one in one.regrets.values():
            assert all(f"{value.mean:.3f}" in page for value in of_one.values())
    assert "experiments: figure-2" not in report.render(content)
