"""A command of the command line, run inside the test process."""

import contextlib
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from ctv.cli import main
from ctv.show.shown import Shown


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    code: int
    stdout: str
    stderr: str

    @property
    def json(self) -> dict[str, Any]:
        """Standard output as the one JSON object that it has to be, free of NaN and infinity."""
        assert self.code == 0, self.stderr
        assert len(self.stdout.splitlines()) == 1

        def refuse(name: str) -> None:
            raise AssertionError(f"{name} in JSON")

        value = json.loads(self.stdout, parse_constant=refuse)
        assert isinstance(value, dict)
        return value

    def is_one_line_about(self, *words: str) -> bool:
        """Whether this is bad input as promised, with every word in its one line."""
        lines = self.stderr.splitlines()
        return (
            self.code == 2
            and self.stdout == ""
            and len(lines) == 1
            and len(lines[0]) < 300
            and "Traceback" not in self.stderr
            and all(word in lines[0] for word in words)
        )


@pytest.fixture(autouse=True)
def a_terminal_of_100_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables as wide as they may be, whatever terminal runs the tests."""
    monkeypatch.setenv("COLUMNS", "100")


def printed(value: Shown) -> str:
    """Everything that a value prints, on lines of at most 100 columns."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        value.screen().print()
    return out.getvalue()


@pytest.fixture
def ctv(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Run `ctv` with these words and return its outcome."""

    def run(*words: object) -> Outcome:
        with pytest.raises(SystemExit) as left:
            main([str(word) for word in words])
        seen = capsys.readouterr()
        return Outcome(int(left.value.code or 0), seen.out, seen.err)

    return run
