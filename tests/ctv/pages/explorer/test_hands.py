"""Real drags, clicks and keys in a real browser."""

import json
import re
from dataclasses import replace
from itertools import pairwise

import pytest

from bounds.kernels import Forgetting
from bounds.partitions.search import search
from bounds.static_gain.both_sides import gain_curve

pytest.importorskip("selenium")
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

pytestmark = pytest.mark.xdist_group("chromium")

CHART = ".ctv-explorer .ctv-chart"


def place(page, expression: str) -> float:
    """An x of the chart, from its left edge."""
    return float(page.evaluate(f"explorer.chart.lay.{expression}"))


def at(page, x: float, y: float, chain: ActionChains | None = None) -> ActionChains:
    """The pointer moved to a place of the chart."""
    chart = page.driver.find_element("css selector", CHART)
    size = chart.size
    chain = ActionChains(page.driver, duration=20) if chain is None else chain
    return chain.move_to_element_with_offset(
        chart, round(x - size["width"] / 2), round(y - size["height"] / 2)
    )


def grip(page, cut: int):
    return page.driver.find_element("css selector", f'.ctv-grip[data-cut="{cut}"]')


def press(page, text: str):
    """Click the button of that name."""
    page.driver.find_element("xpath", f"//button[text()='{text}']").click()


def keys(page, *sent: str) -> None:
    """Keys to whatever has the focus."""
    page.driver.switch_to.active_element.send_keys(*sent)


def test_a_cut_is_dragged_and_taken_back(page) -> None:
    page.open("axis=round&cuts=6-12-18")
    before = page.numbers()["value"]
    y = page.evaluate("explorer.chart.lay.bar[0]")
    start, end = place(page, "places[12]"), place(page, "places[14]")
    at(page, start, y).click_and_hold().perform()
    at(page, end, y).perform()
    assert page.cuts == [6, 14, 18]  # while the button is down
    assert page.evaluate("explorer.history.length") == 1
    at(page, end, y).release().perform()
    assert page.cuts == [6, 14, 18]
    assert page.numbers()["value"] != before
    assert page.evaluate("location.hash") == "#axis=round&cuts=6-14-18"
    press(page, "Undo")
    assert page.cuts == [6, 12, 18]
    assert page.numbers()["value"] == before
    press(page, "Redo")
    assert page.cuts == [6, 14, 18]
    # A cut stops at its neighbours.
    at(page, place(page, "places[14]"), y).click_and_hold().perform()
    at(page, place(page, "places[23]"), y).release().perform()
    assert page.cuts == [6, 17, 18]


def test_double_clicks_add_and_remove(page) -> None:
    page.open("axis=round&cuts=12")
    y = page.evaluate("explorer.chart.lay.bar[1]") - 20
    at(page, place(page, "places[5]"), y).double_click().perform()
    assert page.cuts == [5, 12]
    at(page, place(page, "places[12]"), y).double_click().perform()
    assert page.cuts == [5]
    press(page, "No cuts")
    assert page.cuts == []
    press(page, "Add a cut")
    assert page.cuts == [12]
    press(page, "Remove this cut")
    assert page.cuts == []
    press(page, "Start again")
    assert page.cuts == page.evaluate("explorer.data.cuts")


def test_the_keyboard_is_enough(page) -> None:
    page.open("axis=round&cuts=6-12-18")
    # From the top of the page by Tab alone to the second cut.
    page.driver.find_element("css selector", "body").click()
    for _ in range(40):
        keys(page, Keys.TAB)
        if page.evaluate("document.activeElement.dataset?.cut") == "12":
            break
    assert page.evaluate("document.activeElement.getAttribute('role')") == "slider"
    keys(page, Keys.ARROW_RIGHT)
    assert page.cuts == [6, 13, 18]
    assert page.evaluate("document.activeElement.dataset.cut") == "13"
    keys(page, Keys.PAGE_UP)
    assert page.cuts == [6, 17, 18]
    keys(page, Keys.HOME)
    assert page.cuts == [6, 7, 18]
    keys(page, "]")
    assert page.evaluate("document.activeElement.dataset.cut") == "18"
    keys(page, Keys.DELETE)
    assert page.cuts == [6, 7]
    keys(page, Keys.INSERT)
    assert len(page.cuts) == 3
    for _ in range(5):
        keys(page, Keys.CONTROL, "z")
    assert page.cuts == [6, 12, 18]
    keys(page, Keys.CONTROL, Keys.SHIFT, "z")
    assert page.cuts == [6, 13, 18]
    keys(page, "b")
    assert page.cuts == page.evaluate("explorer.optimal.cuts")
    page.until("explorer.words.said.textContent.includes('This is the best partition')")


def test_a_time_is_dragged_and_the_best_partition_follows(page, small) -> None:
    page.open("cuts=6-12-18")
    old = page.numbers()
    y = page.evaluate("explorer.chart.lay.rug")
    # The first round of the third burst, into the middle of the gap before it.
    start = place(page, "at[12]")
    to = 0.5 * (place(page, "at[11]") + start)
    at(page, start, y).click_and_hold().perform()
    at(page, to, y).perform()
    page.settled()
    ghost = page.driver.find_elements("css selector", ".ctv-pin-ghost")
    assert len(ghost) == 1
    at(page, to, y).release().perform()
    new = page.numbers()
    times = [sum(new["durations"][: i + 1]) for i in range(24)]
    assert all(a <= b for a, b in pairwise(times))
    assert sum(new["durations"]) == pytest.approx(sum(old["durations"]))
    assert new["optimum"]["value"] != old["optimum"]["value"]
    assert "move=" in new["address"]
    assert new["command"].startswith("ctv partition --times times.csv ")
    page.open(new["address"])
    assert page.numbers()["value"] == new["value"]
    press(page, "Start again")
    assert page.numbers()["durations"] == old["durations"]


