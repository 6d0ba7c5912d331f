"""The proved checker itself, compiled and asked: `make checker` runs these."""

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import log, pi, sqrt
from pathlib import Path
from typing import Any

import pytest

from bounds.errors import InvalidInput
from bounds.kernels import Forgetting
from bounds.reading import json_of, read_text
from bounds.times import EvaluationTimes
from ctv import bound
from proofs_check.checker.answer import ask, extracted
from proofs_check.checker.losses import levels
from proofs_check.checker.notation import Part
from proofs_check.checker.program import compiled, program
from proofs_check.checker.stated import Stated
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
)
from tests.proofs_check.checker_problems import drawn, evidence, halves

pytestmark = pytest.mark.slow
NEEDED = pytest.mark.skipif(shutil.which("ocamlfind") is None, reason="needs OCaml")
DRAWN = 60
"""Problems of the target: all are accepted, and each shift refused."""

PROBLEMS: tuple[Mapping[str, Any], ...] = (
    {"n": 40, "total": 40, "grid": 10, "epsilon": 1e-3},
    {"n": 30, "total": 3, "grid": 7, "epsilon": 1e-3, "lengthscale": 0.3},
    {"n": 25, "total": 50, "grid": 4, "epsilon": 0.02, "delta": 0.05, "noise_variance": 0.04},
    {"n": 12, "total": 20, "domain": "arms:3", "epsilon": 0.01},
)


def _every(body: Mapping[str, Any]) -> list[Question]:
    lost = floor_question(body)
    every = [regret_question(body), gain_question(body), design_question(body)]
    return every if lost is None else [*every, lost]


def _shifted(question: Question) -> Question:
    """Claims a millionth more than can be proved."""
    sign = 1 if question.kind in (BELOW, FLOOR) else -1
    return replace(question, claim=question.claim * (1 + Fraction(sign, 10**6)))


def _accepts(*questions: Question) -> list[bool]:
    return extracted(questions, program())


