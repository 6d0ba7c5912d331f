"""The page of an explorer in the browser of `tests/conftest.py`."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bounds.domain import Grid
from bounds.problem import Problem
from bounds.times import EvaluationTimes, Family, sequence
from ctv.pages.explorer import ExplorerData, explorer_data, explorer_page


@dataclass
class Page:
    """A page in the browser, and what its explorer knows."""

    driver: Any
    path: Path

    def open(self, address: str = "", width: int = 1000) -> None:
        """Load the page with this address, at this width, and wait for the best partition."""
        self.device(
            "setDeviceMetricsOverride", width=width, height=1400, deviceScaleFactor=1, mobile=False
        )
        self.driver.get("about:blank")
        self.driver.get(self.path.as_uri() + (f"#{address}" if address else ""))
        self.settled()

    def device(self, command: str, **options: Any) -> None:
        """One of Chromium's emulations."""
        self.driver.execute_cdp_cmd(f"Emulation.{command}", options)

    def evaluate(self, expression: str) -> Any:
        """An expression of the page, in which `explorer` is the one of the page."""
        element = "document.querySelector('.ctv-explorer')"
        text = self.driver.execute_script(
            f"const explorer = {element}.explorer; return JSON.stringify(({expression}) ?? null)"
        )
        return json.loads(text)

    def until(self, expression: str, seconds: float = 20.0) -> Any:
        """Wait until an expression of the page is true; the page itself looks again and again."""
        text = self.driver.execute_async_script(
            f"const end = performance.now() + 1000 * {seconds};"
            "const done = arguments[0];"
            "const look = () => {"
            "  const explorer = document.querySelector('.ctv-explorer')?.explorer;"
            f"  const found = ({expression}) ?? null;"
            "  if (found || performance.now() > end) done(JSON.stringify(found));"
            "  else setTimeout(look, 10);"
            "};"
            "look();"
        )
        found = json.loads(text)
        assert found, f"{expression} stays {found}"
        return found

    def settled(self) -> None:
        """Wait for the best partition of what is shown."""
        self.until("!!(explorer && explorer.optimal && explorer.state.cuts)")

    def numbers(self) -> dict[str, Any]:
        """Everything that the page can save, once the best partition is known."""
        self.settled()
        found = self.evaluate("explorer.numbers()")
        assert isinstance(found, dict)
        return found

    @property
    def cuts(self) -> list[int]:
        """Those inside."""
        return list(self.evaluate("explorer.state.cuts"))


@pytest.fixture(scope="session")
def unopened(
    driver: Any, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[ExplorerData], Page]:
    """Write the page of some data, for a test that opens it at addresses of its own."""

    def write(data: ExplorerData) -> Page:
        path = tmp_path_factory.mktemp("explorer") / "explore.html"
        path.write_text(explorer_page(data), encoding="utf-8")
        return Page(driver, path)

    return write


@pytest.fixture(scope="session")
def opened(unopened: Callable[[ExplorerData], Page]) -> Callable[[ExplorerData], Page]:
    """Write the page of some data and open it."""

    def write(data: ExplorerData) -> Page:
        page = unopened(data)
        page.open()
        return page

    return write


def bursts(n: int, count: int, total: float, gap: float) -> EvaluationTimes:
    """Bursts of rounds, `gap` apart inside."""
    return sequence("bursts", Family(n=n, total=total, bursts=count, gap=gap))


@pytest.fixture(scope="session")
def small() -> ExplorerData:
    """24 rounds in 4 bursts on a coarse grid: every number has a quick oracle."""
    options = {"sequence": "bursts:bursts=4,gap=0.01", "n": 24, "total": 240.0}
    problem = Problem(bursts(24, 4, 240.0, 0.01), epsilon=0.02, domain=Grid(1, 1.0, 8))
    return explorer_data(
        problem, label="4 bursts", times=options, model={"dimension": 1, "grid": 8}
    )


@pytest.fixture(scope="session")
def page(unopened: Callable[[ExplorerData], Page], small: ExplorerData) -> Page:
    """The page of `small`, which each test opens."""
    return unopened(small)
