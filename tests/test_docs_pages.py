"""The documentation as built: no formula is left as text, no page is wider than the screen."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from markdown_it.renderer import RendererHTML
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

from tests.browser import AS_TEXT, depth_of_subscripts, faults, fonts_of_formulas, show
from tests.checkout import ROOT
from tests.test_docs import maker

pytestmark = pytest.mark.xdist_group("chromium")

DOCS = ROOT / "docs"
SOURCES = [*sorted(DOCS.glob("*.md")), ROOT / "README.md", ROOT / "LEDGER.md"]


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


def build(sources: Path, target: Path) -> Path:
    """The pages, with warnings as errors."""
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", sources, target],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return target


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the pages are made from, but for what `make docs` adds."""
    copy = tmp_path_factory.mktemp("docs") / "docs"
    made = shutil.ignore_patterns("api", "*.svg", "formulas.md", "annotated.html", "__pycache__")
    shutil.copytree(DOCS, copy, ignore=made)
    shutil.copy(ROOT / "LEDGER.md", copy.parent)
    return copy


@pytest.fixture(scope="module")
def built(sources: Path) -> Path:
    """The pages without the API, with one formula and two claims."""
    from bounds.symbolic.gain import partition_bound
    from ctv.pages.ledger_page import page
    from proofs_check.ledgers import PAPERS
    from proofs_check.records.verify import verify

    (sources / "architecture.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>', encoding="utf-8"
    )
    annotated = page(verify(["log-below-line", "lemma-1-capped"]), tuple(PAPERS.values()))
    (sources / "annotated.html").write_text(annotated, encoding="utf-8")
    formula = maker("make_formulas").section("Bounds", [("refined", partition_bound("refined"))])
    (sources / "formulas.md").write_text("# Formulas\n\n" + "\n\n".join(formula), encoding="utf-8")
    (sources / "api.md").write_text("# API reference\n", encoding="utf-8")
    return build(sources, sources.parent / "built")


def test_pages_show_no_markup_and_fit(built: Path, driver) -> None:
    pages = sorted(built.rglob("*.html"))
    assert len(pages) >= len(list(DOCS.glob("*.md")))
    assert [fault for page in pages for fault in faults(driver, page)] == []


@pytest.mark.slow
def test_the_whole_documentation_shows_no_markup_and_fits(sources: Path, driver) -> None:
    whole = sources.parent / "whole"
    shutil.copytree(sources, whole)
    for name, target in (
        ("draw_architecture", "architecture.svg"),
        ("make_formulas", "formulas.md"),
    ):
        made = [sys.executable, str(whole / f"{name}.py"), str(whole / target)]
        subprocess.run(made, cwd=ROOT, check=True)
    shutil.copy(DOCS / "api.md", whole)
    pages = sorted(build(whole, sources.parent / "all").rglob("*.html"))
    assert [fault for page in pages for fault in faults(driver, page)] == []
    for name in ("theory", "formulas"):
        show(driver, sources.parent / "all" / f"{name}.html", 1440)
        assert fonts_of_formulas(driver) == {("CTV Formulas", True)}


def test_a_page_that_is_wide_and_holds_markup_is_seen(driver, tmp_path: Path) -> None:
    wide = "<!doctype html><body style='margin:0'><p style='width:2013px'>$x\\ge1$ <code>$</code>"
    (tmp_path / "wide.html").write_text(wide, encoding="utf-8")
    found = list(faults(driver, tmp_path / "wide.html"))
    assert [one.split(" shows ")[-1][:3] for one in found[2:]] == ["'$x", "'\\\\", "'$ "]
    assert len(found) == 5


def test_formulas_have_a_font_of_their_own_with_low_subscripts(built: Path, driver) -> None:
    for name in ("annotated", "formulas", "theory"):
        show(driver, built / f"{name}.html", 1440)
        assert fonts_of_formulas(driver) == {("CTV Formulas", True)}
    # In a font without a table of mathematics it is below 0.05.
    assert depth_of_subscripts(driver) > 0.15
