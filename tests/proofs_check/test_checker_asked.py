"""The proved checker itself, compiled and asked: `make proofs` runs these."""

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from bounds.reading import json_of, read_text
from ctv import bound
from proofs_check.checker.answer import ask
from proofs_check.checker.program import compiled, program
from proofs_check.checker.whole import Question, question

pytestmark = pytest.mark.slow
NEEDED = pytest.mark.skipif(shutil.which("ocamlfind") is None, reason="needs OCaml")

PROBLEMS: tuple[Mapping[str, Any], ...] = (
    {"n": 40, "total": 40, "grid": 10, "epsilon": 1e-3},
    {"n": 30, "total": 3, "grid": 7, "epsilon": 1e-3, "lengthscale": 0.3},
    {"n": 25, "total": 50, "grid": 4, "epsilon": 0.02, "delta": 0.05, "noise_variance": 0.04},
)


def _accepts(asked: Question) -> bool:
    done = subprocess.run(
        [str(program())], input=asked.text(), capture_output=True, text=True, check=False
    )
    return done.stdout.strip() == "accepted"


def _certificate(problem: Mapping[str, Any], folder: Path) -> tuple[Path, Mapping[str, Any]]:
    path = folder / "bound.json"
    bound(certificate=path, **problem)
    body: Mapping[str, Any] = json_of(read_text(path, "recheck").text)
    return path, body


@NEEDED
@pytest.mark.parametrize("problem", PROBLEMS, ids=("inflated", "plain", "other numbers"))
def test_the_least_claim_is_accepted_and_a_millionth_less_is_not(
    problem: Mapping[str, Any], tmp_path: Path
) -> None:
    path, body = _certificate(problem, tmp_path)
    assert ask(path).accepted
    least = question(body)
    assert _accepts(least)
    assert not _accepts(question(body, least.claim * (1 - Fraction(1, 10**6))))


@NEEDED
def test_no_spoilt_number_is_accepted(tmp_path: Path) -> None:
    """Each number that would lower the bound, made better by more than rounding."""
    _, body = _certificate(PROBLEMS[0], tmp_path)
    asked = question(body)
    rounds = asked.numbers[0]
    after = 1 + rounds

    def spoilt(at: int, value: int) -> bool:
        numbers = (*asked.numbers[:at], value, *asked.numbers[at + 1 :])
        return _accepts(replace(asked, numbers=numbers))

    gain, constant, factor, claim = after + 13, after + 17, after + 19, after + 21
    for at in (gain, constant, factor, claim):
        assert not spoilt(at, int(asked.numbers[at] * (1 - 1e-6)))
    for at in (-1, -rounds):  # what is left of the variance of a round
        assert not spoilt(len(asked.numbers) + at, asked.numbers[at] - 2**20)
    assert not spoilt(after + 23 + 1, 2**40 - 1)  # alpha below 1
    assert not spoilt(after + 6, 0)  # the number of points is positive
    assert not spoilt(after + 5, 0)  # so is each denominator


def test_the_kernel_itself_says_the_same(tmp_path: Path) -> None:
    path, body = _certificate(PROBLEMS[2], tmp_path)
    found = ask(path, inside=True)
    assert (found.accepted, found.by) == (True, "prover")
    false = question(body, question(body).claim * (1 - Fraction(1, 10**6)))
    (tmp_path / "asked.v").write_text(false.theory(), encoding="utf-8")
    command = ["coqc", "-q", "-w", "none", "-Q", str(compiled()), "CTV", "asked.v"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode != 0
