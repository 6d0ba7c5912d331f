"""The checker is asked about a certificate of bounds: as a program, or inside the assistant."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from bounds.errors import InvalidInput
from bounds.progress import Stage, unstaged
from bounds.reading import Text, read_text
from proofs_check.checker.program import compiled, program
from proofs_check.checker.whole import Question, question
from proofs_check.recheck.outcome import CRASHES
from proofs_check.recheck.reading import BOUND_FORMAT, kind_of, read
from proofs_check.recheck.shape import BOUND, require_shape

_ROUNDING = Fraction(1, 10**7)
_SECONDS = 600
ROUNDS, SIDE = 2_000, 200
"""The largest problem that is asked about: the work grows with rounds times points."""


@dataclass(frozen=True)
class Checked:
    """What the checker says of a bound on regret.

    Attributes
    ----------
    accepted : whether it accepts
    by : "extracted", the program that was extracted from the proved checker, or "prover", the
        assistant's own kernel
    claim : regret is at most so much at every round, outside an event of probability less than δ
    stated : the number that the certificate states for this bound; None where it has none
    rounds, delta : of the problem
    seconds : the time that the question took, without compilation
    """

    accepted: bool
    by: str
    claim: float
    stated: float | None
    rounds: int
    delta: float
    seconds: float


def ask(file: Path | Text, *, inside: bool = False, progress: Stage = unstaged) -> Checked:
    """Ask the proved checker about the headline of a certificate of bounds.

    The claim is what the certificate states for the envelope row, rounded up by 10⁻⁷ of itself; a
    certificate without that row is asked for the least that its dual proves. `inside`, or where
    there is no OCaml, the assistant's kernel is asked in place of the extracted program: slower.

    Raises
    ------
    InvalidInput
        For a file that is no certificate of bounds, a damaged one, and a problem that the checker
        does not cover.
    """
    text = read_text(file, "recheck") if isinstance(file, Path) else file
    if kind_of(text) != "bound":
        raise InvalidInput(
            "kernel", "recheck", "give a certificate of bounds: ctv bound --certificate"
        )
    body = read(text, BOUND_FORMAT)
    require_shape(body, BOUND, text.name)
    try:
        asked, stated = _asked(body)
        problem = body["problem"]
        rounds, delta = len(problem["times"]), float(problem["delta"])
    except InvalidInput:
        raise
    except CRASHES:
        raise InvalidInput(
            "recheck", "inflated", "is damaged: write the certificate anew"
        ) from None
    inside = inside or shutil.which("ocamlfind") is None
    made = compiled(progress) if inside else program(progress)
    start = perf_counter()
    accepted = _inside(asked, made) if inside else _extracted(asked, made)
    seconds = perf_counter() - start
    by = "prover" if inside else "extracted"
    return Checked(accepted, by, float(asked.claim), stated, rounds, delta, seconds)


def _asked(body: Mapping[str, Any]) -> tuple[Question, float | None]:
    problem = body["problem"]
    for name, size, most in (
        ("times", len(problem["times"]), ROUNDS),
        ("grid", problem.get("grid") or 0, SIDE),
    ):
        if not size <= most:
            raise InvalidInput(f"kernel: {name}", str(size), f"the checker is asked up to {most:,}")
    claims = {claim["id"]: claim["value"] for claim in body["claims"]}
    stated = claims.get("row.envelope")
    if stated is None:
        return question(body), None
    least = Fraction(repr(float(stated))) * (1 + _ROUNDING)
    return question(body, Fraction(ceil(least * 10**7), 10**7)), float(stated)


def _extracted(asked: Question, made: Path) -> bool:
    try:
        done = subprocess.run(
            [str(made)],
            input=asked.text(),
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0 and done.stdout.strip() == "accepted"


def _inside(asked: Question, place: Path) -> bool:
    with TemporaryDirectory() as temporary:
        work = Path(temporary)
        (work / "asked.v").write_text(asked.theory(), encoding="utf-8")
        done = subprocess.run(
            ["coqc", "-q", "-w", "none", "-Q", str(place), "CTV", "asked.v"],
            cwd=work,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
    return done.returncode == 0