def test_a_time_moves_by_keys_and_by_its_number(page) -> None:
    page.open("axis=time")
    before = page.numbers()["durations"]
    page.driver.execute_script("document.querySelector('.ctv-round').focus()")
    keys(page, "]", "]")
    keys(page, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    address = page.numbers()["address"]
    assert address.count(":") == 1  # the same round twice is one move
    assert page.numbers()["durations"] != before
    field = page.driver.find_element("css selector", 'input[aria-label="its instant τ"]')
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("100", Keys.TAB)
    moved = page.numbers()["durations"]
    assert any(abs(sum(moved[: i + 1]) - 100) < 1e-9 for i in range(24))
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("soon", Keys.TAB)
    assert "give a time" in page.evaluate("explorer.notice.textContent")
    assert page.numbers()["durations"] == moved


def test_sliders_and_choices(page, small) -> None:
    page.open("cuts=6-12-18")
    slider = page.driver.find_element("css selector", "input[aria-label^='forgetting rate ε, log']")
    page.driver.execute_script("arguments[0].focus()", slider)
    keys(page, Keys.ARROW_RIGHT)
    numbers = page.numbers()
    assert numbers["epsilon"] == 0.0204
    field = page.driver.find_element("css selector", "input[aria-label='forgetting rate ε']")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("0.002", Keys.TAB)
    assert page.numbers()["epsilon"] == 0.002
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("2", Keys.TAB)
    assert "0 to below 1" in page.evaluate("explorer.notice.textContent")
    noise = page.driver.find_element("css selector", "input[aria-label^='variance']")
    page.driver.execute_script("arguments[0].focus()", noise)
    keys(page, Keys.ARROW_RIGHT)
    assert page.numbers()["noise_variance"] == 0.1
    page.driver.find_element("css selector", "input[value=theorem1]").click()
    assert page.numbers()["objective"] == "theorem1"
    page.until(
        "explorer.regimes && explorer.controls.bandText.textContent.includes('Best partition')"
    )
    choice = page.driver.find_element("css selector", ".ctv-bar select")
    choice.send_keys("evenly")
    assert page.numbers()["durations"] == [10.0] * 24


def test_the_regimes_are_where_they_are_said_to_be(page, small) -> None:
    page.open("objective=additive")
    page.until("!!explorer.regimes && explorer.regimes.speaks !== undefined")
    regimes = page.evaluate("explorer.regimes")
    gamma = gain_curve(small.problem).values
    cap = small.problem.n * small.problem.trivial_gain_per_round

    def best(log: float):
        problem = replace(small.problem, epsilon=10**log, time_kernel=Forgetting(10**log))
        return search("additive", problem, gamma)

    assert len(best(regimes["one"]).partition) == 1 < len(best(regimes["one"] + 0.01).partition)
    assert best(regimes["speaks"]).value < cap * (1 - 1e-9)
    assert best(regimes["speaks"] + 0.01).value >= cap * (1 - 1e-9)


def test_why_here(page) -> None:
    page.open("axis=round&cuts=6-12-18")
    grip(page, 12).click()
    text = page.driver.find_element("css selector", ".ctv-why").text
    numbers = page.numbers()
    page.open("axis=round&cuts=6-18")
    saved = page.numbers()["value"] - numbers["value"]
    said = float(re.search(r"It saves ([\d.]+) nats", text)[1])
    assert said == pytest.approx(saved, rel=1e-3)
    assert "Cut after round 12" in text
    assert "none is longer" in text
    assert "to forbid it adds" in text


def test_what_is_saved(page, tmp_path) -> None:
    page.driver.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)}
    )
    page.open("cuts=6-13")
    numbers = page.numbers()
    names = {
        "cuts, CSV": "cuts.csv",
        "cuts, JSON": "cuts.json",
        "numbers, JSON": "partition.json",
        "times, CSV": "times.csv",
        "picture, SVG": "partition.svg",
    }
    for button, name in names.items():
        press(page, button)
        for _ in range(200):
            if (tmp_path / name).exists() and (tmp_path / name).stat().st_size:
                break
            page.evaluate("new Promise((resolve) => setTimeout(resolve, 10)) && 1")
        assert (tmp_path / name).stat().st_size > 0
    assert json.loads((tmp_path / "cuts.json").read_text()) == {"cuts": [0, 6, 13, 24]}
    assert json.loads((tmp_path / "partition.json").read_text())["value"] == numbers["value"]
    rows = (tmp_path / "cuts.csv").read_text().splitlines()
    assert len(rows) == 4
    assert rows[1].startswith("1,1,6,")
    times = (tmp_path / "times.csv").read_text().split()
    assert [float(t) for t in times[1:]] == numbers["durations"]
    picture = (tmp_path / "partition.svg").read_text()
    assert picture.startswith("<svg ")
    assert "var(" not in picture
    assert "paint-order:stroke" in picture
    assert numbers["command"] in picture
