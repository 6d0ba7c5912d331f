"""Keys alone, on the explorer's own page and in a report: every handle, every change, and back."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from bounds.domain import Grid
from bounds.gain.bounds import bounds_of
from bounds.problem import Problem
from ctv.pages import report
from ctv.pages.content import Content
from ctv.pages.explorer import ExplorerData, explorer_data, explorer_fragment, explorer_page
from tests.ctv.pages.explorer.conftest import Page, bursts

pytest.importorskip("selenium")
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

pytestmark = pytest.mark.xdist_group("chromium")

FACES = ("explorer", "report")
PLACE = "<i>explorer</i>"


@cache
def data_of(rounds: int) -> ExplorerData:
    """So many rounds in three bursts: over the time all of their places are next to three."""
    problem = Problem(bursts(rounds, 3, 15.0 * rounds, 0.01), epsilon=0.02, domain=Grid(1, 1.0, 6))
    return explorer_data(problem, sliders=False)


@pytest.fixture(scope="session")
def around(short_content: Content) -> str:
    """A report with a place for an explorer."""
    return report.render(replace(short_content, explorer=PLACE))


Open = Callable[[str, int, list[int]], Page]


@pytest.fixture
def face(driver, around: str, tmp_path: Path) -> Open:
    """An explorer on one of its faces, of so many rounds, with these cuts typed in."""

    def shown(name: str, rounds: int, cuts: list[int]) -> Page:
        data = data_of(rounds)
        page = (
            explorer_page(data)
            if name == "explorer"
            else around.replace(PLACE, explorer_fragment(data))
        )
        path = tmp_path / f"{name}.html"
        path.write_text(page, encoding="utf-8")
        found = Page(driver, path)
        found.open()
        field = driver.find_element("css selector", ".ctv-cuts")
        field.clear()
        field.send_keys("-".join(map(str, cuts)), Keys.ENTER)
        assert found.cuts == cuts
        return found

    return shown


def keys(page: Page, *sent: str) -> None:
    """Keys to whatever has the focus."""
    ActionChains(page.driver, duration=0).send_keys(*sent).perform()


def chord(page: Page, *held: str) -> None:
    """The last key while the others are held."""
    chain = ActionChains(page.driver, duration=0)
    for one in held[:-1]:
        chain.key_down(one)
    chain.send_keys(held[-1])
    for one in held[:-1]:
        chain.key_up(one)
    chain.perform()


def steps(page: Page) -> int:
    """Entries of the history up to now, without what could be done again."""
    return int(page.evaluate("explorer.at"))


def focused(page: Page) -> int | None:
    """The cut whose handle has the focus."""
    cut = page.evaluate("document.activeElement.dataset?.cut")
    return None if cut is None else int(cut)


def go_to(page: Page, selector: str) -> None:
    page.driver.execute_script(f"document.querySelector('{selector}').focus()")


def drawn(page: Page) -> None:
    """The chart has a size, and none of its places is unknown."""
    box = page.evaluate("explorer.chart.node.getAttribute('viewBox')").split()
    assert float(box[2]) > 100.0 and float(box[3]) > 100.0
    text = page.evaluate("explorer.chart.node.outerHTML")
    assert "NaN" not in text and "undefined" not in text


CASES = [
    (24, [6, 12]),
    (24, list(range(1, 21))),
    (20, list(range(1, 20))),
    (60, list(range(1, 50))),
    (240, list(range(1, 240, 3))),
]
NAMES = ["2 cuts", "20 cuts", "20 rounds", "49 cuts", "240 rounds"]


@pytest.mark.parametrize(
    ("name", "rounds", "cuts"),
    [*(("explorer", *case) for case in CASES), ("report", *CASES[3])],
    ids=[*NAMES, "49 cuts in a report"],
)
def test_tab_goes_through_every_handle(face: Open, name: str, rounds: int, cuts) -> None:
    page = face(name, rounds, cuts)
    page.driver.execute_script(
        "window.seen = [];"
        "document.addEventListener('focusin', ({target}) => { const chart = target.closest('svg');"
        "if (chart) seen.push([target.dataset.cut ?? target.getAttribute('class'),"
        "chart.getAttribute('viewBox'), chart.querySelectorAll('.ctv-gain').length]) })"
    )
    go_to(page, ".ctv-buttons button:last-child")
    skipped = 1 if len(cuts) >= 10 else 0
    keys(page, *[Keys.TAB] * (skipped + len(cuts) + 1))
    seen = page.driver.execute_script("return window.seen")
    assert [one for one, _, _ in seen] == [*map(str, cuts), "ctv-round ctv-chosen"]
    assert len({box for _, box, _ in seen}) == 1 and "undefined" not in seen[0][1]
    assert all(bars for _, _, bars in seen)
    drawn(page)
    assert page.evaluate("explorer.selected.cut") == cuts[-1]


@pytest.mark.parametrize("axis", ["time", "round"])
@pytest.mark.parametrize(("rounds", "cuts"), CASES, ids=NAMES)
def test_handles_stand_apart_within_the_chart(unopened, rounds: int, cuts, axis: str) -> None:
    page = unopened(data_of(rounds))
    for width in (1280, 390):
        page.open(f"axis={axis}&cuts={'-'.join(map(str, cuts))}", width=width)
        at = [
            float(place)
            for place in page.evaluate(
                "[...document.querySelectorAll('.ctv-grip')].map((one) =>"
                "one.getAttribute('transform').match(/[\\d.]+/)[0])"
            )
        ]
        lay = page.evaluate("[explorer.chart.lay.left, explorer.chart.lay.right]")
        apart = min(20.0, (lay[1] - lay[0]) / len(cuts))
        assert len(at) == len(cuts)
        assert all(b - a >= apart - 0.02 for a, b in pairwise(at))
        assert lay[0] - 0.01 <= at[0] and at[-1] <= lay[1] + 0.01


@pytest.mark.parametrize("name", FACES)
@pytest.mark.parametrize("rounds", [20, 240])
def test_cuts_move_come_and_go_by_keys(face: Open, name: str, rounds: int) -> None:
    third = rounds // 3
    first = [third - 2, third, third + 3]
    page = face(name, rounds, first)
    began = steps(page)
    go_to(page, f'.ctv-grip[data-cut="{third}"]')
    keys(page, Keys.ARROW_RIGHT)
    assert (page.cuts, focused(page)) == ([third - 2, third + 1, third + 3], third + 1)
    keys(page, Keys.ARROW_RIGHT)
    keys(page, Keys.ARROW_RIGHT)  # there its neighbour stands
    keys(page, Keys.ARROW_RIGHT)
    assert (page.cuts, focused(page)) == ([third - 2, third + 2, third + 3], third + 2)
    assert steps(page) == began + 2
    keys(page, Keys.INSERT)
    added = focused(page)
    assert len(page.cuts) == 4 and added in page.cuts and added not in first
    assert page.evaluate("explorer.selected.cut") == added
    keys(page, Keys.DELETE)
    assert len(page.cuts) == 3 and focused(page) in page.cuts
    assert steps(page) == began + 4
    for _ in range(4):
        chord(page, Keys.CONTROL, "z")
        assert focused(page) in page.cuts  # the next key belongs to a cut
    assert (page.cuts, steps(page)) == (first, began)
    keys(page, Keys.ARROW_LEFT)
    assert page.cuts != first and steps(page) == began + 1
    chord(page, Keys.CONTROL, "z")
    for _ in range(2):
        chord(page, Keys.CONTROL, Keys.SHIFT, "z")
    assert steps(page) == began + 1
    for _ in range(3):
        keys(page, Keys.DELETE)
    assert page.cuts == [] and focused(page) is None
    drawn(page)
    keys(page, Keys.INSERT)
    assert focused(page) == page.cuts[0]
    drawn(page)


@pytest.mark.parametrize("name", FACES)
def test_what_changes_nothing_is_no_step(face: Open, name: str) -> None:
    page = face(name, 24, [6, 12])
    began = steps(page)
    field = page.driver.find_element("css selector", ".ctv-cuts")
    field.send_keys(" ", Keys.ENTER)  # the same cuts once more
    go_to(page, '.ctv-grip[data-cut="6"]')
    keys(page, Keys.HOME)
    keys(page, Keys.ARROW_LEFT)
    assert (page.cuts, steps(page)) == ([1, 12], began + 1)
    instant = page.driver.find_element("css selector", 'input[aria-label="its instant τ"]')
    instant.send_keys(" ", Keys.TAB)
    assert steps(page) == began + 1
    for _ in range(2):
        page.driver.find_element("xpath", "//button[text()='Best partition']").send_keys(Keys.ENTER)
        assert steps(page) == began + 2
    for name_of in ("No cuts", "Start again"):
        button = page.driver.find_element("xpath", f"//button[text()='{name_of}']")
        button.send_keys(Keys.ENTER)
        before = steps(page)
        page.driver.execute_script("arguments[0].disabled = false", button)
        button.send_keys(Keys.ENTER)
        assert steps(page) == before
    # What was taken back is not forgotten for a step that is none.
    go_to(page, ".ctv-round")
    chord(page, Keys.CONTROL, "z")
    assert page.evaluate("explorer.buttons.redo.disabled") is False
    field.send_keys(" ", Keys.ENTER)
    assert page.evaluate("explorer.buttons.redo.disabled") is False


def test_the_first_evaluation_cannot_come_before_the_start(face: Open) -> None:
    page = face("explorer", 24, [6])
    field = page.driver.find_element("css selector", 'input[aria-label="its instant τ"]')
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("0", Keys.TAB)
    before = steps(page)
    go_to(page, ".ctv-round")
    for _ in range(3):
        keys(page, Keys.ARROW_LEFT)
    assert steps(page) == before
    keys(page, Keys.ARROW_RIGHT)
    assert steps(page) == before + 1


def test_handles_can_be_skipped(face: Open) -> None:
    page = face("explorer", 240, list(range(1, 240)))
    go_to(page, ".ctv-buttons button:last-child")
    keys(page, Keys.TAB)
    assert page.evaluate("document.activeElement.textContent") == "Skip the handles of the cuts"
    keys(page, Keys.ENTER)
    assert page.evaluate("document.activeElement === explorer.chart.mark")
    few = face("explorer", 24, [6])
    assert few.evaluate("explorer.skip.hidden") is True


@pytest.mark.parametrize("rounds", [6, 24])
def test_lower_sides_are_those_of_the_bounds(unopened, rounds: int) -> None:
    given = data_of(rounds).problem
    found = bounds_of(given, certify=False)
    floor = found.answer.floor
    assert floor is not None
    for data in (data_of(rounds), explorer_data(given, bounds=found, sliders=False)):
        page = unopened(data)
        for cuts in ("cuts=3", "cuts=none&axis=round&objective=additive"):
            page.open(cuts)
            numbers = page.numbers()
            assert (numbers["lower"], numbers["floor"], numbers["as_given"]) == (
                found.report.lower,
                floor.value,
                True,
            )
            assert "quick" not in page.evaluate("explorer.gauge.node.textContent")
        for other in ("epsilon=0.021", "times=uniform", "move=2:0.5"):
            if other != "times=uniform" or rounds > 6:
                page.open(other)
                assert page.numbers()["as_given"] is False
                assert page.evaluate("explorer.gauge.node.textContent").count("(quick)") == 2


@pytest.mark.usefixtures("without_pictures")
def test_the_report_and_its_explorer_have_one_answer(
    short_content: Content, driver, tmp_path
) -> None:
    path = tmp_path / "report.html"
    path.write_text(report.render(short_content), encoding="utf-8")
    page = Page(driver, path)
    page.open()
    numbers = page.numbers()
    floor = short_content.bounds.answer.floor
    assert floor is not None
    assert (numbers["lower"], numbers["floor"]) == (short_content.bounds.report.lower, floor.value)
