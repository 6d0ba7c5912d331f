"""What tells its progress tells shares that rise from 0, or to 1, and stages that have a name."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

import numpy as np
import pytest

from bounds.domain import Grid
from bounds.drifting_gain.certified import certified_dual
from bounds.drifting_gain.joint_dual import joint_dual
from bounds.gain.bounds import bounds_of, rows_before_run, upper_bounds
from bounds.gain.registry import GAIN_BOUNDS
from bounds.partitions.search import search
from bounds.problem import Problem
from bounds.rates.phase import phase_diagram
from bounds.static_gain.both_sides import box_gains_at, certified_gains_at, gain_curve, gains_at
from bounds.times import EvaluationTimes
from simulation.after_run.certificates import CERTIFICATES, certify
from simulation.after_run.observed import Observed
from simulation.after_run.rank import rank_certificate
from simulation.after_run.simulated import simulated_rows, simulation_certificate
from simulation.after_run.telescoped import (
    expected_certificate,
    forward_probability_certificate,
    probability_certificate,
    relative_certificate,
)
from simulation.runs.run import simulate
from simulation.study.study import StudySpec
from simulation.world.evaluation_time import in_order

TIMES = EvaluationTimes.from_durations([1.0] * 12)
PROBLEM = Problem(TIMES, domain=Grid(1, 1.0, 3))
LONGER = Problem(EvaluationTimes.from_durations(np.ones(300)))
SPEC = StudySpec(PROBLEM, initial=2, rounds=6, exploration="theory", policies=("ctv-fixed",))
OBSERVED = Observed.of_run(
    PROBLEM, simulate(PROBLEM, in_order(TIMES, 12), seed=1, initial=0, rounds=12)
)
GAMMA = 2 * np.sqrt(np.arange(301))

Told = Callable[..., None]

SHARES: dict[str, Callable[[Told], object]] = {
    "search": lambda told: search("refined", LONGER, GAMMA, progress=told),
    "phase_diagram": lambda told: phase_diagram(
        GAMMA, 0.01, [1, 3, 6], epsilons=[0.1], progress=told
    ),
    "joint_dual": lambda told: joint_dual(PROBLEM, told),
    "certified_dual": lambda told: certified_dual(PROBLEM, joint_dual(PROBLEM), told),
    "rank": lambda told: rank_certificate(OBSERVED, paths=19, progress=told),
    "expected": lambda told: expected_certificate(OBSERVED, progress=told),
    "forward": lambda told: expected_certificate(OBSERVED, hindsight=False, progress=told),
    "probability": lambda told: probability_certificate(OBSERVED, progress=told),
    "forward probability": lambda told: forward_probability_certificate(OBSERVED, progress=told),
    "relative": lambda told: relative_certificate(OBSERVED, progress=told),
    "simulation": lambda told: simulation_certificate(
        SPEC, "ctv-fixed", runs=39, delta=0.1, progress=told
    ),
    "simulated rows": lambda told: simulated_rows(PROBLEM, runs=39, progress=told),
}
"""What tells a share alone."""

STAGES: dict[str, Callable[[Told], object]] = {
    "bounds": lambda told: bounds_of(PROBLEM, until=0.5, advance=told),
    "rows before a run": lambda told: rows_before_run(
        PROBLEM, upper_bounds(PROBLEM, gain_curve(PROBLEM)), told
    ),
    "gains": lambda told: gains_at(PROBLEM, [1, 4], told),
    "certified gains": lambda told: certified_gains_at(PROBLEM, [1, 4], told),
    "gains of the box": lambda told: box_gains_at(PROBLEM, [1, 4], told),
    "certificates": lambda told: certify(
        OBSERVED, "one run", names=tuple(CERTIFICATES), paths=19, progress=told
    ),
}
"""What tells the name of a stage and its share."""


def require_rising(shares: list[float]) -> None:
    assert shares == sorted(shares)
    assert all(0.0 <= share <= 1.0 for share in shares)
    assert shares[0] == 0.0 or shares[-1] == 1.0


@pytest.mark.parametrize("name", SHARES)
def test_shares_rise(name: str) -> None:
    heard: list[float] = []
    SHARES[name](heard.append)
    require_rising(heard)


@pytest.mark.parametrize("name", STAGES)
def test_stages_have_names_and_shares_that_rise(name: str) -> None:
    heard: list[tuple[str, float]] = []
    STAGES[name](lambda *said: heard.append(said))
    for stage, told in groupby(heard, key=lambda said: said[0]):
        assert stage.strip() == stage != ""
        shares = [share for _, share in told]
        assert shares == sorted(shares) and shares[0] >= 0.0 and shares[-1] <= 1.0


def test_every_bound_is_named_while_it_is_certified() -> None:
    heard: list[str] = []
    bounds_of(PROBLEM, advance=lambda stage, share: heard.append(stage))
    assert set(heard) >= {f"certify {bound.title}" for bound in GAIN_BOUNDS.all()}
