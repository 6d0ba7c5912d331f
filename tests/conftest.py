"""What all tests share: a guard over the checkout, and one browser.

Tests that drive the browser are marked `xdist_group("chromium")`.
"""

import gc
import os
import shutil
import sys
from collections.abc import Generator, Iterator
from typing import Any

import pytest

from tests.checkout import ROOT, State, changes, state, tracked

# A receipt of the proof assistant on this machine changes what no test sees.
os.environ["CTV_RECEIPTS"] = os.devnull
# Tests fill the machine by processes; threads that wait for each other would cost more than they
# compute. Set before numpy is loaded, and inherited by every process that a test starts.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# What is compiled is kept for the hundreds of processes that tests start, here and there.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
_FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--hide-scrollbars", "--disable-dev-shm-usage"),
)
_NEEDED = "CTV_NEEDS_BROWSER"
_MADE = pytest.StashKey[State]()


def made() -> State:
    """What lies in the checkout and is not git's: reports, studies, whatever a person made."""
    held = {str(path.relative_to(ROOT)) for path in tracked(new=False)}
    return {name: seen for name, seen in state().items() if name not in held}


def pytest_sessionstart(session: pytest.Session) -> None:
    """What is there before the tests; seen by the process that hands out the tests alone."""
    if not hasattr(session.config, "workerinput"):
        session.config.stash[_MADE] = made()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tests that wrote into the checkout, beside caches, have failed."""
    before = session.config.stash.get(_MADE, None)
    found = [] if before is None else changes(before, made())
    if found:
        said = f"tests changed what lies in the checkout: {', '.join(found[:20])}"
        session.config.get_terminal_writer().line(f"\n{said}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A file's tests run in one process, which computes once what they share; the longest first."""
    items.sort(key=lambda item: item.get_closest_marker("xdist_group") is None)
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Thousands of tests and all modules are made, and stay: no garbage is looked for among them.

    Nor later often among all that is new: with nothing old to weigh it against it would take a
    twentieth of the time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()
        young, middle, _ = gc.get_threshold()
        gc.set_threshold(young, middle, 200)


@pytest.fixture(scope="module")
def checkout_untouched() -> Iterator[None]:
    """Fails the last test of a module during which any file of the checkout changes."""
    before = state()
    yield
    assert changes(before, state()) == []


@pytest.fixture(scope="session")
def driver() -> Iterator[Any]:
    """Chromium without a window; skips where there is none, unless one is asked for."""
    missing = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    if missing:
        reason = f"{' and '.join(missing)} not found: apt-get install chromium chromium-driver"
        if os.environ.get(_NEEDED):
            pytest.fail(reason)
        pytest.skip(reason)
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in _FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(executable_path=shutil.which("chromedriver"))
    # Without a folder of one's own the driver makes a fresh one, and removes it.
    found = webdriver.Chrome(options=options, service=service)
    try:
        yield found
    finally:
        found.quit()
