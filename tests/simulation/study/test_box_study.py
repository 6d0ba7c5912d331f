"""Studies on the box: the statistics of their runs, bits for any number of workers, bad input."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from bounds.domain import Arms, Grid
from bounds.errors import InvalidInput
from bounds.kernels import Matern
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.policies.readings import Readings
from simulation.study.study import StudySpec, run_study
from simulation.world.evaluation_time import biased_time
from tests.simulation.study.test_study import same_bits

TIMES = EvaluationTimes.from_durations([0.5, 3.0, 1.0, 2.0, 0.25, 4.0, 1.5, 1.0])
GRID = Grid(2, 1.0, 5)
PROBLEM = Problem(TIMES, space_kernel=Matern(2.5, 0.3), domain=GRID)
SPEC = StudySpec(
    PROBLEM, "biased", ("ts", "ctv-fixed", "random"), seeds=2, initial=3, rounds=3, box=True
)


def test_the_number_of_workers_does_not_change_a_bit():
    told = []
    alone = run_study(SPEC, progress=lambda *event: told.append(event[:2]))
    assert told == [(done, 6) for done in range(1, 7)]
    same_bits(alone, run_study(SPEC, workers=2))
    assert list(alone.trajectories) == list(SPEC.policies)


@pytest.mark.parametrize("setting", ["uniform", "csv", "biased"])
def test_durations_are_those_of_the_setting(setting):
    spec = replace(SPEC, setting=setting, policies=("ts",), seeds=1, evaluation_time=2.0)
    (run,) = run_study(spec).trajectories["ts"]
    wanted = {"uniform": np.full(6, 2.0), "csv": TIMES.durations[:6]}
    expected = wanted.get(setting, biased_time(run.points)[0])
    np.testing.assert_array_equal(run.durations, expected)
    assert np.all((run.points >= 0) & (run.points <= 1)) and np.all(run.regrets >= 0)


def test_equal_durations_in_order_are_a_constant():
    level = replace(PROBLEM, times=EvaluationTimes.from_durations([2.0] * 6))
    names = ("ts", "ctv-fixed", "scheduled", "random-weight-ucb", "ctv-simple", "random")
    spec = replace(SPEC, policies=names, seeds=1, evaluation_time=2.0)
    same_bits(*(run_study(replace(spec, problem=level, setting=one)) for one in ("uniform", "csv")))


def test_random_points_cover_the_box_and_repeat_with_their_seed():
    spec = replace(SPEC, policies=("random",), seeds=2, rounds=200)
    first, second = run_study(spec).trajectories["random"]
    for axis in range(2):
        assert stats.kstest(first.points[3:, axis], "uniform").pvalue > 1e-6
    assert not np.array_equal(first.points, second.points)
    assert not any(np.array_equal(a, b) for a, b in pairwise(first.points))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"policies": ("ts", "clairvoyant")}, "policies = clairvoyant: the policies on the box"),
        ({"initial": 0}, "initial = 0: give at least 1"),
        ({"exploration": "theory"}, "exploration = theory: use beta or sqrt-beta"),
        ({"readings": Readings(tune="likelihood")}, "tune = likelihood: drop it"),
        ({"problem": replace(PROBLEM, domain=Arms(3)), "setting": "uniform"}, "only a grid"),
        ({"setting": "csv", "inputs": np.full((8, 2), 0.5)}, "inputs = given: drop it"),
    ],
)
def test_what_the_box_has_not_is_refused(changes, message):
    changes = {"policies": ("ctv-fixed",)} | changes
    with pytest.raises(InvalidInput, match=message):
        run_study(replace(SPEC, **changes))


def test_runs_on_the_box_are_not_kept():
    with pytest.raises(InvalidInput, match="out = runs: drop it"):
        run_study(SPEC, Path("runs"))
