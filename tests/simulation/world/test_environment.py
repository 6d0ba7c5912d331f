"""The objective: the joint law of its draws, what runs share of it, and what is refused."""

import numpy as np
import pytest

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.model.covariance import GridCovariance
from simulation.world import environment
from simulation.world.environment import (
    JointPath,
    LatticePath,
    Seeds,
    SequentialPath,
    draw_path,
)
from simulation.world.evaluation_time import FixedDurations, PointDurations, biased
from tests.simulation.model.test_sampling import law_of

GRID = Grid(2, 1.0, 2)
SPACE = Matern(2.5, 0.8)
FACTOR = GridCovariance(SPACE, GRID).factor()
GAPS = np.array([0.3, 0.0, 2.6, 0.1, 0.25, 1.0, 7.3, 1.0])


def paths(kind, time_kernel, seed):
    child = np.random.SeedSequence(seed)
    if kind == "sequential":
        return SequentialPath(FACTOR, time_kernel, child)
    if kind == "lattice":
        return LatticePath(FACTOR, time_kernel, 1.0, child)
    return JointPath(FACTOR, time_kernel, GAPS, child)


def problem(time_kernel, space=SPACE, grid=GRID):
    times = EvaluationTimes.from_durations(GAPS)
    return Problem(times, time_kernel=time_kernel, space_kernel=space, domain=grid)


class Asked:
    """Innovations of zeros, but for one normal of one of them; notes which are asked for."""

    def __init__(self) -> None:
        self.names: dict[tuple, None] = {}
        self.unit: tuple | None = None

    def __call__(self, factor, seed):
        return _Row(self, factor, seed.spawn_key)


class _Row:
    def __init__(self, asked, factor, key) -> None:
        self.asked, self.factor, self.key = asked, factor, key

    def __getitem__(self, index):
        name = (*self.key, index)
        self.asked.names[name] = None
        normals = np.zeros((1, self.factor.rank))
        if self.asked.unit is not None and self.asked.unit[0] == name:
            normals[0, self.asked.unit[1]] = 1.0
        return self.factor.apply(normals)[0]


@pytest.mark.parametrize(
    ("kind", "time_kernel"),
    [
        ("sequential", Forgetting(0.2)),
        ("sequential", Matern(0.5, 2.0)),
        ("lattice", Forgetting(0.2)),
        ("lattice", Matern(0.5, 2.0)),
        ("joint", Forgetting(0.2)),
        ("joint", SquaredExponential(2.0)),
        ("joint", Matern(1.5, 2.0)),
    ],
    ids=repr,
)
def test_the_objective_has_the_law_it_claims(kind, time_kernel, monkeypatch):
    """Exactly: values are linear in their normals, so one of them at a time gives the law."""

    def read() -> np.ndarray:
        path = paths(kind, time_kernel, 0)
        return np.concatenate([path.after(gap) for gap in GAPS])

    times = np.cumsum(GAPS)
    over_time = time_kernel.at_distance(np.abs(np.subtract.outer(times, times)))
    expected = np.kron(over_time, SPACE.gram(GRID.points))
    if kind == "joint":

        def drawn(rng):
            with monkeypatch.context() as patched:
                patched.setattr(np.random, "default_rng", lambda seed: rng)
                return read()

        center, covariance = law_of(drawn)
        np.testing.assert_array_equal(center, 0.0)
    else:
        asked = Asked()
        monkeypatch.setattr(environment, "Innovations", asked)
        np.testing.assert_array_equal(read(), 0.0)
        names = list(asked.names)
        if kind == "sequential":  # that of a round is that of its number
            assert names == [(k,) for k in range(len(GAPS) + 1)]
        else:  # of the lattice in order; the j-th bridge of a cell has the cell's of stream 1 + j
            assert [name for name in names if name[0] == 0] == [(0, k) for k in range(14)]
            cells = [(1, 0), (1, 2), (2, 2), (1, 3), (1, 4), (1, 11), (1, 12)]
            assert [name for name in names if name[0]] == cells
        columns = []
        for asked.unit in [(name, k) for name in names for k in range(FACTOR.rank)]:
            columns.append(read())
        covariance = np.transpose(columns) @ np.array(columns)
    np.testing.assert_allclose(covariance, expected, atol=1e-7)


