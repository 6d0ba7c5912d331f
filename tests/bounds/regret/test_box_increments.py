"""Lemma SF on the whole box: pairs drawn anywhere, grids of it, mpmath, simulation, its maximum."""

from __future__ import annotations

from dataclasses import replace

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds import enclosure
from bounds.domain import Arms, Grid
from bounds.enclosure.doubles import Doubles
from bounds.errors import InvalidInput, NoEnclosure
from bounds.kernels import Matern, SquaredExponential
from bounds.kernels.levelled import Levelled
from bounds.problem import Problem
from bounds.regret.ingredients.schedules.box_enclosed import (
    FINER,
    MOST_LOOKS,
    _largest_eigenvalues,
    enclosed_box_ceiling,
    enclosed_box_maximum,
)
from bounds.regret.ingredients.schedules.box_increments import (
    BoxCeiling,
    affordable_box_ceiling,
    box_ceiling_at,
    box_maximum,
    least_box_ceiling,
)
from bounds.regret.ingredients.schedules.increments import ceiling_at, enclosed_ceiling
from bounds.regret.ingredients.schedules.schedule import Schedule
from bounds.times import EvaluationTimes

KERNELS = [SquaredExponential(0.3), Matern(2.5, 0.4), Matern(3.5, 0.3)]
ALL_KERNELS = [*KERNELS, Levelled("se", 0.3, 0.5)]


def problem_of(waits, sides=(1.0,), **more) -> Problem:
    given = {"epsilon": 0.01, "noise_variance": 0.1, "space_kernel": KERNELS[0], **more}
    domain = Grid(len(sides), sides, (5,) * len(sides))
    return Problem(EvaluationTimes.from_durations(waits), domain=domain, **given)


class InFull:
    """The same bound on a line by mpmath, one look after another from whole matrices."""

    def __init__(self, problem: Problem, rounds, places) -> None:
        self.problem, self.rounds = problem, rounds
        self.places = [mpmath.mpf(float(z)) for z in places]

    def k(self, r):
        kernel = self.problem.space_kernel
        r = abs(r) / mpmath.mpf(kernel.lengthscale)
        if isinstance(kernel, SquaredExponential):
            return mpmath.exp(-r * r / 2)
        nu = mpmath.mpf(kernel.nu)
        z = mpmath.sqrt(2 * nu) * r
        if z == 0:
            return mpmath.mpf(1)
        return 2 ** (1 - nu) / mpmath.gamma(nu) * z**nu * mpmath.besselk(nu, z)

    def tilt(self, x):
        """k′ at a signed distance."""
        kernel = self.problem.space_kernel
        length = mpmath.mpf(kernel.lengthscale)
        if isinstance(kernel, SquaredExponential):
            return -x / length**2 * self.k(x)
        if x == 0:
            return mpmath.mpf(0)
        nu = mpmath.mpf(kernel.nu)
        a = mpmath.sqrt(2 * nu) / length
        z = a * abs(x)
        steep = 2 ** (1 - nu) / mpmath.gamma(nu) * z**nu * mpmath.besselk(nu - 1, z) * a
        return -steep if x > 0 else steep

    def variances(self):
        """Var f′ and Var f″."""
        length = mpmath.mpf(self.problem.space_kernel.lengthscale)
        if isinstance(self.problem.space_kernel, SquaredExponential):
            return 1 / length**2, 3 / length**4
        nu = mpmath.mpf(self.problem.space_kernel.nu)
        return nu / ((nu - 1) * length**2), 3 * nu**2 / ((nu - 1) * (nu - 2) * length**4)

    def reach(self, i, j):
        t = [mpmath.mpf(float(one)) for one in self.problem.times.times]
        return (1 - mpmath.mpf(self.problem.time_kernel.epsilon)) ** (abs(t[i] - t[j]) / 2)

    def known(self, count: int):
        """A function: the variance that looks explain of what has these covariances."""
        when, z = self.rounds[:count], self.places[:count]
        A = mpmath.matrix(count, count)
        for a in range(count):
            for b in range(count):
                A[a, b] = self.k(z[a] - z[b]) * self.reach(when[a], when[b])
            A[a, a] += mpmath.mpf(self.problem.noise_variance)
        inverse = A**-1
        now = [self.reach(i, when[-1]) for i in when]

        def explained(covariance):
            b = mpmath.matrix([covariance(place) * s for place, s in zip(z, now, strict=True)])
            return (b.T * inverse * b)[0]

        return explained

    def weight(self, number: int):
        begin = self.rounds[number]
        end = (*self.rounds[1:], self.problem.n)[number]
        return sum((self.reach(begin, i) for i in range(begin + 1, end)), mpmath.mpf(0))

    def ceiling(self, largest):
        lost = mpmath.mpf(self.problem.n)
        for number in range(len(self.rounds)):
            p = largest(self.known(number + 1))
            lost -= mpmath.sqrt(max(mpmath.mpf(0), 1 - p)) * self.weight(number)
        return lost

    def quotient(self, explained, x, y):
        apart = 2 * (1 - self.k(x - y))
        return 1 - explained(lambda z: self.k(x - z) - self.k(y - z)) / apart

    def bound(self, explained, nodes: int):
        """What the nodes say of the largest quotient, on [0, 1]."""
        slope, curvature = self.variances()
        rho, finer = mpmath.mpf(1) / (2 * nodes), FINER * nodes
        fine = [(2 * i + 1) * mpmath.mpf(1) / (2 * finer) for i in range(finer)]
        left = max(slope - explained(lambda z, x=x: self.tilt(x - z)) for x in fine)
        G = mpmath.sqrt(left) + mpmath.sqrt(curvature) / (2 * finer)

        def near(r):
            return G * G * r * r / (2 * (1 - self.k(r)))

        found = near(2 * rho)
        middles = [(2 * i + 1) * rho for i in range(nodes)]
        for a in range(nodes):
            for b in range(a):
                r = middles[a] - middles[b]
                one = near(r + 2 * rho)
                if b < a - 1:
                    apart = 2 * (1 - self.k(r))
                    left = self.quotient(explained, middles[a], middles[b]) * apart
                    far = (mpmath.sqrt(left) + 2 * rho * G) ** 2 / (2 * (1 - self.k(r - 2 * rho)))
                    one = min(one, far)
                found = max(found, one)
        return min(mpmath.mpf(1), found)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k.title)
