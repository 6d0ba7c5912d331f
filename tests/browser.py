"""A page as the browser shows it, and what is wrong with it wherever it stands."""

import re
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

WIDTHS = (1440, 390)
AS_TEXT = re.compile(r"\$|\\[A-Za-z]+")
"""LaTeX that nobody set."""


def resize(driver: Any, width: int) -> None:
    """A screen of this width."""
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def show(driver: Any, page: Path, width: int) -> None:
    """Open a page at a width, with its fonts and all that is folded away."""
    resize(driver, width)
    driver.get(page.as_uri())
    driver.execute_script("document.querySelectorAll('details').forEach((e) => { e.open = true })")
    driver.execute_async_script("document.fonts.ready.then(() => arguments[0]())")


def faults(driver: Any, page: Path) -> Iterator[str]:
    """Where a page is wider than the screen or shows LaTeX, code left out."""
    show(driver, page, WIDTHS[0])
    for width in WIDTHS:
        resize(driver, width)
        found = driver.execute_script("return document.documentElement.scrollWidth")
        if found > width:
            yield f"{page.name} is {found} px wide on a screen of {width}"
    text = driver.execute_script(
        "const copy = document.body.cloneNode(true);"
        "copy.querySelectorAll('pre, code, script, style, .sig').forEach((e) => e.remove());"
        "return copy.textContent"
    )
    for match in AS_TEXT.finditer(text):
        yield f"{page.name} shows {text[match.start() : match.end() + 20]!r}"


def fonts_of_formulas(driver: Any) -> set[tuple[str, bool]]:
    """Name and whether it comes with the page, of each font in which formulas are drawn."""
    # One element of each character.
    driver.execute_script(
        "const seen = new Set();"
        "for (const leaf of document.querySelectorAll('mi, mn, mo, mtext')) {"
        "const fresh = [...leaf.textContent.trim()].filter((one) => !seen.has(one));"
        "if (fresh.length) leaf.setAttribute('data-drawn', '');"
        "fresh.forEach((one) => seen.add(one)) }"
    )
    for domain in ("DOM", "CSS"):
        driver.execute_cdp_cmd(f"{domain}.enable", {})
    root = driver.execute_cdp_cmd("DOM.getDocument", {})["root"]["nodeId"]
    every = {"nodeId": root, "selector": "[data-drawn]"}
    return {
        (font["familyName"], font["isCustomFont"])
        for node in driver.execute_cdp_cmd("DOM.querySelectorAll", every)["nodeIds"]
        for font in driver.execute_cdp_cmd("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    }


def depth_of_subscripts(driver: Any) -> float:
    """How far the foot of a subscript is below that of its letter, in ems; the median of a page."""
    found = driver.execute_script(
        "return [...document.querySelectorAll('msub')].map(({children: [base, sub]}) => {"
        "const [b, s] = [base, sub].map((e) => e.getBoundingClientRect());"
        "return (s.bottom - b.bottom) / parseFloat(getComputedStyle(base).fontSize)})"
    )
    return float(median(found))
