"""The documentation as built: no formula is left as text, no page is wider than the screen."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from statistics import median
from types import ModuleType
from typing import Any

import pytest
from markdown_it.renderer import RendererHTML
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

from tests.checkout import ROOT

pytestmark = pytest.mark.xdist_group("chromium")

DOCS = ROOT / "docs"
SOURCES = [*sorted(DOCS.glob("*.md")), ROOT / "README.md", ROOT / "LEDGER.md"]
WIDTHS = (1440, 390)
AS_TEXT = re.compile(r"\$|\\[A-Za-z]+")


def formulas_as_text(source: str) -> list[str]:
    """What the reader of the documentation takes for text though it is LaTeX."""
    reader = create_md_parser(
        MdParserConfig(enable_extensions={"dollarmath", "amsmath"}), RendererHTML
    )
    return [
        part.content
        for token in reader.parse(source)
        for part in token.children or ()
        if part.type == "text" and AS_TEXT.search(part.content)
    ]


@pytest.mark.parametrize("page", SOURCES, ids=lambda page: page.name)
def test_every_formula_is_read_as_one(page: Path) -> None:
    assert formulas_as_text(page.read_text(encoding="utf-8")) == []


def test_a_display_right_after_prose_is_seen() -> None:
    assert formulas_as_text("With $r$ it is\n$$x\\ge1,$$\nas $y\\le2$ shows.") != []
    assert formulas_as_text("With $r$ it is\n\n$$x\\ge1,$$\n\nas $y\\le2$ shows.") == []
    assert formulas_as_text("`$ ctv` and\n\n```\n$ ctv\n```\n") == []


def maker(name: str) -> ModuleType:
    """A script of docs/ as a module."""
    spec = spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def build(sources: Path, target: Path) -> Path:
    """The pages, with warnings as errors."""
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", sources, target],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return target


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the pages are made from, but for what `make docs` adds."""
    copy = tmp_path_factory.mktemp("docs") / "docs"
    made = shutil.ignore_patterns("api", "*.svg", "formulas.md", "ledger.md", "__pycache__")
    shutil.copytree(DOCS, copy, ignore=made)
    return copy


@pytest.fixture(scope="module")
def built(sources: Path) -> Path:
    """The pages without the API, with one formula and two claims."""
    from bounds.symbolic.gain import partition_bound
    from proofs_check.records.verify import verify

    (sources / "architecture.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>', encoding="utf-8"
    )
    rows = verify(["log-below-line", "lemma-1-capped"]).rows
    (sources / "ledger.md").write_text(maker("make_ledger").page(rows), encoding="utf-8")
    formula = maker("make_formulas").section("Bounds", [("refined", partition_bound("refined"))])
    (sources / "formulas.md").write_text("# Formulas\n\n" + "\n\n".join(formula), encoding="utf-8")
    (sources / "api.md").write_text("# API reference\n", encoding="utf-8")
    return build(sources, sources.parent / "built")


@pytest.fixture
def screen(driver: Any) -> Callable[[Path, int], None]:
    """Show a page at a width, with its fonts."""

    def show(page: Path, width: int) -> None:
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        driver.get(page.as_uri())
        driver.execute_async_script("document.fonts.ready.then(() => arguments[0]())")

    return show


def faults(driver: Any, show: Callable[[Path, int], None], folder: Path) -> Iterator[str]:
    """What is wrong on some page of a folder, at some width."""
    for page in sorted(folder.rglob("*.html")):
        for width in WIDTHS:
            show(page, width)
            found = driver.execute_script("return document.documentElement.scrollWidth")
            if found > width:
                yield f"{page.relative_to(folder)} is {found} px wide on a screen of {width}"
        text = driver.execute_script(
            "const copy = document.body.cloneNode(true);"
            "copy.querySelectorAll('pre, code, script, style, .sig').forEach((e) => e.remove());"
            "return copy.textContent"
        )
        for match in AS_TEXT.finditer(text):
            yield f"{page.relative_to(folder)} shows {text[match.start() : match.end() + 20]!r}"


def test_pages_show_no_markup_and_fit(built: Path, driver, screen) -> None:
    assert len(list(built.glob("*.html"))) >= len(list(DOCS.glob("*.md")))
    assert list(faults(driver, screen, built)) == []


@pytest.mark.slow
def test_the_whole_documentation_shows_no_markup_and_fits(sources: Path, driver, screen) -> None:
    whole = sources.parent / "whole"
    shutil.copytree(sources, whole)
    for name, target in (
        ("draw_architecture", "architecture.svg"), ("make_formulas", "formulas.md"),
        ("make_ledger", "ledger.md"),
    ):  # fmt: skip
        made = [sys.executable, str(whole / f"{name}.py"), str(whole / target)]
        subprocess.run(made, cwd=ROOT, check=True)
    shutil.copy(DOCS / "api.md", whole)
    assert list(faults(driver, screen, build(whole, sources.parent / "all"))) == []


def test_a_page_that_is_wide_and_holds_markup_is_seen(driver, screen, tmp_path: Path) -> None:
    wide = "<!doctype html><body style='margin:0'><p style='width:2013px'>$x\\ge1$ <code>$</code>"
    (tmp_path / "wide.html").write_text(wide, encoding="utf-8")
    found = list(faults(driver, screen, tmp_path))
    assert [one.split(" shows ")[-1][:3] for one in found[2:]] == ["'$x", "'\\\\", "'$ "]
    assert len(found) == 5


def test_formulas_have_a_font_of_their_own_with_low_subscripts(built: Path, driver, screen) -> None:
    for name in ("theory", "formulas", "ledger"):
        screen(built / f"{name}.html", 1440)
        # One element of each character.
        driver.execute_script(
            "const seen = new Set();"
            "for (const leaf of document.querySelectorAll('mi, mn, mo, mtext')) {"
            "const fresh = [...leaf.textContent.trim()].filter((one) => !seen.has(one));"
            "if (fresh.length) leaf.setAttribute('data-drawn', '');"
            "fresh.forEach((one) => seen.add(one)) }"
        )
        driver.execute_cdp_cmd("DOM.enable", {})
        driver.execute_cdp_cmd("CSS.enable", {})
        root = driver.execute_cdp_cmd("DOM.getDocument", {})["root"]["nodeId"]
        every = {"nodeId": root, "selector": "[data-drawn]"}
        fonts = {
            (font["familyName"], font["isCustomFont"])
            for node in driver.execute_cdp_cmd("DOM.querySelectorAll", every)["nodeIds"]
            for font in driver.execute_cdp_cmd("CSS.getPlatformFontsForNode", {"nodeId": node})[
                "fonts"
            ]
        }
        assert fonts == {("CTV Formulas", True)}
        low = driver.execute_script(
            "return [...document.querySelectorAll('msub')].map(({children: [base, sub]}) => {"
            "const [b, s] = [base, sub].map((e) => e.getBoundingClientRect());"
            "return (s.bottom - b.bottom) / parseFloat(getComputedStyle(base).fontSize)})"
        )
        # In a font without a table of mathematics the median is below 0.05.
        assert min(low) > 0.0 and median(low) > 0.15
