"""The report page: complete, self-contained, safe with any text, the same for the same content."""

import json
import re
from base64 import b64decode
from csv import reader
from dataclasses import replace
from html import escape, unescape
from html.parser import HTMLParser
from io import StringIO
from urllib.parse import unquote

import numpy as np
import pytest

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import SquaredExponential
from bounds.problem import Problem
from bounds.progress import unstaged
from bounds.times import EvaluationTimes
from ctv.commands import report as command
from ctv.options.problem import ModelOptions, TimesOptions
from ctv.pages import content as contents
from ctv.pages import report
from ctv.pages.content import Content, report_content
from ctv.pages.findings import touching
from ctv.show.glossary import WORDS
from ctv.show.rounding import at_least, at_most, digits
from ctv.show.shared import gain_sheet
from proofs_check.language.claim import Verdict
from proofs_check.ledgers import CLAIMS, opened
from simulation.paper.experiments import ExperimentOptions
from simulation.paper.stored import experiment_problem, stored_experiments
from tests.simulation.paper.running import run_figure

pytestmark = pytest.mark.xdist_group("report")  # its fixtures take seconds

HOSTILE = '<script>alert("x")</script>&amp;\u2028.csv'


class Balanced(HTMLParser):
    """Fails on a tag that is closed and was not the last one opened."""

    VOID = frozenset(("meta", "img", "br", "source"))

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.sources: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        self.sources += [value or "" for name, value in attrs if name in ("src", "srcset")]
        self.links += [value or "" for name, value in attrs if name == "href"]
        self.ids += [value or "" for name, value in attrs if name == "id"]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def parsed(page: str) -> Balanced:
    parser = Balanced()
    parser.feed(page)
    assert parser.open == []
    return parser


def made(durations: list[float], points: int = 5, **options: object) -> Content:
    times = EvaluationTimes.from_durations(durations)
    problem = Problem(times, domain=Grid(1, 1.0, points), **options)  # type: ignore[arg-type]
    return report_content(problem, range(1), "ctv report", unstaged)


@pytest.fixture(scope="module")
def content() -> Content:
    times = EvaluationTimes.from_durations([1.0, 0.0, 40.0, 2.0, 2.0], source=HOSTILE)
    problem = Problem(times, domain=Grid(1, 1.0, 6))
    again = f"ctv report --times '{HOSTILE}'"
    return report_content(problem, range(2), again, unstaged, (), {"bounds": "ctv figure bounds"})


@pytest.fixture(scope="module")
def page(content: Content) -> str:
    return report.render(content)


def test_page_is_well_formed_and_needs_nothing_else(page: str) -> None:
    parser = parsed(page)
    assert len(parser.sources) == 2 * 5 + 1  # five figures, two pictures each, one for paper
    for source in parser.sources:
        kind, _, data = source.partition(",")
        assert kind == "data:image/svg+xml;base64"
        assert b64decode(data).startswith(b"<?xml")
    inside = {link for link in parser.links if link.startswith("#")}
    assert inside and {link[1:] for link in inside} <= set(parser.ids)
    assert all(link.startswith("data:") for link in set(parser.links) - inside)
    assert len(parser.ids) == len(set(parser.ids))
    named = page.replace("http://www.w3.org/2000/svg", "")  # a name, which nothing fetches
    assert not re.search(r"https?://|@import|url\((?!#|data:)", named)


def test_text_from_outside_is_escaped(page: str) -> None:
    assert page.count("<script") == 3  # the page's own, and the explorer's data and module
    assert page.count("&lt;script&gt;") >= 3