def test_the_bound_by_mpmath(kernel) -> None:
    """From above by less than 1e-10, and above quotients of pairs anywhere."""
    rounds, places = (0, 2, 3, 6), [0.125, 0.75, 0.5, 0.125]
    problem = problem_of([1.0, 0.0, 2.5, 1.0, 0.25, 3.0, 1.0, 1.0, 0.5], space_kernel=kernel)
    found = float(enclosed_box_ceiling(problem, rounds, np.array(places)[:, None], 8))
    rng = np.random.default_rng(0)
    pairs = [(x, y) for x, y in rng.uniform(0.0, 1.0, (40, 2))]
    pairs += [(x, x + 1e-6 * (1 - 2 * x)) for x in np.linspace(0.0, 1.0, 12)]
    with mpmath.workdps(40):
        exact = InFull(problem, rounds, places)
        bound = exact.ceiling(lambda explained: exact.bound(explained, 8))
        assert bound <= found <= bound * (1 + mpmath.mpf("1e-10"))
        attained = exact.ceiling(
            lambda explained: max(
                exact.quotient(explained, mpmath.mpf(float(x)), mpmath.mpf(float(y)))
                for x, y in pairs
            )
        )
        assert attained <= found
        fine = float(enclosed_box_ceiling(problem, rounds, np.array(places)[:, None], 400))
        assert attained <= fine < found
        assert fine <= 1.1 * attained


@settings(max_examples=25, deadline=None)
@example(looks=[(0, 0)], noise=1e-3, epsilon=0.0, kernel=KERNELS[0])
@example(looks=[(i, 3) for i in range(12)], noise=1e-6, epsilon=0.0, kernel=KERNELS[1])
@given(
    looks=st.lists(
        st.tuples(st.integers(0, 11), st.integers(0, 16)), max_size=8, unique_by=lambda one: one[0]
    ),
    noise=st.floats(1e-6, 2.0),
    epsilon=st.floats(0.0, 0.5),
    kernel=st.sampled_from(KERNELS),
)
def test_above_doubles_and_above_a_grid_in_balls(looks, noise, epsilon, kernel) -> None:
    """Close above the value in doubles; never below the least that a grid's can be."""
    looks = sorted(looks)
    more = {"epsilon": epsilon, "noise_variance": noise, "space_kernel": kernel}
    problem = problem_of(np.ones(12), **more)
    rounds, index = tuple(i for i, _ in looks), tuple(j for _, j in looks)
    places = np.array(index, dtype=float).reshape(-1, 1) / 16.0
    found = enclosed_box_ceiling(problem, rounds, places, 50)
    rough = box_ceiling_at(problem, rounds, places, 50)
    assert rough * (1.0 - 1e-9) <= found <= rough * (1.0 + 1e-6)
    fine = replace(problem, domain=Grid(1, 1.0, 17))
    grid = enclosed_ceiling(fine, Schedule(rounds, index))
    assert enclosure.endpoints(enclosure.ball(grid))[0] <= found


