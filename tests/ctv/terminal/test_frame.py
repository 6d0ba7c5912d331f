"""Exit codes, and the one line on standard error for everything that can be wrong."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from bounds.errors import InvalidInput, NumericalFailure
from ctv.terminal import frame

BAD_WORDS = [
    (["--nothing"], ["option", "--nothing"]),
    (["nothing"], ["command", "nothing", "uniformity"]),
    (["uniformity", "--nn", "3"], ["option", "--nn", "--n"]),
    (["uniformity", "extra"], ["argument", "extra"]),
    (["uniformity", "--n"], ["n = nothing", "value"]),
    (["uniformity", "--json=1"], ["json", "flag"]),
    (["uniformity", "--n", "many"], ["n = many", "whole"]),
    (["uniformity", "--n", "2.5"], ["n = 2.5", "whole"]),
    (["uniformity", "--n", ""], ["n = ''", "whole"]),
    (["uniformity", "--n", "0"], ["n = 0"]),
    (["uniformity", "--n", "1e30"], ["n = 1"]),
    (["uniformity", "--total", "-1"], ["total = -1"]),
    (["uniformity", "--total", "nan"], ["total = nan"]),
    (["uniformity", "--epsilon", "x" * 500], ["epsilon", "…", "number"]),
    (["uniformity", "--epsilon", "1"], ["epsilon = 1"]),
    (["uniformity", "--epsilon", "nan"], ["epsilon = nan"]),
    (["uniformity", "--noise-variance", "0"], ["noise-variance = 0"]),
    (["uniformity", "--noise-variance", "1e-400"], ["noise-variance = 0"]),
    (["uniformity", "--delta", "1"], ["delta = 1"]),
    (["uniformity", "--kernel", "cubic"], ["kernel = cubic", "matern:NU"]),
    (["uniformity", "--kernel", "matern:0"], ["nu = 0"]),
    (["uniformity", "--kernel", "matern:x"], ["kernel = matern:x"]),
    (["uniformity", "--lengthscale", "inf"], ["lengthscale = inf"]),
    (["uniformity", "--time-kernel", "cubic"], ["time-kernel = cubic"]),
    (["uniformity", "--time-kernel", "forgetting:lengthscale=3"], ["time-kernel = 3"]),
    (["uniformity", "--grid", "0"], ["grid = 0"]),
    (["uniformity", "--grid", "999"], ["grid = 999"]),
    (["uniformity", "--dimension", "0"], ["dimension = 0"]),
    (["uniformity", "--grid", "1", "--dimension", "100000"], ["dimension = 100000", "to 64"]),
    (["uniformity", "--side", "0"], ["side = 0"]),
    (["uniformity", "--sequence", "random"], ["sequence = random", "pareto"]),
    (["uniformity", "--ratio", "2"], ["option = --ratio", "geometric:ratio="]),
    (["uniformity", "--sequence", "biased:gap=1"], ["sequence = gap", "n0"]),
    (["uniformity", "--sequence", "uniform:gap=1"], ["sequence = gap", "drop it"]),
    (["uniformity", "--sequence", "bursts:gap"], ["sequence = gap", "NAME=VALUE"]),
    (["uniformity", "--sequence", "bursts:"], ["sequence = bursts:"]),
    (["uniformity", "--sequence", "bursts:gap=1,gap=2"], ["sequence = gap", "once"]),
    (["uniformity", "--sequence", "bursts:gap=x"], ["gap = x", "number"]),
    (["uniformity", "--duration", "t"], ["duration = t", "--times"]),
    (["uniformity", "--end", "t"], ["end = t", "--times"]),
    (["uniformity", "--times", "missing.csv"], ["times = missing.csv", "no such file"]),
    (["uniformity", "--times", "."], ["times = .", "folder"]),
    (["uniformity", "--times", "x.csv", "--n", "3"], ["n = 3", "--times"]),
    (["uniformity", "--times", "x.csv", "--sequence", "uniform"], ["sequence"]),
    (["uniformity", "--sequence", "pareto", "--seed", "-1"], ["seed = -1"]),
    (["uniformity", "--sequence", "biased:n0=131"], ["n0 = 131"]),
    (["uniformity", "--rounds", "1-131"], ["rounds = 1-131"]),
    (["uniformity", "--rounds", "3"], ["rounds = 3", "FIRST-LAST"]),
    (["uniformity", "--rounds", "a-4"], ["rounds = a"]),
]


@pytest.mark.parametrize(("words", "named"), BAD_WORDS, ids=lambda words: " ".join(words)[:40])
def test_bad_input_is_one_line(ctv, words: list[str], named: list[str]) -> None:
    outcome = ctv(*words)
    assert outcome.is_one_line_about("ctv: ", *named), outcome


def test_a_line_stays_one_line_whatever_is_in_the_value(ctv) -> None:
    outcome = ctv("uniformity", "--kernel", "a\nb\x1b[31mc\u2028d")
    assert outcome.is_one_line_about("kernel = a b [31mc d")


def test_without_a_command_the_help_is_shown(ctv) -> None:
    for words in ([], ["--help"], ["-h"], ["uniformity", "--help"]):
        outcome = ctv(*words)
        assert (outcome.code, outcome.stderr) == (0, "")
        assert "Usage" in outcome.stdout
        assert max(map(len, outcome.stdout.splitlines())) <= 100


@pytest.mark.parametrize(
    ("raised", "code", "words"),
    [
        (InvalidInput("field", "value", "remedy"), 2, ["field = value: remedy"]),
        (NumericalFailure("lost\nall digits"), 1, ["lost all digits"]),
        (KeyboardInterrupt(), 130, ["interrupted"]),
        (MemoryError(), 2, ["memory"]),
    ],
)
def test_what_a_command_raises(capsys, raised: BaseException, code: int, words: list[str]) -> None:
    app = typer.Typer(cls=frame.OneLineErrors, add_completion=False)

    @app.command()
    def failing() -> None:
        raise raised

    @app.command()
    def other() -> None:
        """A second command, so that the first keeps its name."""

    with pytest.raises(SystemExit) as left:
        app(["failing"])
    seen = capsys.readouterr()
    assert (left.value.code, seen.out, len(seen.err.splitlines())) == (code, "", 1)
    assert all(word in seen.err for word in words)


def test_a_defect_is_not_hidden() -> None:
    app = typer.Typer(cls=frame.OneLineErrors, add_completion=False, pretty_exceptions_enable=False)

    @app.command()
    def failing() -> None:
        raise ZeroDivisionError

    @app.command()
    def other() -> None:
        """A second command, so that the first keeps its name."""

    with pytest.raises(ZeroDivisionError):
        app(["failing"])


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        ended = subprocess.run(
            [sys.executable, "-m", "ctv", "uniformity", "--json"],
            stdout=pipe,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
            check=False,
        )
    assert (ended.returncode, ended.stderr) == (0, b"")


@pytest.mark.parametrize("words", ["--version", "bound --help", "bound --nothing"])
def test_a_command_that_computes_nothing_starts_at_once(words: str) -> None:
    def spent() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    # Processor time, so that a busy machine does not count.
    seconds = []
    for _ in range(3):
        before = spent()
        subprocess.run(
            [sys.executable, "-m", "ctv", *words.split()], capture_output=True, check=False
        )
        seconds.append(spent() - before)
    assert min(seconds) < 1.0