def test_page_holds_the_numbers(content: Content, page: str) -> None:
    bounds = content.bounds.report
    abstract = re.sub(r"<[^>]+>|\s+", " ", page.split('<section class="abstract"')[1]).split("How")[
        0
    ]
    best, floor = content.bounds.answer.best(), content.bounds.answer.floor
    assert best is not None and floor is not None and content.simulated is not None
    for value in (
        at_least(bounds.lower),
        at_most(bounds.best),
        at_most(best.value),
        at_least(floor.value),
        digits(float(content.simulated.regret[:, -1].mean())),
    ):
        assert f" {value} " in abstract
    assert digits(content.uniformity) in page
    for value in (bounds.beta, *(bound.value for bound in bounds.gains.values())):
        assert at_most(value) in page
    assert page.count("<math ") == 5  # the bounds that have a formula
    for words in ("Every valid bound is certified", "fixed before the first round", "ctv figure b"):
        assert words in page


def test_figures_are_numbered_in_order_and_named_in_the_text(page: str) -> None:
    numbers = re.findall(r"<figcaption><b>Figure (\d+)\.", page)
    assert numbers == ["1", "2", "3", "4", "5"]
    assert set(re.findall(r">Figure (\d+)</a>", page)) <= set(numbers)


def test_the_explorer_is_on_the_page_once(page: str) -> None:
    assert page.count('class="ctv-explorer') == 1
    assert page.count('<script type="module">') == 1


def test_tables_can_be_taken_away(content: Content, page: str) -> None:
    links = dict(re.findall(r'<a id="([\w-]+-csv)" download="[\w.-]+" href="([^"]+)"', page))
    text = unquote(unescape(links["gain-bounds-csv"]).partition(",")[2])
    rows = list(reader(StringIO(text)))
    sheet = gain_sheet(content.bounds.report)
    assert rows[0] == [column.title for column in sheet.columns]
    assert len(rows) == 1 + len(sheet.rows)
    assert float(rows[2][1]) == pytest.approx(
        content.bounds.report.gains["trivial"].value, rel=1e-3
    )
    (link,) = re.findall(r'download="bound.json" href="([^"]+)"', page)
    held = json.loads(unquote(unescape(link).partition(",")[2]))
    assert held["gain"]["refined"] == content.bounds.report.gains["refined"].value
    (link,) = re.findall(r'download="durations.csv" href="([^"]+)"', page)
    told = unquote(unescape(link).partition(",")[2]).split()[1:]
    np.testing.assert_array_equal([float(t) for t in told], content.problem.times.durations)


def test_words_of_the_glossary_are_explained_where_they_stand(page: str) -> None:
    terms = re.findall(r'class="term" tabindex="0">([^<]+)<span role="tooltip"> ([^<]+)<', page)
    assert len(terms) >= 6
    assert all(unescape(meaning) == WORDS[word] for word, meaning in terms)


@pytest.mark.usefixtures("without_pictures")
def test_a_bound_that_does_not_hold_says_why() -> None:
    times = EvaluationTimes.from_durations([1.0, 1.0, 5.0])
    problem = Problem(times, epsilon=0.01, domain=Grid(1, 1.0, 4))
    problem = replace(problem, time_kernel=SquaredExponential(2.0))
    page = report.render(report_content(problem, range(1), "ctv report", unstaged))
    assert "Theorem 1 as printed does not hold here" in page
    assert "no sweep over ε" in page


@pytest.mark.usefixtures("without_pictures")
def test_the_same_content_is_the_same_page(content: Content) -> None:
    """That the same figure is the same picture is a law of figures."""
    assert report.render(content) == report.render(content)


@pytest.mark.parametrize(
    ("durations", "points"),
    [
        pytest.param([2.0], 4, id="one round"),
        pytest.param([1.0] * 4 + [1e9] + [1.0] * 4, 4, id="one enormous gap"),
        pytest.param([0.0] * 6, 4, id="equal times", marks=pytest.mark.slow),
        pytest.param([1.0, 2.0], 1, id="one point", marks=pytest.mark.slow),
    ],
)
@pytest.mark.usefixtures("without_pictures")
def test_odd_problems_have_their_page(durations: list[float], points: int) -> None:
    page = report.render(made(durations, points))
    parsed(page)
    assert "nan" not in re.sub(r"data:[^\"]+", "", page).lower().replace("finance", "").split()


