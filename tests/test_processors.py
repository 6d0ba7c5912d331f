"""What is shown has the same digits on every processor.

Commands run in processes of their own, as processors that this one can play (`tests.processors`);
`make test-processors` runs them, `make test` what is about the players.
"""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from bounds.numerics.ties import TIE, first_largest
from tests.processors import NEEDS, environment, found, own_core, playable

ROOT = Path(__file__).resolve().parent.parent
LOG = (
    "certify ctv/data/optuna_trials.csv --minimize --draws 19 "
    "--domain 'params_C=1e-2..1e3 log, params_gamma=1e-5..1e-1 log'"
)
TIMES = "--times ctv/data/gradient_boosting_digits.csv --epsilon 1e-4"
COMMANDS = {
    "a design on a symmetric grid": "gain --rounds 5,12 --grid 12",
    "the same in a smoother space": "gain --rounds 5,12 --grid 11 --lengthscale 0.6",
    "paths under priors that were fitted": LOG,
    "bounds": f"bound {TIMES} --grid 12 --all",
    "runs": "simulate --setting biased --policy gp-ucb,ctv,ts --runs 2 --grid 12 --initial 5 "
    "--rounds 15 --all",
    "runs on a smoother field, with other times": "simulate --setting uniform --policy tv,ts "
    "--runs 2 --grid 17 --lengthscale 0.5 --time-kernel se:lengthscale=5 "
    "--initial 5 --rounds 15 --all",
}

played = pytest.mark.skipif(len(playable()) < 2, reason="no other processor can be played here")


PROGRAM = """
import contextlib, io, json, shlex, sys
from ctv.cli import main

shown = {}
for name, command in json.load(sys.stdin).items():
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            main(shlex.split(command))
        except SystemExit as left:
            assert not left.code, said.getvalue()
    shown[name] = said.getvalue()
print(json.dumps(shown))
"""
"""All commands one after the other: most of a short one is its start."""


@cache
def shown(core: str, threads: int) -> dict[str, str]:
    """What each command prints on both channels."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        env={**environment(core, threads), "COLUMNS": "80"},
        input=json.dumps(COMMANDS),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout)
    return found


@played
@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("core", "threads"), [("Prescott", 2), ("Haswell", 1)])
def test_commands_show_the_same_digits_on_other_processors(core, threads, command):
    own = own_core() if own_core() in NEEDS else playable()[0]
    here = shown(own, 2)[command]
    assert here
    if core in playable() and core != own:
        assert shown(core, threads)[command] == here


@played
def test_the_processors_that_are_played_round_otherwise():
    """Else the tests above could not fail."""
    code = (
        "import numpy as np; x = np.random.default_rng(0).random((300, 300));"
        "from threadpoolctl import threadpool_info;"
        "print([i['architecture'] for i in threadpool_info() if 'architecture' in i]);"
        "print((x @ x).tobytes().hex()[:200000])"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=environment(core, 1),
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for core in playable()
    }
    assert len(seen) >= 2


def test_only_what_this_processor_has_is_played():
    assert set(playable()) <= set(NEEDS)
    if playable():
        assert "Prescott" in playable()
        lacking = environment("Prescott", 1)["NPY_DISABLE_CPU_FEATURES"]
        assert lacking == ",".join(found())
        assert environment("Haswell", 2)["OPENBLAS_NUM_THREADS"] == "2"
    assert {**os.environ}.items() <= {**environment("Prescott", 1), **os.environ}.items()


@pytest.mark.parametrize("nudge", [0.0, 1e-15, -1e-15, 3e-12])
def test_the_first_of_what_ties_is_taken(nudge):
    values = np.array([0.5, 2.0, 2.0 * (1.0 + nudge), 1.0])
    assert first_largest(values) == 1
    assert first_largest(-values) == 0
    assert first_largest(np.array([0.0, 10.0 * TIE])) == 1
    assert first_largest(np.array([0.0, 10.0 * TIE]), scale=100.0) == 0


def test_nothing_that_is_infinite_ties():
    assert first_largest(np.full(3, -np.inf)) == 0
    assert first_largest(np.array([-np.inf, 1.0, np.inf, np.inf])) == 2
    assert first_largest(np.array([-np.inf, -7.0])) == 1
