"""What many tests of the ledger and of rechecks share: each value is derived once.

Tests that read the whole ledger are marked `xdist_group("ledger")`.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

import pytest

from bounds.arrays import FloatArray
from proofs_check.recheck.bounds import bound, floor, prices
from proofs_check.records.ledger import Ledger
from proofs_check.records.verify import verify


@pytest.fixture(scope="session")
def ledger() -> Ledger:
    return verify(workers=2)


@pytest.fixture(scope="module", autouse=True)
def derived_once(request: pytest.FixtureRequest) -> Iterator[None]:
    """A forged file is derived again but for the dearest numbers that it shares with others.

    Not where single refusals are taken out of the source, by which the same file has other numbers.
    """
    with pytest.MonkeyPatch.context() as patch:
        if request.path.name != "test_refusals.py":
            patch.setattr(floor, "shaped_worth", SHAPED_WORTH)
            patch.setattr(bound, "recheck_schedule", RECHECK_SCHEDULE)
            patch.setattr(prices._Step, "of", STEP_OF)
        yield


def _by_content(function: Callable[..., Any]) -> Callable[..., Any]:
    @cache
    def known(text: str) -> Any:
        return function(*json.loads(text))

    def call(*parts: Any) -> Any:
        return known(json.dumps(parts))

    call.cache_clear = known.cache_clear  # type: ignore[attr-defined]  # for tests.mutants
    return call


def _of_a_wait(function: Callable[..., Any]) -> Callable[..., Any]:
    known: dict[tuple[str, Fraction, bytes], Any] = {}

    def call(kernel: Mapping[str, Any], wait: Fraction, knots: FloatArray) -> Any:
        key = json.dumps(kernel), wait, knots.tobytes()
        if key not in known:
            known[key] = function(kernel, wait, knots)
        return known[key]

    call.cache_clear = known.clear  # type: ignore[attr-defined]  # for tests.mutants
    return call


SHAPED_WORTH = lru_cache(maxsize=None)(floor.shaped_worth)
RECHECK_SCHEDULE = _by_content(bound.recheck_schedule)
STEP_OF = _of_a_wait(prices._Step.of)
