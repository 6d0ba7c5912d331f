"""The plug-in for pytest that the package brings: each claim of a ledger is a test.

`pytest --claims` collects every `paper.toml` below the folders that it is given, and every
`*.claims.toml`; either named on the command line is collected without the option too. A test
passes where the verdict is the expected one, so that the claims of a paper stay true, and its false
statements false, whatever else is edited beside them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--claims`."""
    parser.getgroup("ctv-bounds").addoption(
        "--claims",
        action="store_true",
        help="collect ledgers of claims: paper.toml and *.claims.toml",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A ledger as a file of tests, where `--claims` or its own name asks for it."""
    ledger = file_path.name == "paper.toml" or file_path.name.endswith(".claims.toml")
    asked = parent.config.getoption("claims") or parent.session.isinitpath(file_path)
    if ledger and asked:
        return LedgerFile.from_parent(parent, path=file_path)
    return None


class LedgerFile(pytest.File):
    """A ledger; raises `InvalidInput` at collection for a file that is wrong."""

    def collect(self) -> Iterator[pytest.Item]:
        """One test a claim, in the order of the paper."""
        from proofs_check.ledgers import opened

        opening = opened([self.path])
        for claim in opening.claims:
            yield ClaimTest.from_parent(self, name=claim.id, known=tuple(opening.known.values()))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *_: Any) -> str:
        """The one line that says what is wrong with the file."""
        return str(excinfo.value)


class ClaimTest(pytest.Item):
    """A claim that is to have its expected verdict."""

    def __init__(self, *, known: tuple[Any, ...], **rest: Any) -> None:
        super().__init__(**rest)
        self.known = known

    def runtest(self) -> None:
        """Examine it; raises `Unexpected` for another verdict."""
        from proofs_check.records.verify import verify

        (row,) = verify([self.name], claims=self.known).rows
        if not row.as_expected:
            wanted = f"{row.verdict}, expected {row.claim.expected}"
            raise Unexpected(f"{self.name} is {wanted}: {row.reason}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *_: Any) -> Any:
        """The verdict and its reason, without a traceback."""
        if isinstance(excinfo.value, Unexpected):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Where the claim stands."""
        return self.path, None, self.name


class Unexpected(AssertionError):
    """A verdict that is not the expected one."""
