"""A command of the command line, run inside the test process."""

import contextlib
import io
import json
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from functools import cache, wraps
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from ctv.cli import COMMANDS, command_names, main
from ctv.options.problem import Given
from ctv.show.shown import Shown

ROOT = Path(__file__).resolve().parents[1]
SCHEMA = json.loads((ROOT / "docs" / "formats.schema.json").read_text(encoding="utf-8"))


@cache
def schema_of(name: str) -> Draft202012Validator:
    """What the documentation says of the objects of this format, whose version is in the schema."""
    kinds = SCHEMA["$defs"]
    found = [
        k for k, one in kinds.items() if one.get("properties", {}).get("format") == {"const": name}
    ]
    assert len(found) == 1, f"{name} is not in docs/formats.schema.json"
    return Draft202012Validator({"$defs": kinds, "$ref": f"#/$defs/{found[0]}"})


def described(value: Mapping[str, Any]) -> None:
    """The JSON of a command is what docs/formats.schema.json says of its format, no key more."""
    wrong = [
        f"{e.json_path} {e.message[:90]}" for e in schema_of(value["format"]).iter_errors(value)
    ]
    assert not wrong, f"{value['format']}: {'; '.join(wrong[:5])}"


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
        described(value)
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
    """Run `ctv` with these words, of which the first may be a line of several."""

    def run(*words: object) -> Outcome:
        given = [str(word) for word in words]
        first = shlex.split(given[0]) if given and " " in given[0] else []
        if first and first[0] in command_names():
            given[:1] = first
        with pytest.raises(SystemExit) as left:
            main(given)
        seen = capsys.readouterr()
        return Outcome(int(left.value.code or 0), seen.out, seen.err)

    return run


def modules() -> Iterator[tuple[Any, str]]:
    """The module of every command, and its name there."""
    for name in command_names():
        yield import_module(f"{'ctv' if name in COMMANDS else 'own_runs'}.commands.{name}"), name


@pytest.fixture
def computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command computes once for equal options and files, in all tests that ask for this.

    For texts and JSON of the same words: nothing that the command calls is replaced, and what it
    writes is not looked at.
    """
    for module, name in modules():
        monkeypatch.setattr(module, name, _remembering(getattr(module, name)))


_REMEMBERED: dict[str, Shown] = {}


def _remembering(command: Callable[..., Shown]) -> Callable[..., Shown]:
    @wraps(command)
    def remembered(*arguments: Any, **options: Any) -> Shown:
        given = {name: _asked(value) for name, value in options.items() if name != "advance"}
        key = repr((command.__module__, arguments, given, sorted(_files(given))))
        if key not in _REMEMBERED:
            _REMEMBERED[key] = command(*arguments, **options)
        return _REMEMBERED[key]

    return remembered


def _asked(value: object) -> object:
    """An option, or the names of those in use without how the value is shown."""
    shown = {"json", "everything"}
    return sorted(value.names - shown) if isinstance(value, Given) else value


def _files(value: object) -> Iterator[tuple[str, int, int]]:
    """Every file that options name, as it is now."""
    if is_dataclass(value):
        value = vars(value)
    if isinstance(value, Mapping):
        value = tuple(value.values())
    if isinstance(value, tuple | list):
        for one in value:
            yield from _files(one)
    elif isinstance(value, str | Path) and len(str(value)) < 1_000 and Path(value).is_file():
        seen = Path(value).stat()
        yield str(value), seen.st_size, seen.st_mtime_ns
