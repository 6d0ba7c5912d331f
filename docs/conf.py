"""How the documentation is built: Markdown pages, the API from docstrings, MathML for formulas.

`make docs` runs it with warnings as errors. Nothing is fetched when the pages are built or read.
"""

from __future__ import annotations

import re
from importlib.metadata import version as version_of
from importlib.resources import files
from pathlib import Path
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx

project = "ctv-bounds"
author = "the ctv-bounds authors"
release = version_of("ctv-bounds")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.autosummary"]
myst_enable_extensions = ["dollarmath", "amsmath"]
myst_heading_anchors = 3
autosummary_generate = True
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_mock_imports = ["optuna", "distributed", "bofire"]  # extras
templates_path = ["_templates"]
html_static_path = [str(files("ctv.pages") / "formulas")]
html_css_files = ["formulas.css"]
html_extra_path = [page for page in ["annotated.html"] if Path(__file__).with_name(page).exists()]
exclude_patterns = ["_build", "optunahub", "preprint/*"]
html_theme = "furo"
html_title = "ctv-bounds"
html_math_renderer = "mathml"
html_show_sphinx = False
# A docstring's word for a type is a word; nothing is resolved outside the project.
suppress_warnings = ["myst.xref_missing", "ref.python"]

_SECTIONS = (
    "Parameters",
    "Attributes",
    "Returns",
    "Raises",
    "Notes",
    "Examples",
    "References",
    "Yields",
)
_SPECIAL = re.compile(r"(?<!`)([*|\\])(?!`)|(?<=\w)(_)(?=\W|$)")


def mathml(text: str, display: str) -> str:
    """One formula as MathML, which browsers draw without a script."""
    return convert(text, display=display)


def visit_inline(self: Any, node: nodes.math) -> None:
    """An inline formula."""
    self.body.append(mathml(node.astext(), "inline"))
    raise nodes.SkipNode


def visit_block(self: Any, node: nodes.math_block) -> None:
    """A displayed formula."""
    formula = mathml(node.astext(), "block")
    self.body.append(f'<div class="math" style="overflow-x: auto">{formula}</div>')
    raise nodes.SkipNode


def as_restructured(lines: list[str]) -> list[str]:
    """A docstring of this project as reStructuredText.

    Sections are underlined words; their entries are `name : what it is`, continued by indented
    lines. Text is plain, so what reStructuredText would read as markup is escaped, but for names
    in single backticks, which become code, and examples, which stay as they are.
    """
    found: list[str] = []
    i = 0
    section = ""
    while i < len(lines):
        line = lines[i]
        underlined = i + 1 < len(lines) and re.fullmatch(r"\s*-{3,}\s*", lines[i + 1])
        if line.strip() in _SECTIONS and underlined:
            section = line.strip()
            found += ["", f".. rubric:: {section}", ""]
            i += 2
            continue
        if line.lstrip().startswith(">>>"):
            found.append("")
            while i < len(lines) and lines[i].strip():
                found.append(lines[i])
                i += 1
            found.append("")
            section = "" if section != "Examples" else section
            continue
        entry = re.match(r"^(\S.*?) : (.*)$", line)
        if section in ("Parameters", "Attributes", "Returns", "Raises", "Yields") and entry:
            found += ["", f"**{_plain(entry[1])}**", f"    {_plain(entry[2])}"]
        elif section in ("Parameters", "Attributes", "Returns", "Raises") and line.startswith(" "):
            found.append(f"    {_plain(line.strip())}")
        else:
            found += _running(line, found)
        i += 1
    return found


def _running(line: str, before: list[str]) -> list[str]:
    """A line of running text after `before`: of a list, a formula on its own, or plain."""
    text = _plain(line.strip())
    last = before[-1] if before else ""
    if not line.startswith(" "):
        apart = last.startswith(("    ", "| ")) and text
        apart = apart or (text.startswith("- ") and last and not last.startswith(("- ", "  ")))
        return ["", text] if apart else [text]
    if last.startswith(("- ", "  ")) and not last.startswith("    "):
        return [f"  {text}"]
    return [f"| {text}"] if not last or last.startswith("| ") else ["", f"| {text}"]


def _plain(text: str) -> str:
    code = re.sub(r"`([^`]+)`", r"``\1``", _SPECIAL.sub(r"\\\1\2", text))
    code = re.sub(r"(``[^`]+``)(?=\w)", r"\1\\ ", code)
    return re.sub(r"docs/(theory\.md#([\w-]+))", r":ref:`\1 <\2>`", code)


def read_page(app: Sphinx, name: str, source: list[str]) -> None:
    """Anchors of HTML, which any reader of Markdown has, as targets that Sphinx knows too."""
    source[0] = re.sub(r"\]\(\.\./LEDGER\.md(#[\w-]+)?\)", r"](ledger.md\1)", source[0])
    source[0] = re.sub(r'^<a id="([\w-]+)"></a>$', r"(\1)=", source[0], flags=re.MULTILINE)


def read_docstring(
    app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]
) -> None:
    """What autodoc calls for every docstring."""
    lines[:] = as_restructured(lines)


def setup(app: Sphinx) -> None:
    """Register the renderer of formulas and the reader of docstrings."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    app.connect("autodoc-process-docstring", read_docstring)
    app.connect("source-read", read_page)
