"""The policies as released, against a dense posterior and an enumeration of their index."""

import numpy as np
import pytest

from bounds.domain import Grid
from bounds.kernels import Matern
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.policies.base import PolicySetup
from simulation.policies.released import constant_weight
from simulation.policies.tuned import Tuned, make_policy
from simulation.world.evaluation_time import biased, constant
from tests.simulation.policies.test_randomised import setup_for

PROBLEM = Problem(
    EvaluationTimes.from_durations([3.0] * 30),
    epsilon=0.05,
    space_kernel=Matern(2.5, 0.2),
    domain=Grid(2, 1.0, 5),
)
POINTS, ROUNDS = PROBLEM.domain.points, 30


def setup(duration=3.0, **readings: object) -> PolicySetup:
    times = biased(PROBLEM.domain) if duration is None else constant(duration, ROUNDS)
    return setup_for(PROBLEM, 0, times, **readings)


def rounds_of(count: int, seed: int = 1) -> list[tuple[int, float]]:
    rng = np.random.default_rng(seed)
    return [(int(rng.integers(len(POINTS))), float(rng.standard_normal())) for _ in range(count)]


def index_at(seen: list[tuple[int, float]], instants: np.ndarray, weight: float) -> np.ndarray:
    """(len(instants), N) μ + weight·σ at these instants, by one dense solve; a unit a round."""

    def cov(points, times, others, other_times):
        space = Matern(2.5, 0.2).at_distance(np.linalg.norm(points[:, None] - others[None], axis=2))
        kept = PROBLEM.time_kernel.at_distance(np.abs(times[:, None] - other_times[None]))
        return space * kept

    played = POINTS[[point for point, _ in seen]]
    ends = np.arange(1.0, len(seen) + 1.0)
    where, when = np.tile(POINTS, (len(instants), 1)), np.repeat(instants, len(POINTS))
    gram = cov(played, ends, played, ends) + PROBLEM.noise_variance * np.eye(len(seen))
    cross = cov(played, ends, where, when)
    solved = np.linalg.solve(gram, cross)
    mean = solved.T @ np.array([value for _, value in seen])
    variance = 1.0 - np.sum(cross * solved, axis=0)
    return (mean + weight * np.sqrt(variance)).reshape(len(instants), len(POINTS))


@pytest.mark.parametrize("initial", [1, 4])
def test_tv_as_released_plays_the_best_point_of_the_first_times(initial: int) -> None:
    """Its times are settled when it first chooses, and later rounds still ask for these."""
    policy, seen = make_policy("tv-as-released", setup()), rounds_of(20)
    for i, (point, value) in enumerate(seen):
        if i >= initial:
            instants = np.arange(1.0, initial + 2.0)
            expected = index_at(seen[:i], instants, 0.8 * np.log(400.0))
            np.testing.assert_allclose(policy.values(i), expected.ravel(), rtol=1e-9)
            assert policy.choose(i) == np.argmax(expected) % len(POINTS)
        policy.observe(point, 3.0, value)


def test_tv_as_released_is_not_tv() -> None:
    """In a late round TV asks for the next time, and what is known of it is less."""
    released, printed = (make_policy(name, setup()) for name in ("tv-as-released", "tv"))
    seen = rounds_of(20)
    released.choose(0)
    for point, value in seen:
        released.observe(point, 3.0, value)
        printed.observe(point, 3.0, value)
    next_time = index_at(seen, np.array([21.0]), 0.8 * np.log(400.0))[0]
    found = printed.belief.values(released.criterion(20))
    np.testing.assert_allclose(found, next_time, rtol=1e-9)
    assert not np.allclose(released.values(20), next_time)


def test_gp_ucb_as_released_weighs_every_round_as_the_hundredth() -> None:
    released, printed = (make_policy(name, setup()) for name in ("gp-ucb-as-released", "gp-ucb"))
    assert released.criterion(3).weight == released.criterion(20).weight == constant_weight(setup())
    assert released.criterion(3).weight == pytest.approx(0.8 * np.log(4.0 * 100.0))
    assert printed.criterion(3).weight < released.criterion(3).weight


@pytest.mark.parametrize("duration", [1.0, 3.0, None])
@pytest.mark.parametrize("name", ["ctv", "ctv-simple"])
def test_ctv_as_released_weighs_by_the_time(name: str, duration: float | None) -> None:
    """At equal times t the weight is t times that of the text for as many rounds."""
    asked = setup(duration)
    released, printed = make_policy(f"{name}-as-released", asked), make_policy(name, asked)
    for i, (point, value) in enumerate(rounds_of(12)):
        took = float(np.broadcast_to(asked.evaluation_time.of_round(i), len(POINTS))[point])
        released.observe(point, took, value)
        printed.observe(point, took, value)
    found = released.belief.values(released.criterion(12))
    mean = printed.belief.values(type(released.criterion(12))(12, 0.0))
    spread = printed.belief.values(type(released.criterion(12))(12, 1.0)) - mean
    ratio = (found - mean) / (0.8 * np.log(4.0 * 12) * spread)
    waits = printed.belief._durations.mean_duration(with_noise=name == "ctv-simple")
    np.testing.assert_allclose(ratio, waits, rtol=0.02 if name == "ctv" else 1e-9)


def test_a_tuned_tv_as_released_maximises_over_times_too() -> None:
    policy = Tuned(make_policy("tv-as-released", setup()).__class__, setup(tune="likelihood"))
    for point, value in rounds_of(8):
        policy.observe(point, 3.0, value)
    assert 0 <= policy.choose(8) < len(POINTS)
    assert len(policy.acquisition(8)) == 9 * len(POINTS)