@pytest.mark.parametrize(
    ("sides", "kernel"),
    [((1.0, 0.6), KERNELS[0]), ((1.0, 0.6), KERNELS[2]), ((0.7, 0.5, 0.3), KERNELS[1])],
    ids=["oblong", "oblong and rough", "brick"],
)
def test_in_more_axes_it_is_close_above_doubles(kernel, sides) -> None:
    rng = np.random.default_rng(2)
    more = {"space_kernel": kernel.stretched(3.0), "epsilon": 1e-5, "noise_variance": 1e-3}
    problem = problem_of(rng.uniform(0.0, 2.0, 60), sides, **more)
    rounds = tuple(range(24))
    places = rng.uniform(0.0, 1.0, (24, len(sides))) * sides
    found = enclosed_box_ceiling(problem, rounds, places, 150)
    rough = box_ceiling_at(problem, rounds, places, 150)
    assert rough < found <= rough * (1.0 + 1e-6)
    assert rough < 0.95 * problem.n


def test_the_same_in_units_of_the_length() -> None:
    """A box twice as large with twice the lengthscale is the same problem."""
    rounds, places = (0, 3, 5), np.array([[0.25], [0.75], [0.5]])
    one = enclosed_box_ceiling(problem_of(np.ones(9)), rounds, places, 64)
    twice = problem_of(np.ones(9), (2.0,), space_kernel=SquaredExponential(0.6))
    assert enclosed_box_ceiling(twice, rounds, 2.0 * places, 64) == pytest.approx(one, rel=1e-9)


def test_no_simulated_loss_is_above_it() -> None:
    """E max f − E max of the mean given the schedule, round by round on a grid of the box."""
    n, rng = 60, np.random.default_rng(3)
    problem = problem_of(np.ones(n), epsilon=1e-3, noise_variance=0.01)
    rounds, places = tuple(range(0, 60, 4)), np.tile([[0.1], [0.5], [0.9], [0.3], [0.7]], (3, 1))
    found = enclosed_box_ceiling(problem, rounds, places, 500)
    most = enclosed_box_maximum((1.0,), problem.space_kernel)
    x = np.linspace(0.0, 1.0, 51)[:, None]
    k, tau = problem.space_kernel, problem.times.times
    largest, squared, draws = [], [], 4_000
    root = np.linalg.cholesky(k.gram(x) + 1e-9 * np.eye(51))
    free = (rng.standard_normal((draws, 51)) @ root.T).max(axis=1)
    for i in range(n):
        if i in rounds:
            largest.append(0.0)
            continue
        looks = [j for j in rounds if j < i]
        z = places[: len(looks)]
        inside = k.gram(z) * problem.time_kernel.at_distance(
            np.abs(np.subtract.outer(tau[looks], tau[looks]))
        ) + problem.noise_variance * np.eye(len(z))
        cross = k.gram(x, z) * problem.time_kernel.at_distance(tau[i] - tau[looks])
        means = cross @ np.linalg.inv(np.linalg.cholesky(inside)).T
        drawn = (rng.standard_normal((draws, len(z))) @ means.T).max(axis=1)
        largest.append(drawn.mean())
        squared.append(drawn.var() / draws)
    loss = n * free.mean() - sum(largest)
    error = np.sqrt(n * n * free.var() / draws + sum(squared))
    assert loss - 4.0 * error <= found * most
    assert found * most <= 2.0 * loss


