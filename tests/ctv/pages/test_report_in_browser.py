"""The report in the browser: it fits every screen, its formulas are set in a font that it holds."""

from dataclasses import replace
from pathlib import Path

import pytest

from bounds.domain import Grid
from bounds.gain.bounds import bounds_of
from bounds.kernels import Forgetting
from bounds.problem import Problem
from bounds.progress import unstaged
from ctv.pages import report
from ctv.pages.content import Content, report_content
from ctv.values.line import four_numbers
from tests.browser import depth_of_subscripts, faults, fonts_of_formulas, show

pytest.importorskip("selenium")

pytestmark = pytest.mark.xdist_group("chromium")


def test_the_report_fits_and_sets_its_formulas(short_content: Content, driver, tmp_path) -> None:
    page: Path = tmp_path / "report.html"
    page.write_text(report.render(short_content), encoding="utf-8")
    assert list(faults(driver, page)) == []
    show(driver, page, 768)
    assert driver.execute_script("return document.documentElement.scrollWidth") <= 768
    assert fonts_of_formulas(driver) == {("CTV Formulas", True)}
    assert depth_of_subscripts(driver) > 0.15


@pytest.mark.usefixtures("without_pictures")
def test_the_slider_moves_the_four_numbers_to_those_of_other_drift_rates(driver, tmp_path) -> None:
    """Each is what is known of the same problem at that rate; runs were made at one rate alone."""
    problem = Problem([1.0, 0.5, 2.0, 1.0, 1.0], epsilon=0.01, domain=Grid(2, 1.0, 5))
    content = report_content(problem, range(2), "ctv report", unstaged, options={"times": {}})
    page: Path = tmp_path / "report.html"
    page.write_text(report.render(content), encoding="utf-8")
    show(driver, page, 390)
    slider = driver.find_element("css selector", ".drift input")
    seen = {}
    for key, epsilon in (("\ue011", 0.001), ("\ue010", 0.1)):  # Home, End
        slider.send_keys(key)
        shown = [one.text for one in driver.find_elements("css selector", ".line li b")]
        line = four_numbers(
            bounds_of(replace(problem, epsilon=epsilon, time_kernel=Forgetting(epsilon))), None
        )
        expected = {mark.name: mark.shown for mark in line.marks}
        names = [one.text for one in driver.find_elements("css selector", ".line li span")]
        assert dict(zip(names, shown, strict=True)) == {"simulated": "–", **expected}
        assert f"ε = {epsilon:g}," in driver.find_element("css selector", ".drift output").text
        seen[epsilon] = shown
    assert seen[0.001] != seen[0.1]
