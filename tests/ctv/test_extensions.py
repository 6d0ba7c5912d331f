"""A package of somebody else adds a command, times and options, and is a part of the program."""

import subprocess
import sys
from pathlib import Path

import pytest

from bounds.errors import InvalidInput
from ctv import extensions

STRANGER = '''
"""A package that adds a command and a source of times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from bounds.times import EvaluationTimes
from ctv.show.shown import Screen, Shown


@dataclass(frozen=True, eq=False, repr=False)
class Greeting(Shown):
    """A greeting."""

    format = "stranger greeting 1"
    name: str

    def parts(self):
        return {"greeting": self.name, "problem": {}}

    def screen(self):
        return Screen((f"Good day, {self.name}.",))

    def headline(self):
        return self.name


def greet(
    name: Annotated[str, typer.Option(help="Who is greeted.", metavar="NAME")] = "reader",
    *,
    advance,
) -> Shown:
    """Say good day."""
    return Greeting(name)


class Ticks:
    """Reads a file of dots, each a second."""

    def recognises(self, text, cell=""):
        return set(text.text.strip()) == {"."}

    def read(self, text, unit):
        return EvaluationTimes.from_durations([1.0] * text.text.count("."), source="dots")


TICKS = Ticks()
LEDGER = __file__.replace("stranger.py", "planted.toml")
'''
PLANTED = """[planted-below]
label = "L"
where = "here"
statement = "For x in [0, 1]: x <= 1."
for = "x in [0, 1]"
formula = "x <= 1"
because = "The end of the interval."
"""
POINTS = """[ctv_bounds.commands]
greet = stranger:greet
[ctv_bounds.times]
ticks = stranger:TICKS
[ctv_bounds.ledgers]
planted = stranger:LEDGER
"""


@pytest.fixture
def stranger(tmp_path: Path) -> Path:
    """A folder that holds an installed package of somebody else."""
    home = tmp_path / "site"
    info = home / "stranger-1.0.dist-info"
    info.mkdir(parents=True)
    (home / "stranger.py").write_text(STRANGER, encoding="utf-8")
    (home / "planted.toml").write_text(PLANTED, encoding="utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(POINTS)
    return home


def run_with(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    code = f"import sys; sys.path.insert(0, {str(home)!r}); from ctv.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=False
    )


def test_a_strangers_command_and_times_are_seen(stranger: Path) -> None:
    assert run_with(stranger, "greet", "--name", "Ada").stdout == "Good day, Ada.\n"
    dots = stranger / "dots.txt"
    dots.write_text("....")
    found = run_with(stranger, "uniformity", "--times", str(dots), "--epsilon", "0")
    # Four times, one apart: Σ_j Σ_k (j − k)² = 2·(3·1 + 2·4 + 1·9) = 40.
    assert "40" in found.stdout and found.returncode == 0
    python = (
        f"import sys; sys.path.insert(0, {str(stranger)!r}); import ctv; "
        "print(repr(ctv.greet(name='Ada')), 'greet' in dir(ctv))"
    )
    said = subprocess.run([sys.executable, "-c", python], capture_output=True, text=True)
    assert said.stdout == "<Greeting: Ada> True\n"


def test_a_strangers_ledger_is_examined_by_its_name(stranger: Path) -> None:
    """Its one claim is about a bounded number: enclosures cover it without being asked."""
    found = run_with(stranger, "verify", "planted", "--workers", "1")
    assert found.returncode == 0 and found.stdout.startswith("planted: 1 claim: 1 PROVED.")
    other = run_with(stranger, "verify", "plantet")
    assert other.returncode == 2 and "plantet" in other.stderr


def test_a_broken_package_is_one_line(stranger: Path) -> None:
    (stranger / "stranger.py").write_text("import nothing_of_this_name\n")
    found = run_with(stranger, "--help")
    assert found.returncode == 2 and found.stdout == ""
    assert found.stderr.count("\n") == 1 and "extension = greet" in found.stderr


def test_what_the_distribution_itself_adds() -> None:
    assert {"fit", "suggest"} <= set(extensions.names("commands"))
    for group in extensions.GROUPS.keys() - {"ledgers"}:  # its own are read in any case
        assert set(extensions.loaded(group)) == set(extensions.names(group)) != set()
    with pytest.raises(KeyError):
        extensions.names("nothing")


def test_an_option_group_is_a_dataclass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extensions, "loaded", lambda group: {"odd": 1})
    with pytest.raises(InvalidInput, match="odd"):
        extensions.option_groups("problems")
