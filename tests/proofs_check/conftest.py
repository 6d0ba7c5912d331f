"""The whole ledger, verified once for all tests that read it: mark them `xdist_group("ledger")`."""

import pytest

from proofs_check.records.ledger import Ledger
from proofs_check.records.verify import verify


@pytest.fixture(scope="session")
def ledger() -> Ledger:
    return verify(workers=2)
