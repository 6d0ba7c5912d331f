"""The report in the browser: it fits every screen, its formulas are set in a font that it holds."""

from pathlib import Path

import pytest

from ctv.pages import report
from ctv.pages.content import Content
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
