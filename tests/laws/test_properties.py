"""Whole problems, drawn, simulated and held against everything that must be true of them.

Small here; `make properties` draws 10,000.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bounds.domain import Arms, Grid, Points
from bounds.times import EvaluationTimes
from simulation.laws.case import one_run, play
from simulation.laws.choice_laws import choice_laws
from simulation.laws.drawn import cases
from simulation.laws.inequality import require
from simulation.laws.looked_at import Looked
from simulation.laws.policy_laws import hold
from simulation.policies.registry import names
from simulation.study.command import command_of, points_text, times_text, words_of
from simulation.study.stored import stored_runs
from simulation.study.study import StudySpec
from tests.laws.properties import COMPARED

EVERYWHERE = ("gain <= refined", "gain <= certified joint_dual", "refined <= additive")
ON_THE_EVENT = (
    "regret of a round <= 2 sqrt(beta_i) sigma_i",
    "t(x): regret of a round <= 3.067 sqrt(beta_i) sigma_i",
    "regret <= 2 sum sqrt(beta_i) sigma_i",
    "regret <= regret by refined",
)


def test_everything_that_must_be_true_of_a_run() -> None:
    looked = Looked()
    hold(looked.at, cases(), 75)
    looked.runs.require()
    assert {*EVERYWHERE, *ON_THE_EVENT} <= set(looked.tightest.seen)  # what is never asked passes
    assert sum(len(seen) for seen in looked.runs.failed.values()) >= 20


FOUND = (
    # A Gram matrix so nearly singular that the sum of its inverse was not certainly positive.
    one_run(
        Grid(2, 0.1, 6),
        (0.0,),
        0,
        1,
        epsilon=0.0,
        time_kernel="se",
        time_lengthscale=0.1,
        noise_variance=1e-4,
        delta=0.02,
    ),
)
"""What the laws found once."""


_LONGER = EvaluationTimes.from_durations([1.0 + 3e-6] * 2)


@pytest.mark.parametrize("case", FOUND, ids=lambda case: command_of(case)[:40])
def test_what_was_found_once(case: StudySpec) -> None:
    Looked().at(case)


@pytest.mark.parametrize("law", COMPARED, ids=lambda law: law.__name__)
def test_what_changes_nothing(law) -> None:
    hold(law, cases(longest=8, largest=16), 5)
    others = [policy for policy in names() if policy != "ctv-fixed"]
    hold(law, cases(policies=others, longest=8, largest=16), 10)


def test_a_weight_by_the_time_depends_on_times_even_where_nothing_drifts() -> None:
    """Found once: the same rounds, each longer, make CTV as released explore instead."""
    case = one_run(
        Arms(2), (1e-6, 1e-6), 1, 1, policy="ctv-as-released", epsilon=0.0, noise_variance=1e-4
    )
    longer = replace(case, inputs=None, problem=replace(case.problem, times=_LONGER))
    assert play(case).run.points[1] != play(longer).run.points[1]
    for law in COMPARED:
        law(case)


def test_policies_domains_and_both_kinds_of_times_are_drawn() -> None:
    drawn: list[StudySpec] = []
    hold(drawn.append, cases(), 250)
    assert len({case.policies[0] for case in drawn}) >= len(names()) // 2
    assert {type(case.problem.domain) for case in drawn} == {Arms, Grid, Points}
    kinds = {(case.setting == "biased", case.inputs is None) for case in drawn}
    assert kinds == {(False, True), (True, True), (False, False)}  # fixed, t(x), t(x) by regression
    assert {case.acquisition for case in drawn} == {"ucb", "ei"}
    assert max(case.problem.domain.size for case in drawn) <= 60


def choices(case: StudySpec) -> None:
    """The choices of a run alone, which cost little."""
    require(choice_laws(play(case)))


@pytest.mark.parametrize("policy", names())
def test_every_policy_keeps_the_laws(policy: str) -> None:
    drawn: list[StudySpec] = []
    hold(drawn.append, cases(policies=(policy,), longest=6, largest=9), 3)
    assert {case.policies[0] for case in drawn} == {policy}
    looked = Looked()
    hold(looked.at, cases(policies=(policy,), longest=6, largest=9), 3)
    assert looked.cases >= 2
    hold(choices, cases(policies=(policy,), longest=10, largest=20), 10)


COMMANDS = (
    one_run(Grid(2, 1.0, 3), (1.0, 0.0, 1e-6, 3.5), 1, 3, policy="tv", seed=5, kernel="matern32"),
    one_run(Points([[0.1, 0.2], [0.75, 1.0 / 3.0], [0.5, 0.5]]), (1.0, 2.0), 0, 2, epsilon=0.3),
    one_run(Arms(4), None, 0, 3, delta=0.5, acquisition="ei", policy="ctv", seed=2**32 - 1),
    one_run(
        Grid(2, 1.0, 3), (0.5, 2.0, 7.0), 1, 4, measured=(0, 4, 4), policy="ctv-simple", seed=3
    ),
    one_run(
        Grid(1, 10.0, 5),
        (2.0, 2.0, 7.0),
        0,
        3,
        time_kernel="matern52",
        time_lengthscale=3.0,
        model_kernel="matern52",
        exploration="beta",
        noise_variance=1e-4,
    ),
)


@pytest.mark.parametrize("case", COMMANDS, ids=lambda case: type(case.problem.domain).__name__)
def test_the_command_line_of_a_case_is_the_case(case: StudySpec, ctv, tmp_path: Path) -> None:
    times, points, out = tmp_path / "times.csv", tmp_path / "points.csv", tmp_path / "study"
    times.write_text(times_text(case))
    points.write_text(points_text(case))
    found = ctv(*words_of(case, str(times), str(points)), "--out", out, "--json")
    assert found.code == 0, found.stderr
    (run,) = stored_runs(out).runs
    expected = play(case).run
    np.testing.assert_array_equal(run.points, expected.points)
    np.testing.assert_array_equal(run.observations, expected.observations)


@pytest.mark.slow
def test_the_command_line_can_be_pasted() -> None:
    line = command_of(COMMANDS[1]).replace("ctv ", f"{shlex.quote(sys.executable)} -m ctv ", 1)
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_failure_says_the_command() -> None:
    def law(case: StudySpec) -> None:
        if case.total_rounds >= 3:
            raise AssertionError("too long")

    with pytest.raises(AssertionError, match=r"too long\nctv simulate --setting") as said:
        hold(law, cases(longest=4), 30)
    assert "--initial 0 --rounds 3" in str(said.value)  # shrunk