@pytest.mark.parametrize(
    ("sides", "kernel"),
    [
        ((1.0,), KERNELS[0]),
        ((1.0,), KERNELS[1]),
        ((2.0, 0.3), KERNELS[2]),
        ((1e-3, 1.0), KERNELS[0]),
    ],
)
def test_the_maximum_is_a_little_above_that_in_doubles(kernel, sides) -> None:
    rough = box_maximum(sides, kernel)
    assert rough * (1.0 - 1e-9) <= enclosed_box_maximum(sides, kernel) <= 1.13 * rough


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k.title)
@pytest.mark.parametrize("length", [0.01, 1.0, 30.0])
def test_the_maximum_on_a_line_by_simulation(kernel, length) -> None:
    """Above the mean of the largest of 300 values, by less than 0.3."""
    x = np.linspace(0.0, length, 300)[:, None]
    values, vectors = np.linalg.eigh(kernel.gram(x))
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    largest = (np.random.default_rng(5).standard_normal((4_000, 300)) @ root.T).max(axis=1)
    found = enclosed_box_maximum((length,), kernel)
    assert largest.mean() - 4.0 * largest.std() / np.sqrt(4_000) <= found
    assert found <= largest.mean() + 0.3


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 4), st.integers(0, 10_000), st.sampled_from([0.0, 1e-12, 1e-2]))
def test_largest_eigenvalues_of_all_matrices_inside(d: int, seed: int, width: float) -> None:
    rng = np.random.default_rng(seed)
    factors = rng.standard_normal((6, d, d)) * 10.0 ** rng.integers(-8, 3, (6, 1, 1))
    mid = factors @ np.swapaxes(factors, 1, 2)
    rad = width * np.abs(mid)
    found = _largest_eigenvalues(Doubles(mid, rad))
    off = rng.uniform(-1.0, 1.0, mid.shape)
    inside = np.linalg.eigvalsh(mid + rad * 0.5 * (off + np.swapaxes(off, 1, 2)))[:, -1]
    assert np.all(found >= inside * (1.0 - 1e-13))
    assert np.all(found <= np.linalg.eigvalsh(mid)[:, -1] * (1.0 + 1e-9 + 4.0 * d * width))


def test_the_search_is_certified_or_says_what_is_not() -> None:
    problem = problem_of(np.ones(40), epsilon=1e-5, noise_variance=0.01)
    found = least_box_ceiling(problem)
    assert found.certified and not found.uncertified
    assert found.to_dict()["certified"] is True
    rough = box_ceiling_at(problem, found.rounds, found.places)
    assert rough <= found.value <= rough * (1.0 + 1e-9)
    assert found.regret > found.value * found.maximum
    for kernel in (Matern(2.25, 0.3), Levelled("se", 0.3, 0.5)):
        other = least_box_ceiling(replace(problem, space_kernel=kernel))
        assert not other.certified
        assert other.uncertified == f"kernel = {kernel.name}"
        assert other.to_dict()["certified"] is False


def test_what_cannot_be_enclosed_is_refused() -> None:
    rounds, places = (0, 1), np.array([[0.5], [0.5]])
    for kernel in (Matern(2.25, 0.3), Levelled("se", 0.3, 0.5)):
        with pytest.raises(NoEnclosure, match="kernel"):
            enclosed_box_ceiling(problem_of([1.0] * 4, space_kernel=kernel), rounds, places, 20)
    still = problem_of([0.0] * 4, noise_variance=1e-18)
    with pytest.raises(NoEnclosure, match="noise-variance"):
        enclosed_box_ceiling(still, rounds, places, 20)
    many = tuple(range(MOST_LOOKS + 1))
    with pytest.raises(NoEnclosure, match="looks"):
        enclosed_box_ceiling(problem_of(np.ones(2_000)), many, np.full((len(many), 1), 0.5), 20)


def test_no_look_loses_every_round() -> None:
    assert enclosed_box_ceiling(problem_of(np.ones(7)), (), np.empty((0, 1)), 20) == 7.0


# In doubles.


def left_of_pairs(problem: Problem, rounds, places, i: int, x, y) -> np.ndarray:
    """Var(f(x) − f(y) | the looks before round i)/d_K² by whole matrices, pair by pair."""
    k, looks = problem.space_kernel, [j for j in rounds if j < i]
    z, tau = np.asarray(places)[: len(looks)], problem.times.times
    in_time = problem.time_kernel.at_distance(np.abs(np.subtract.outer(tau[looks], tau[looks])))
    noisy = k.gram(z) * in_time + problem.noise_variance * np.eye(len(z))
    reach = problem.time_kernel.at_distance(tau[i] - tau[looks])
    cross = (k.gram(x, z) - k.gram(y, z)) * reach
    apart = 2.0 * k.complement(np.linalg.norm(x - y, axis=1))
    return 1.0 - np.einsum("pi,ip->p", cross, np.linalg.solve(noisy, cross.T)) / apart