def test_innovations_are_rows_of_one_stream():
    rows = environment.Innovations(FACTOR, np.random.SeedSequence(7))
    normals = np.random.default_rng(np.random.SeedSequence(7)).standard_normal((96, FACTOR.rank))
    for k in (0, 0, 5, 31, 32, 95):
        np.testing.assert_allclose(rows[k], FACTOR.apply(normals[k : k + 1])[0], atol=1e-12)


def test_the_lattice_is_shared_by_all_sequences_of_instants():
    dense = LatticePath(FACTOR, Forgetting(0.1), 0.5, np.random.SeedSequence(4))
    sparse = LatticePath(FACTOR, Forgetting(0.1), 0.5, np.random.SeedSequence(4))
    at_dense = {k: dense.after(0.25) for k in range(1, 41)}
    for k in range(8, 41, 8):
        np.testing.assert_array_equal(sparse.after(2.0), at_dense[k])


def test_without_drift_nothing_moves():
    for kind in ("sequential", "lattice"):
        path = paths(kind, Forgetting(0.0), 0)
        start = path.after(0.0)
        for gap in (0.3, 5.0, 1e6 if kind == "sequential" else 20.0):
            np.testing.assert_array_equal(path.after(gap), start)


def test_the_kind_of_path_follows_from_times_and_kernel():
    seed = np.random.SeedSequence(0)
    fixed = FixedDurations(GAPS, "given")
    moving = biased(GRID)
    assert isinstance(draw_path(problem(Forgetting(0.1)), fixed, 8, seed), SequentialPath)
    assert isinstance(draw_path(problem(Matern(0.5, 9.0)), moving, 8, seed), LatticePath)
    assert isinstance(draw_path(problem(SquaredExponential(9.0)), fixed, 8, seed), JointPath)
    with pytest.raises(InvalidInput, match=r"time-kernel = se: .*forgetting"):
        draw_path(problem(SquaredExponential(9.0)), moving, 8, seed)
    long = FixedDurations(np.ones(5_000), "given")
    with pytest.raises(InvalidInput, match="rounds = 5000: at most 4000"):
        draw_path(problem(SquaredExponential(9.0)), long, 5_000, seed)
    with pytest.raises(InvalidInput, match="rounds = 9: only 8 durations are given"):
        draw_path(problem(Forgetting(0.1)), fixed, 9, seed)
    short = draw_path(problem(SquaredExponential(9.0)), fixed, 3, seed)
    expected = JointPath(FACTOR, SquaredExponential(9.0), GAPS[:3], seed)
    other = GridCovariance(Matern(0.5, 0.1), GRID).factor()
    rough = draw_path(problem(SquaredExponential(9.0)), fixed, 3, seed, other)
    for gap in GAPS[:3]:
        values = short.after(gap)
        np.testing.assert_array_equal(values, expected.after(gap))
        assert not np.allclose(values, rough.after(gap))
    with pytest.raises(IndexError):
        short.after(1.0)


def test_a_path_of_moving_times_has_a_lattice_of_half_their_mean():
    seed, kernel = np.random.SeedSequence(5), Forgetting(0.1)
    moving = biased(GRID)
    drawn = draw_path(problem(kernel), moving, 8, seed)
    spacing = 0.5 * float(np.mean(moving.durations))
    expected = LatticePath(FACTOR, kernel, spacing, seed)
    for gap in (0.4, 3.0, 11.0):
        np.testing.assert_allclose(drawn.after(gap), expected.after(gap), atol=1e-12)
    still = draw_path(problem(kernel), PointDurations(np.zeros(4), "none"), 8, seed)
    assert isinstance(still, SequentialPath)
    first = still.after(0.0)
    assert np.array_equal(first, SequentialPath(FACTOR, kernel, seed).after(0.0))
    assert np.array_equal(first, still.after(0.0)) and np.ptp(first) > 0


def test_the_streams_of_a_run_are_independent_children():
    seeds = Seeds.of(3)
    streams = (seeds.objective, seeds.noise, seeds.initial, seeds.policy, seeds.clock)
    first = [np.random.default_rng(s).random() for s in streams]
    assert len(set(first)) == 5
    assert first == [np.random.default_rng(s).random() for s in streams]
    assert [s.spawn_key for s in streams] == [(k,) for k in range(5)]
    assert Seeds.of(0).objective.entropy == 0
    with pytest.raises(InvalidInput, match="seed = -1"):
        Seeds.of(-1)
