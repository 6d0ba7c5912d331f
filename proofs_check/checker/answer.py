"""The checker is asked about a certificate of bounds: as a program, or inside the assistant."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from bounds.errors import InvalidInput
from bounds.progress import Stage, unstaged
from bounds.reading import Text, read_text
from proofs_check.checker.program import compiled, program
from proofs_check.checker.whole import (
    BELOW,
    FLOOR,
    Question,
    box_question,
    design_question,
    floor_question,
    gain_question,
    own_envelope_question,
    own_question,
    regret_question,
    space_question,
    text,
)
from proofs_check.recheck.outcome import CRASHES, Refused
from proofs_check.recheck.problem import require_problem
from proofs_check.recheck.reading import BOUND_FORMAT, kind_of, read
from proofs_check.recheck.shape import BOUND, require_shape

_ROUNDING = Fraction(1, 10**6)
_SECONDS = 600  # for each question
ROUNDS = 2_000
"""The longest problem that is asked about: the work grows with rounds times points."""
_QUESTIONS: Mapping[str, Callable[[Mapping[str, Any]], Question | None]] = {
    "row.envelope": regret_question,
    "gain.joint_dual": gain_question,
    "gain.lower": design_question,
    "gamma": space_question,
    "gamma.box": box_question,
    "floor": floor_question,
    "point_times.regret": own_question,
    "point_times.envelope": own_envelope_question,
}
_UNSTATED = ("row.envelope", "gamma.box", "point_times.envelope")
"""What is asked about where the certificate does not state it too."""


@dataclass(frozen=True)
class Answered:
    """What the checker says of one number.

    Attributes
    ----------
    id : the claim of the certificate that it is about
    accepted : whether it accepts
    claim : what it was asked: the regret is at most so much at every round, outside an event of
        probability less than δ; the gain of every sequence of points is at most so much, or would
        be if the objective did not move (gamma; gamma.box for all points of the box of a grid);
        that of one sequence is at least so much; every policy loses at least so much in the mean
        (floor), which may be less than is stated; where evaluation times depend on the point and
        none is above the `longest`, the regret is at most so much (point_times.regret, with
        deviations of 1, and point_times.envelope)
    stated : the number that the certificate states; None where it has none
    """

    id: str
    accepted: bool
    claim: float
    stated: float | None


@dataclass(frozen=True)
class Checked:
    """What the checker says of a certificate of bounds.

    Attributes
    ----------
    accepted : whether it accepts every claim that it was asked about
    by : "extracted", the program that was extracted from the proved checker, or "prover", the
        assistant's own kernel
    claims : the numbers, that of the regret first
    rounds, delta, delay, longest : of the problem; the longest evaluation time, where it has one
    seconds : the time that the questions took, without compilation
    """

    accepted: bool
    by: str
    claims: tuple[Answered, ...]
    rounds: int
    delta: float
    delay: int
    longest: float | None
    seconds: float


def ask(file: Path | Text, *, inside: bool = False, progress: Stage = unstaged) -> Checked:
    """Ask the proved checker about the regret and both sides of the gain of a certificate.

    A claim is what the certificate states, made weaker as far as its evidence in whole numbers
    needs, by at most 10⁻⁶ of itself; of the regret, where the certificate has no such row, it is
    the least that the dual proves. A floor is as much of what is stated as the checker can prove.
    `inside`, or where there is no OCaml, the assistant's kernel is asked in place of the extracted
    program: slower.

    Raises
    ------
    InvalidInput
        For a file that is no certificate of bounds, a damaged one, and a problem that the checker
        does not cover.
    """
    text_of_file = read_text(file, "recheck") if isinstance(file, Path) else file
    if kind_of(text_of_file) != "bound":
        raise InvalidInput(
            "kernel", "recheck", "give a certificate of bounds: ctv bound --certificate"
        )
    body = read(text_of_file, BOUND_FORMAT)
    require_shape(body, BOUND, text_of_file.name)
    try:
        _require_size(body["problem"])
        asked = _asked(body)
        problem = body["problem"]
        rounds, delta, delay = len(problem["times"]), float(problem["delta"]), problem["delay"]
    except InvalidInput:
        raise
    except (*CRASHES, Refused):
        raise InvalidInput(
            "recheck", text_of_file.name, "is damaged: write the certificate anew"
        ) from None
    inside = inside or shutil.which("ocamlfind") is None
    made = compiled(progress) if inside else program(progress)
    start = perf_counter()
    questions = [question for question, _ in asked.values()]
    accepted = _inside(questions, made) if inside else extracted(questions, made)
    seconds = perf_counter() - start
    claims = tuple(
        Answered(name, fine, float(question.claim), stated)
        for (name, (question, stated)), fine in zip(asked.items(), accepted, strict=True)
    )
    by = "prover" if inside else "extracted"
    longest = body["longest"]
    return Checked(all(accepted), by, claims, rounds, delta, delay, longest, seconds)


def _require_size(problem: Mapping[str, Any]) -> None:
    require_problem(problem)
    if len(problem["times"]) > ROUNDS:
        remedy = f"the checker is asked up to {ROUNDS:,} rounds"
        raise InvalidInput("kernel: times", str(len(problem["times"])), remedy)


def _asked(body: Mapping[str, Any]) -> dict[str, tuple[Question, float | None]]:
    """The questions about a certificate, and the numbers that it states."""
    stated = {claim["id"]: float(claim["value"]) for claim in body["claims"]}
    questions: dict[str, tuple[Question, float | None]] = {}
    for name, asking in _QUESTIONS.items():
        if name not in stated and name not in _UNSTATED:
            continue
        question, value = asking(body), stated.get(name)
        if question is not None:
            questions[name] = question if value is None else claimed(question, value), value
    if not questions:
        raise InvalidInput("kernel", "recheck", "it claims nothing that the checker knows")
    return questions


def claimed(question: Question, value: float) -> Question:
    """A question about a number that is stated, made weaker as far as the evidence needs.

    By at most 10⁻⁶ of itself: evidence that needs more is refused. A floor by any amount: what it
    has beside m* and the shares, the checker does not know.
    """
    exact = Fraction(repr(value))
    if question.kind == FLOOR:
        return replace(question, claim=min(exact, question.claim))
    if question.kind == BELOW:
        return replace(question, claim=max(min(exact, question.claim), exact * (1 - _ROUNDING)))
    return replace(question, claim=min(max(exact, question.claim), exact * (1 + _ROUNDING)))


def extracted(questions: Sequence[Question], made: Path) -> list[bool]:
    """What the extracted program says to questions about one problem."""
    done = _ran([str(made)], text(questions), _SECONDS * len(questions))
    said = done.stdout.split()
    whole = done.returncode == 0 and len(said) == len(questions)
    return [word == "accepted" for word in said] if whole else [False] * len(questions)


def _inside(questions: Sequence[Question], place: Path) -> list[bool]:
    answers = []
    for question in questions:
        with TemporaryDirectory() as temporary:
            file = Path(temporary) / "asked.v"
            file.write_text(question.theory(), encoding="utf-8")
            command = ["coqc", "-q", "-w", "none", "-Q", str(place), "CTV", str(file)]
            answers.append(_ran(command, "", _SECONDS).returncode == 0)
    return answers


def _ran(command: Sequence[str], given: str, seconds: float) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command, input=given, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        remedy = f"the checker did not answer within {seconds:g} s"
        raise InvalidInput("kernel", command[0].rpartition("/")[2], remedy) from None