@NEEDED
@pytest.mark.parametrize("problem", PROBLEMS, ids=("inflated", "plain", "other numbers", "arms"))
def test_the_least_claims_are_accepted_and_a_millionth_more_is_not(
    problem: Mapping[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "bound.json"
    bound(certificate=path, **problem)
    found = ask(path)
    assert found.accepted
    assert [claim.id for claim in found.claims[:3]] == [
        "row.envelope",
        "gain.joint_dual",
        "gain.lower",
    ]
    body = json_of(read_text(path, "recheck").text)
    by_id = {claim.id: claim for claim in found.claims}
    still = space_question(body)
    assert (still is None) == ("domain" in problem) == ("gamma" not in by_id)
    assert by_id["floor"].claim <= by_id["floor"].stated
    assert by_id["point_times.regret"].claim == by_id["point_times.regret"].stated
    box = box_question(body)
    assert (box is not None) == ("gamma.box" in by_id)
    least = [*_every(body), *(one for one in (still, box) if one is not None)]
    assert _accepts(*least) == [True] * len(least)
    assert _accepts(*map(_shifted, least)) == [False] * len(least)


@NEEDED
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("delay", [1, 5, 1_000])
def test_late_floors_are_accepted_and_each_shift_refused(seed: int, delay: int) -> None:
    body = evidence(drawn(seed, rounds=25))[0]
    late = floor_question({**body, "problem": {**body["problem"], "delay": delay}})
    assert _accepts(late, _shifted(late)) == [True, False]


@NEEDED
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("delay", [1, 2, 1_000])
def test_late_regrets_are_accepted_and_each_shift_refused(seed: int, delay: int) -> None:
    """Neither a millionth less nor what would do for results that come a round earlier."""
    problem = drawn(seed, rounds=25)
    n, body = problem.n, evidence(problem)[0]

    def of(rounds: int) -> Question:
        return regret_question({**body, "problem": {**body["problem"], "delay": rounds}})

    late, sooner = of(delay), of(delay - 1)
    assert _accepts(late, _shifted(late), sooner) == [True, False, True]
    if sooner.claim > late.claim * (1 - Fraction(1, 10**6)):  # deviations of 1 in each round
        stated = Stated.of(body)
        beta = 2 * log(len(stated.places) * pi**2 * n**2 / (6 * float(stated.delta)))
        assert float(late.claim) == pytest.approx(2 * n * sqrt(beta), rel=1e-6)
    else:
        more = Part((*sooner.evidence.words[:-1], min(delay, n)), "")
        assert _accepts(replace(late, claim=sooner.claim), replace(sooner, evidence=more)) == [
            False,
            False,
        ]


@NEEDED
@pytest.mark.parametrize("seed", range(21))
def test_regrets_of_own_times_are_accepted_and_each_shift_refused(seed: int) -> None:
    """Markov clocks; by the gain where all rounds take the longest time."""
    problem = drawn(seed, rounds=25)
    body = evidence(problem)[0]
    plain, by_gain = own_question(body), own_envelope_question(body)
    assert (by_gain is not None) == (len(set(problem.times.durations.tolist())) == 1)
    asked = [plain] if by_gain is None else [plain, by_gain]
    assert _accepts(*asked, *map(_shifted, asked)) == [True] * len(asked) + [False] * len(asked)


@NEEDED
@pytest.mark.parametrize("epsilon", [0.0, 1e-4, 0.3])
def test_no_spoilt_weight_is_accepted(epsilon: float) -> None:
    """Fewer windows, a smaller weight, a longer time, a negative one; rounds of another length."""
    clock = Forgetting(epsilon)
    times = EvaluationTimes.from_durations([1.0] * 20)
    body = evidence(replace(drawn(1), times=times, time_kernel=clock))[0]
    plain, by_gain = own_question(body), own_envelope_question(body)
    top, _, windows, weight = plain.evidence.words[:4]
    for asked in (plain, by_gain):
        assert not _spoilt(asked, 3, int(weight * (1 - 1e-6)))
        assert not _spoilt(asked, 0, -top)
        assert not _spoilt(asked, 2, 0)
        assert windows == 1 or not _spoilt(asked, 2, windows - 1)
        assert not epsilon or not _spoilt(asked, 0, 1000 * top)
    assert not epsilon or not _accepts(_longer(body, by_gain))[0]


def _longer(body: Mapping[str, Any], by_gain: Question) -> Question:
    """The gain of rounds of length 1 as if it were that of rounds of length 3."""
    longer = own_question({**body, "longest": 3.0})
    words = (*longer.evidence.words[:5], *by_gain.evidence.words[5:])
    return replace(by_gain, claim=10 * by_gain.claim, evidence=Part(words, ""))


@NEEDED
@pytest.mark.parametrize("seed", range(DRAWN))
def test_drawn_certificates_are_accepted_and_each_shift_refused(seed: int) -> None:
    least = _every(evidence(drawn(seed))[0])
    many = len(least)
    assert many == 4 or drawn(seed).domain.size == 1
    assert _accepts(*least, *map(_shifted, least)) == [True] * many + [False] * many


@NEEDED
def test_several_duals_are_added_up() -> None:
    problem = drawn(6)
    parts = gain_question({**evidence(problem)[0], "dual": halves(problem)})
    assert _accepts(parts, _shifted(parts)) == [True, False]


def _spoilt(question: Question, at: int, value: int) -> bool:
    words = question.evidence.words
    spoilt = Part((*words[:at], value, *words[at + 1 :]), question.evidence.term)
    return _accepts(replace(question, evidence=spoilt))[0]


@NEEDED
def test_no_spoilt_number_is_accepted() -> None:
    """Each number that would lower a bound, made better by more than rounding."""
    body = evidence(drawn(1))[0]
    regret, above, below, lost = _every(body)
    words = regret.evidence.words
    gain, constant, factor, late = (len(words) - at for at in (9, 5, 3, 1))
    for at in (gain, constant, factor):
        assert not _spoilt(regret, at, int(words[at] * (1 - 1e-6)))
    assert not _spoilt(regret, factor + 1, 0)  # a denominator is positive
    for value in (1, 2**62 - 1):  # results that come late, and a number that would overflow
        assert not _spoilt(regret, late, value)
    words = above.evidence.words
    # One block: its rounds and scale, alpha, ..., what is left in each round, its gain.
    assert not _spoilt(above, 3, 2**40 - 1)  # alpha below 1
    for at in (-3, -4):
        assert not _spoilt(above, len(words) + at, words[at] - 2**20)
    assert not _spoilt(above, 1, words[1] - 1)  # rounds that are left out
    words, n = below.evidence.words, drawn(1).n
    assert not _spoilt(below, 2 + n - 1, 10**6)  # a point that there is not
    assert not _spoilt(below, len(words) - 1, words[-1] + 2**38)  # another weight
    words, count = lost.evidence.words, lost.evidence.words[1]
    assert not _spoilt(lost, 2, 10**6)  # a point that there is not
    assert not _spoilt(lost, 2, words[3])  # a point twice
    assert not _spoilt(lost, 2 + count, words[2 + count] + 2**20)  # more of the identity
    steps = 2 + count + 2 + count * (count + 1) + 2
    assert words[steps] == levels(count)
    assert not _spoilt(lost, steps, words[steps] // 2)  # levels that are left out
    assert not _spoilt(lost, steps - 2, 1)  # levels that begin above 0
    later = floor_question({**body, "problem": {**body["problem"], "delay": 2}})
    assert not _spoilt(later, steps + 1, 1)  # results that are known earlier


@NEEDED
@pytest.mark.parametrize("kernel", ["se", "matern32", "matern52", "matern:5.5"])
@pytest.mark.parametrize(
    "axes", [{"dimension": 1, "grid": 12}, {"dimension": 2, "grid": 8}, {"dimension": 3, "grid": 4}]
)
def test_the_gain_of_the_box_is_accepted_and_nothing_spoilt(
    kernel: str, axes: Mapping[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "bound.json"
    bound(certificate=path, n=15, kernel=kernel, lengthscale=4.0, epsilon=1e-3, **axes)
    body = json_of(read_text(path, "recheck").text)
    box, on_grid = box_question(body), space_question(body)
    assert _accepts(box, _shifted(box)) == [True, False]
    words, d = box.evidence.words, axes["dimension"]
    assert words[: 1 + 2 * d] == (d, *((1, axes["grid"] - 1) * d))
    for at, value in ((0, d - 1), (1, 2), (2, axes["grid"]), (2, axes["grid"] - 2), (1, 0)):
        assert not _spoilt(box, at, value)
    # What is left at the points themselves, as the line of the grid has it.
    assert not _accepts(replace(box, claim=on_grid.claim))[0]
    plain = Part((*words[: 1 + 2 * d], *on_grid.evidence.words[2:-2]), "")
    assert not _accepts(replace(box, evidence=plain))[0]
    assert not _spoilt(box, len(words) - 1, words[-1] * 3 // 4)
    assert not _spoilt(box, len(words) - 1, -words[-1])


@NEEDED
def test_a_problem_that_is_none_is_refused() -> None:
    """No points, a negative rate, no noise, δ above 1: spoilt in the problem itself."""
    least = _every(evidence(drawn(1))[0])
    words = least[0].problem.words
    n, points = drawn(1).n, drawn(1).domain.size
    at = {"unit": n + 1, "delta": len(words) - 1, "points": len(words) - 3 - 2 * points}
    rate = at["points"] - 2
    for place, value in ((at["unit"], 0), (at["delta"], 0), (rate, -1)):
        spoilt = Part((*words[:place], value, *words[place + 1 :]), "")
        assert _accepts(*(replace(one, problem=spoilt) for one in least)) == [False] * 4
    loud = Part((*words[: at["delta"] - 1], 2 * words[-1], words[-1]), "")
    assert _accepts(replace(least[0], problem=loud)) == [False]


@NEEDED
def test_a_checker_that_does_not_answer_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proofs_check.checker.answer._SECONDS", 1e-4)
    with pytest.raises(InvalidInput, match="did not answer within"):
        _accepts(*_every(evidence(drawn(3))[0]))


@NEEDED
def test_late_results_are_asked_about(tmp_path: Path) -> None:
    """The regret, which no row of the certificate states, both sides of the gain, γ, the floor."""
    path = tmp_path / "late.json"
    bound(certificate=path, delay=2, **PROBLEMS[1])
    found = ask(path)
    assert (found.accepted, found.delay) == (True, 2)
    assert found.claims[0].stated is None
    assert [claim.id for claim in found.claims] == [
        "row.envelope",
        "gain.joint_dual",
        "gain.lower",
        "gamma",
        "floor",
    ]


@NEEDED
def test_hostile_numbers_end() -> None:
    """Lengths that lie, words that are no numbers, nothing at all."""
    for said in ("", "5 1 1", "9" * 12, "-1", "x", "1 1 1 0 1 2 1 1 0 1 1 99999999999999999999 1"):
        done = subprocess.run(
            [str(program())], input=said, capture_output=True, text=True, check=False, timeout=60
        )
        assert "accepted" not in done.stdout


@pytest.mark.parametrize("seed", [2, 4])
def test_the_kernel_itself_says_the_same(seed: int, tmp_path: Path) -> None:
    least = _every(evidence(drawn(seed, rounds=15))[0])
    place = compiled()

    def proved(questions: Sequence[Question]) -> list[bool]:
        found = []
        for question in questions:
            (tmp_path / "asked.v").write_text(question.theory(), encoding="utf-8")
            command = ["coqc", "-q", "-w", "none", "-Q", str(place), "CTV", "asked.v"]
            done = subprocess.run(
                command, cwd=tmp_path, capture_output=True, text=True, check=False
            )
            found.append(done.returncode == 0)
        return found

    assert proved(least) == [True] * 4
    assert proved(list(map(_shifted, least))) == [False] * 4


def test_the_kernel_is_asked_about_a_file(tmp_path: Path) -> None:
    path = tmp_path / "bound.json"
    bound(certificate=path, **PROBLEMS[2])
    found = ask(path, inside=True)
    assert (found.accepted, found.by) == (True, "prover")
    assert {claim.id for claim in found.claims} >= {"gamma", "point_times.envelope"}