@pytest.mark.usefixtures("without_pictures")
def test_runs_are_simulated_unasked_for_few_rounds_only(monkeypatch) -> None:
    monkeypatch.setattr(contents, "LONGEST_UNASKED", 3)
    for n, simulated in ((3, True), (4, False)):
        problem = Problem(EvaluationTimes.from_durations([1.0] * n), domain=Grid(1, 1.0, 2))
        page = report.render(report_content(problem, None, "ctv report", unstaged))
        assert ("(--runs)" not in page) is ('id="runs"' in page) is simulated


@pytest.mark.usefixtures("without_pictures")
def test_experiments_of_the_paper_have_the_page_of_their_own_problem(tmp_path) -> None:
    options = ExperimentOptions(seeds=2, initial=2, rounds=2, grid=Grid(2, 1.0, 3))
    for variant in ("matern52-beta", "matern52-sqrt-beta"):
        run_figure("figure-2", options, tmp_path / "figure-2" / variant)
    found = stored_experiments(tmp_path)
    problem = experiment_problem(tmp_path)
    assert (problem.n, problem.domain) == (4, Grid(2, 1.0, 3))
    assert problem.times.durations.tolist() == [1.0] * 4
    page = report.render(report_content(problem, range(1), "ctv report", unstaged, found))
    parsed(page)
    assert "<h1>The paper&#39;s experiments figure-2, and the bounds" in page
    shown = re.sub(r"data:[^\"]+", "", page)
    assert shown.count("not supported (") == 2 * len(found[0].findings)
    assert "2 seeds are too few to contradict" in shown
    assert "<b>Figure 1. What the paper says" in shown
    for one in found:
        assert one.variant in shown
        for verdict in one.findings:
            assert escape(verdict.sentence.statement) in shown
        for of_one in one.regrets.values():
            assert all(f"{value.mean:.3f}" in shown for value in of_one.values())


def test_a_study_has_a_problem_of_its_own(tmp_path) -> None:
    with pytest.raises(InvalidInput, match="drop the options of model"):
        command._of_study(tmp_path, TimesOptions(), ModelOptions(epsilon=0.5))
    with pytest.raises(InvalidInput, match="simulate --experiment"):
        command._of_study(tmp_path, TimesOptions(), ModelOptions())


def test_findings_that_touch_a_problem() -> None:
    ids = {claim.id for claim in CLAIMS if claim.finding != "none"}

    def of(problem: Problem, **options: bool) -> set[str]:
        return {found.id for found in touching(problem, **options)}

    even = EvaluationTimes.from_durations([1.0] * 9)
    assert "lemma-1-capped" in of(Problem(even, epsilon=0.4))
    assert "lemma-1-capped" not in of(Problem(even, epsilon=0.5))
    assert "assumption-1-II" in of(Problem(even, epsilon=0.9))
    assert "assumption-1-II" not in of(Problem(even, epsilon=0.5))
    everything = of(Problem(replace(even, source="uniform"), epsilon=0.9), of_a_study=True)
    assert "experiments-proposed-best" in everything
    (rival,) = everything - ids
    assert rival == "docs/ledgers/bogunovic2016 tv-gain-printed"


def test_what_is_said_of_a_rival_is_what_the_ledger_of_its_paper_says() -> None:
    even = EvaluationTimes.from_durations([1.0] * 9)
    uniform = Problem(replace(even, source="uniform"), noise_variance=0.01)
    rival = next(one for one in touching(uniform) if one.id.startswith("docs/"))
    path, name = rival.id.split()
    claim = opened([path]).known[name]
    assert rival.label == f"Bogunovic et al. 2016, {claim.label}"
    assert (rival.finding, rival.because) == (claim.finding, claim.because)
    assert claim.expected is Verdict.REFUTED
    assert rival not in touching(replace(uniform, noise_variance=0.5))