@pytest.mark.parametrize("kernel", ALL_KERNELS, ids=lambda k: k.title)
@pytest.mark.parametrize("sides", [(1.0,), (1.0, 0.6)], ids=["line", "oblong"])
def test_no_pair_of_the_box_is_known_worse(kernel, sides) -> None:
    """Σ√(1−p)·k_time with p the worst of many pairs, close ones among them, is no smaller."""
    rng = np.random.default_rng(1)
    problem = problem_of(rng.pareto(1.0, 30), sides, space_kernel=kernel)
    rounds = tuple(range(0, 18, 2))
    places = np.tile(rng.uniform(0.0, 1.0, (3, len(sides))), (3, 1)) * sides
    found = box_ceiling_at(problem, rounds, places, 400)
    x = rng.uniform(0.0, 1.0, (3_000, len(sides))) * sides
    near = np.clip(x + rng.normal(0.0, 1e-3, x.shape), 0.0, sides)
    x, y = np.vstack([x, x]), np.vstack([x[::-1], near])
    apart = np.linalg.norm(x - y, axis=1) > 1e-6
    lost = float(len(rounds))
    for i in set(range(problem.n)) - set(rounds):
        worst = left_of_pairs(problem, rounds, places, i, x[apart], y[apart]).max()
        lost += 1.0 - np.sqrt(max(0.0, 1.0 - worst))
    assert lost <= found * (1.0 + 1e-9)


def test_with_many_nodes_it_is_the_largest_quotient() -> None:
    """On a line, where thousands of pairs come near the supremum: above it by less than 4 %."""
    problem = problem_of(np.ones(200), epsilon=1e-3)
    rounds, places = tuple(range(0, 200, 5)), np.tile([[0.1], [0.5], [0.9], [0.3], [0.7]], (8, 1))
    fine = replace(problem, domain=Grid(1, 1.0, 201))
    index = tuple(round(200 * place) for place in places[:, 0])
    grid = ceiling_at(fine, Schedule(rounds, index)).value
    found = [box_ceiling_at(problem, rounds, places, nodes) for nodes in (50, 200, 800)]
    assert found == sorted(found, reverse=True)
    assert grid <= found[-1] <= 1.04 * grid


@pytest.mark.parametrize("sides", [(1.0,), (1.0, 1.0), (2.0, 0.3)])
def test_the_maximum_of_the_box(sides) -> None:
    """Above the mean largest value on a grid of it, by simulation."""
    kernel, rng = SquaredExponential(0.3), np.random.default_rng(0)
    points = Grid(len(sides), sides, (20,) * len(sides)).points
    values, vectors = np.linalg.eigh(kernel.gram(points))
    draws = rng.standard_normal((4_000, len(points))) * np.sqrt(np.maximum(values, 0.0))
    largest = (draws @ vectors.T).max(axis=1)
    found = box_maximum(sides, kernel)
    assert largest.mean() - 4.0 * largest.std() / np.sqrt(4_000) <= found
    assert found <= 1.5 * largest.mean()


def test_the_search() -> None:
    problem = problem_of(np.ones(150), epsilon=1e-5, noise_variance=0.01)
    found = least_box_ceiling(problem)
    assert isinstance(found, BoxCeiling)
    assert 0.0 < found.value < 0.2 * 150
    assert found.value <= box_ceiling_at(problem, found.rounds, found.places, 300)
    assert found.to_dict()["rounds"] == list(found.rounds)
    rough = SquaredExponential(0.2)
    nothing = least_box_ceiling(problem_of(np.ones(6), epsilon=0.5, space_kernel=rough))
    assert nothing.value == 6.0
    assert not nothing.rounds


def test_what_has_none_is_named() -> None:
    for more, field in (
        ({"space_kernel": Matern(1.5, 0.2)}, "kernel"),
        ({"time_kernel": SquaredExponential(1.0)}, "time-kernel"),
    ):
        problem = problem_of(np.ones(5), **more)
        assert affordable_box_ceiling(problem) is None
        with pytest.raises(InvalidInput, match=field):
            least_box_ceiling(problem)
    arms = replace(problem_of(np.ones(5)), domain=Arms(3))
    with pytest.raises(InvalidInput, match="domain"):
        least_box_ceiling(arms)
    with pytest.raises(InvalidInput, match="places"):
        box_ceiling_at(problem_of(np.ones(5)), (0,), np.array([[2.0]]))
    assert affordable_box_ceiling(problem_of(np.ones(1_501))) is None


@pytest.mark.parametrize("kernel", ALL_KERNELS, ids=lambda k: k.title)
def test_the_curvature_by_differences(kernel) -> None:
    """Var of (f(h) − 2f(0) + f(−h))/h² is (6 − 8k(h) + 2k(2h))/h⁴."""
    h = 1e-2
    k = 1.0 - kernel.complement(np.array([h, 2.0 * h]))
    by_differences = (6.0 - 8.0 * k[0] + 2.0 * k[1]) / h**4
    assert kernel.curvature_variance == pytest.approx(by_differences, rel=0.15)
