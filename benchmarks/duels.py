"""The same question put to this project and to a peer, with a check that the answers are one.

A duel builds its question once; `ours` and `peer` then answer it from nothing, and what they build
on the way (times, matrices, models) is theirs to pay for. Imports stand inside, so that a process
that runs one side pays for one side.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np


class Disagreement(Exception):
    """Two sides answer differently: there is nothing to time."""


def require(holds: object, what: str) -> None:
    """Raise Disagreement unless the condition holds."""
    if not holds:
        raise Disagreement(what)


class Duel(ABC):
    """A question, two ways to answer it, and what «the same answer» means.

    name : in the table
    rival : the function of the peer
    needs : packages without which it is skipped
    counted : what both sides do
    """

    name: ClassVar[str]
    rival: ClassVar[str]
    needs: ClassVar[tuple[str, ...]]
    counted: ClassVar[str]
    size: str

    @abstractmethod
    def __init__(self, *, quick: bool) -> None: ...

    @abstractmethod
    def ours(self) -> Any:
        """This project's answer."""

    @abstractmethod
    def peer(self) -> Any:
        """The peer's answer to the same question."""

    @abstractmethod
    def compare(self, ours: Any, peer: Any) -> str:
        """How near the answers are; raises Disagreement."""


class _OnePrice(Duel):
    """The best partition of n unit gaps where each block costs its drift and one price."""

    epsilon = 1e-4
    lengths: ClassVar[tuple[int, int]]

    def __init__(self, *, quick: bool) -> None:
        self.n, self.price = self.lengths[quick], 5.0 if quick else 50.0
        self.size = f"n = {self.n:,}"

    def _problem(self) -> Any:
        from bounds.problem import Problem
        from bounds.times import EvaluationTimes

        return Problem(EvaluationTimes.from_durations(np.ones(self.n)), epsilon=self.epsilon)

    def ours(self) -> Any:
        from bounds.partitions.search import search

        return search("additive", self._problem(), self._prices())

    def _prices(self) -> Any:
        return np.concatenate(([0.0], np.full(self.n, self.price)))

    @property
    def _factor(self) -> float:
        """½ M log(1 + factor·√(M(M²−1))): C of M unit gaps is M²(M²−1)/6 below the cap."""
        slope = -0.5 * np.log1p(-self.epsilon)
        return float(slope / 0.01 / np.sqrt(6.0))

    def compare(self, ours: Any, peer: Any) -> str:
        from bounds.partitions.partition import Partition
        from bounds.partitions.search import evaluate

        require(self.n * self.epsilon < 2.0, "a block could reach the cap of C")
        cuts = Partition((0, *map(int, peer)))
        theirs = evaluate("additive", self._problem(), self._prices(), cuts).value
        apart = abs(ours.value - theirs) / ours.value
        require(ours.exact and apart < 1e-9, f"ours {ours.value!r}, theirs {theirs!r}")
        return f"value {ours.value:.6f} in {len(peer)} blocks, apart by {apart:.0e}"

    def _ruptures_cost(self) -> Any:
        from ruptures.base import BaseCost

        factor = self._factor

        class Drift(BaseCost):  # type: ignore[misc]
            model = "drift"
            min_size = 1

            def fit(self, signal: Any) -> Any:
                self.signal = signal
                return self

            def error(self, start: int, end: int) -> float:
                m = end - start
                return 0.5 * m * float(np.log1p(factor * (m * (m * m - 1)) ** 0.5))

        return Drift()


class Pelt(_OnePrice):
    name = "partition, one price"
    rival = "ruptures.Pelt(custom_cost, jump=1)"
    needs = ("ruptures",)
    counted = "times, search and backtracking; the peer's cost of a block is a closed form, O(1)"
    lengths = (3_000, 60)

    def peer(self) -> Any:
        import ruptures

        search = ruptures.Pelt(custom_cost=self._ruptures_cost(), jump=1, min_size=1)
        return search.fit(np.zeros((self.n, 1))).predict(pen=self.price)


class Dynp(_OnePrice):
    name = "partition, number of blocks told"
    rival = "ruptures.Dynp(custom_cost, jump=1)"
    needs = ("ruptures",)
    counted = "as above; the peer is told how many blocks are best, ours finds it"
    lengths = (500, 60)

    def __init__(self, *, quick: bool) -> None:
        super().__init__(quick=quick)
        self.blocks = 2 if quick else 5  # of the optimum: a wrong number would be a disagreement

    def peer(self) -> Any:
        import ruptures

        search = ruptures.Dynp(custom_cost=self._ruptures_cost(), jump=1, min_size=1)
        return search.fit(np.zeros((self.n, 1))).predict(n_bkps=self.blocks - 1)


class Skchange(_OnePrice):
    name = "partition, one price"
    rival = "skchange PELT(custom cost)"
    needs = ("skchange",)
    counted = "as above; the peer's costs are computed by NumPy, many blocks at a time"
    lengths = (3_000, 60)

    def peer(self) -> Any:
        from skchange.detectors import PELT
        from skchange.interval_scorers import BaseCost

        factor = self._factor

        class Drift(BaseCost):  # type: ignore[misc]
            min_size = 1

            def precompute(self, X: Any) -> dict[str, Any]:
                return {}

            def evaluate(self, cache: dict[str, Any], interval_specs: Any) -> Any:
                m = (interval_specs[:, 1] - interval_specs[:, 0]).astype(float)
                return (0.5 * m * np.log1p(factor * np.sqrt(m * (m * m - 1.0))))[:, None]

            def get_default_penalty(self) -> float:
                return 0.0

        signal = np.zeros((self.n, 1))
        search = PELT(cost=Drift(), penalty=self.price, min_segment_length=1)
        return [*search.fit(signal).predict(signal), self.n]


class UniformityDuel(Duel):
    name = "uniformity C"
    rival = "NumPy double sum"
    needs = ()
    counted = "from durations to C"

    def __init__(self, *, quick: bool) -> None:
        n = 200 if quick else 4_000
        self.durations = np.random.default_rng(0).exponential(1.0, n)
        self.cap = 100.0**2
        self.size = f"n = {n:,}"

    def ours(self) -> float:
        from bounds.partitions.uniformity import uniformity
        from bounds.times import EvaluationTimes

        return uniformity(EvaluationTimes.from_durations(self.durations), self.cap)

    def peer(self) -> float:
        tau = np.cumsum(self.durations)
        return float(np.minimum(self.cap, np.subtract.outer(tau, tau) ** 2).sum())

    def compare(self, ours: float, peer: float) -> str:
        apart = abs(ours - peer) / peer
        require(apart < 1e-10, f"ours {ours!r}, theirs {peer!r}")
        return f"apart by {apart:.0e}"


class Greedy(Duel):
    name = "greedy design"
    rival = "submodlib LogDeterminantFunction, LazyGreedy"
    needs = ("submodlib",)
    counted = "the Gram matrix (the peer's, in NumPy) or table, and the points in order"

    def __init__(self, *, quick: bool) -> None:
        from bounds.domain import Grid
        from bounds.kernels import Matern

        self.q, self.rounds, self.noise = (8, 5, 0.01) if quick else (30, 100, 0.01)
        self.kernel, self.grid = Matern(2.5, 0.2), Grid(2, 1.0, self.q)
        self.size = f"{self.q}×{self.q} points, {self.rounds} rounds, Matérn-5/2"

    def ours(self) -> Any:
        from bounds.static_gain.exchange import ExchangeableDesign

        design = ExchangeableDesign(self.grid.restricted(self.kernel), self.noise, self.rounds)
        design.grow(self.rounds)
        return design.points

    def peer(self) -> Any:
        from submodlib import LogDeterminantFunction

        size = self.q**2
        function = LogDeterminantFunction(
            n=size, mode="dense", lambdaVal=self.noise, sijs=self.kernel.gram(self.grid.points)
        )
        chosen = function.maximize(budget=self.rounds, optimizer="LazyGreedy", show_progress=False)
        return np.array([point for point, _ in chosen])

    def compare(self, ours: Any, peer: Any) -> str:
        from bounds.static_gain.information import gain

        first, second = (
            gain(self.kernel.gram(self.grid.points[p]), self.noise) for p in (ours, peer)
        )
        # The two break ties in their own ways; a lazy greedy never repeats a point.
        require(abs(first - second) < 0.02 * second, f"ours {first!r}, theirs {second!r}")
        return f"gain {first:.4f}, theirs {second:.4f}"


class CertifiedGain(Duel):
    name = "upper side of γ_n"
    rival = "cvxpy, log-det programme (Clarabel)"
    needs = ("cvxpy",)
    counted = "features of the kernel, the weights, the bound; ours for every m ≤ n, theirs for n"

    def __init__(self, *, quick: bool) -> None:
        from bounds.domain import Grid
        from bounds.kernels import SquaredExponential

        self.q, self.n, self.noise = (3, 20, 0.01) if quick else (6, 60, 0.01)
        self.kernel, self.grid = SquaredExponential(0.2), Grid(2, 1.0, self.q)
        self.size = f"{self.q}×{self.q} points, n = {self.n}, squared exponential"

    def ours(self) -> Any:
        from bounds.static_gain.upper_curve import space_gain_upper

        return space_gain_upper(self.kernel, self.grid, self.noise, self.n)

    def peer(self) -> float:
        """max ½ log det(I + (n/σ²) Fᵀ diag(w) F) over weights w, K = FFᵀ."""
        import cvxpy

        values, vectors = np.linalg.eigh(self.kernel.gram(self.grid.points))
        F = vectors[:, values > 1e-9] * np.sqrt(values[values > 1e-9])
        w = cvxpy.Variable(len(F), nonneg=True)
        information = np.eye(F.shape[1]) + self.n / self.noise * (F.T @ cvxpy.diag(w) @ F)
        programme = cvxpy.Problem(cvxpy.Maximize(cvxpy.log_det(information)), [cvxpy.sum(w) == 1])
        return float(programme.solve(solver=cvxpy.CLARABEL)) / 2

    def compare(self, ours: Any, peer: float) -> str:
        from bounds.static_gain.designs import space_gain_lower

        above = float(ours.values[-1])
        below = float(space_gain_lower(self.kernel, self.grid, self.noise, self.n).values[-1])
        # Γ_n of `relaxation` is at most the programme's value, and as large where n ≥ the rank.
        near = below <= above <= 1.002 * peer and below <= peer <= 1.01 * above
        require(near, f"ours {above!r}, theirs {peer!r}, a design has {below!r}")
        return f"{above:.3f}, theirs {peer:.3f}, lower side {below:.3f}"


class _Rounds(Duel):
    """CTV-fixed with fixed hyperparameters on an objective drawn before: choices and deviations."""

    counted = "prior, every choice over the grid and every update; not the drawing of the objective"

    def __init__(self, *, quick: bool) -> None:
        from bounds.domain import Grid
        from bounds.kernels import SquaredExponential
        from bounds.problem import Problem
        from bounds.times import EvaluationTimes
        from simulation.world.environment import Seeds, draw_path
        from simulation.world.evaluation_time import constant

        q, self.initial, self.rounds = (6, 3, 3) if quick else (50, 30, 100)
        n = self.initial + self.rounds
        self.problem = Problem(
            EvaluationTimes.from_durations([3.0]),
            space_kernel=SquaredExponential(0.2),
            domain=Grid(2, 1.0, q),
        )
        self.waits = constant(3.0, n)
        path = draw_path(self.problem, self.waits, n, Seeds.of(0).objective)
        self.values = np.array([path.after(3.0) for _ in range(n)])
        self.size = f"{q}×{q} points, {self.initial} random and {self.rounds} own rounds"
        seeds = Seeds.of(0)
        self.start = np.random.default_rng(seeds.initial).integers(q * q, size=self.initial)
        self.noise = 0.1 * np.random.default_rng(seeds.noise).standard_normal(n)

    def ours(self) -> Any:
        from simulation.runs.run import simulate

        return simulate(
            self.problem,
            self.waits,
            path=_Recorded(self.values),
            initial=self.initial,
            rounds=self.rounds,
        )

    def peer(self) -> Any:
        """Choices, and the deviations at the chosen points."""
        points = self.problem.domain.points
        times = 3.0 * np.arange(1, len(self.values) + 1)
        chosen, deviations = list(self.start), []
        for i in range(self.initial, len(self.values)):
            seen = np.column_stack([points[chosen], times[:i]])
            target = np.column_stack([points, np.full(len(points), times[i])])
            y = self.values[np.arange(i), chosen] + self.noise[:i]
            mean, deviation = self.predicted(seen, y, target)
            chosen.append(int(np.argmax(mean + 0.8 * np.log(4 * (i + 1)) * deviation)))
            deviations.append(deviation[chosen[-1]])
        return np.array(chosen), np.array(deviations)

    @abstractmethod
    def predicted(self, seen: Any, y: Any, target: Any) -> tuple[Any, Any]:
        """Mean and deviation at `target`."""

    def compare(self, ours: Any, peer: Any) -> str:
        chosen, deviations = peer
        same = int(np.sum(chosen == ours.points))
        apart = float(np.abs(ours.deviations[self.initial :] - deviations).max())
        require(same == ours.n and apart < 1e-5, f"{same} of {ours.n} choices, apart {apart:.1e}")
        return f"{same} of {ours.n} choices the same, deviations apart by {apart:.0e}"


class _Recorded:
    """An objective that has been drawn already."""

    def __init__(self, values: Any) -> None:
        self.values, self.position = values, 0

    def after(self, gap: float) -> Any:
        self.position += 1
        return self.values[self.position - 1]


class RoundsOfScikitLearn(_Rounds):
    name = "rounds of a policy"
    rival = "scikit-learn GaussianProcessRegressor"
    needs = ("sklearn",)

    def predicted(self, seen: Any, y: Any, target: Any) -> tuple[Any, Any]:
        from sklearn.gaussian_process import GaussianProcessRegressor, kernels

        far = 1e9
        space = kernels.RBF([0.2, 0.2, far])
        time = kernels.Matern([far, far, 1 / self.problem.time_kernel.slope], nu=0.5)
        model = GaussianProcessRegressor(space * time, alpha=0.01, optimizer=None).fit(seen, y)
        return model.predict(target, return_std=True)  # type: ignore[no-any-return]


class RoundsOfBoTorch(_Rounds):
    name = "rounds of a policy"
    rival = "BoTorch SingleTaskGP (CPU)"
    needs = ("botorch", "gpytorch", "torch")

    def predicted(self, seen: Any, y: Any, target: Any) -> tuple[Any, Any]:
        import torch
        from botorch.models import SingleTaskGP
        from gpytorch.kernels import MaternKernel, RBFKernel
        from gpytorch.means import ZeroMean

        torch.set_num_threads(1)
        space = RBFKernel(active_dims=(0, 1))
        space.lengthscale = 0.2
        time = MaternKernel(nu=0.5, active_dims=(2,))
        time.lengthscale = 1.0 / self.problem.time_kernel.slope
        x, values = torch.from_numpy(seen), torch.from_numpy(y)[:, None]
        model = SingleTaskGP(
            x,
            values,
            torch.full_like(values, 0.01),
            covar_module=space * time,
            mean_module=ZeroMean(),
            outcome_transform=None,
            input_transform=None,
        ).double()
        with torch.no_grad():
            # One batch for each point, as acquisitions do it: no covariance between points.
            found = model.posterior(torch.from_numpy(target)[:, None, :])
            return found.mean.flatten().numpy(), found.variance.flatten().sqrt().numpy()


class _Fit(Duel):
    """The likeliest lengthscales, drift and noise of a log, from one start."""

    counted = "distances, every likelihood with its slopes, and the search (L-BFGS-B) to its top"
    nearness = 0.05

    def __init__(self, *, quick: bool) -> None:
        n = 40 if quick else 150
        rng = np.random.default_rng(1)
        self.x, self.times = rng.random((n, 2)), np.cumsum(rng.exponential(1.0, n))
        gram = self._covariance(0.3, 0.01)
        self.y = np.linalg.cholesky(gram + 0.02 * np.eye(n)) @ rng.standard_normal(n)
        self.size = f"{n} rows of 2 inputs, 4 hyperparameters"

    def _covariance(self, length: float, rate: float) -> Any:
        squares = np.sum((self.x[:, None] - self.x[None]) ** 2, axis=2) / length**2
        return np.exp(-0.5 * squares - rate * np.abs(np.subtract.outer(self.times, self.times)))

    def _search(self) -> Any:
        from simulation.prior.conjugate import MeanAndScale
        from simulation.prior.evidence import Data
        from simulation.prior.hyperprior import Hyperprior, Structure
        from simulation.prior.modes import Search

        # m = 0 and s = 1 to some eight digits: the peers' likelihood has no prior on them.
        known = MeanAndScale(0.0, 0.0, 1e9, 1e9)
        search = Search(Data(self.x, self.times, self.y), Hyperprior(), known, weighed=False)
        return search, Structure("se", drift=True, level=False, per_input=True)

    @property
    def _start(self) -> tuple[float, float, float]:
        """Lengthscale, noise and rate at which all searches begin: medians of `Hyperprior()`."""
        return 0.3, 0.02, float(np.log(2.0) / (0.5 * np.ptp(self.times)))

    def ours(self) -> tuple[float, float]:
        """Log likelihood at the start and at the top."""
        search, structure = self._search()
        start = np.zeros(search.coordinates(structure))
        return -search.descent(structure, start)[0], -search.climb(structure, start)[0]

    def compare(self, ours: tuple[float, float], peer: tuple[float, float]) -> str:
        begun, top = abs(ours[0] - peer[0]), ours[1] - peer[1]
        near = begun < 1e-4 * abs(peer[0]) and abs(top) < self.nearness
        require(near, f"ours {ours!r}, theirs {peer!r}")
        return f"log likelihood {ours[1]:.4f} at the top, theirs {peer[1]:.4f}"


class FitOfScikitLearn(_Fit):
    name = "likeliest prior of a log"
    rival = "scikit-learn GaussianProcessRegressor"
    needs = ("sklearn",)

    def peer(self) -> tuple[float, float]:
        from scipy.optimize import minimize
        from sklearn.gaussian_process import GaussianProcessRegressor, kernels

        length, noise, rate = self._start
        # No kernel of some of the inputs only: the others have a lengthscale that hardly moves.
        far, reach = (1e9, 1e9 * (1 + 1e-9)), (1e-3, 1e5)
        space = kernels.RBF([length, length, 1e9], [reach, reach, far])
        time = kernels.Matern([1e9, 1e9, 1 / rate], [far, far, reach], nu=0.5)
        begun = []

        def climb(descent: Any, start: Any, bounds: Any) -> Any:
            begun.append(-descent(start)[0])
            top = minimize(
                descent,
                start,
                jac=True,
                method="L-BFGS-B",
                bounds=bounds,
                options={"maxiter": 40, "ftol": 1e-6},
            )
            return top.x, top.fun

        model = GaussianProcessRegressor(
            space * time + kernels.WhiteKernel(noise, (1e-6, 1e2)), alpha=0.0, optimizer=climb
        ).fit(np.column_stack([self.x, self.times]), self.y)
        return begun[0], model.log_marginal_likelihood_value_


class FitOfGPyTorch(_Fit):
    name = "likeliest prior of a log"
    rival = "GPyTorch, by BoTorch's fit_gpytorch_mll_scipy (CPU)"
    needs = ("botorch", "gpytorch", "torch")

    def peer(self) -> tuple[float, float]:
        import torch
        from botorch.models import SingleTaskGP
        from botorch.optim.fit import fit_gpytorch_mll_scipy
        from gpytorch.constraints import GreaterThan
        from gpytorch.kernels import MaternKernel, RBFKernel
        from gpytorch.likelihoods import GaussianLikelihood
        from gpytorch.means import ZeroMean
        from gpytorch.mlls import ExactMarginalLogLikelihood

        torch.set_num_threads(1)
        length, noise, rate = self._start
        space = RBFKernel(ard_num_dims=2, active_dims=(0, 1))
        time = MaternKernel(nu=0.5, active_dims=(2,))
        likelihood = GaussianLikelihood(noise_constraint=GreaterThan(1e-6))
        space.lengthscale, time.lengthscale, likelihood.noise = length, 1 / rate, noise
        x = torch.from_numpy(np.column_stack([self.x, self.times]))
        y = torch.from_numpy(self.y)[:, None]
        model = SingleTaskGP(
            x,
            y,
            likelihood=likelihood,
            covar_module=space * time,
            mean_module=ZeroMean(),
            outcome_transform=None,
            input_transform=None,
        ).double()
        likelihood_of = ExactMarginalLogLikelihood(model.likelihood, model)

        def value() -> float:
            with torch.no_grad():
                found = likelihood_of(model(*model.train_inputs), model.train_targets)
            return float(found) * len(self.y)

        model.train()
        begun = value()
        fit_gpytorch_mll_scipy(likelihood_of, options={"maxiter": 40, "ftol": 1e-6})
        return begun, value()


DUELS: tuple[type[Duel], ...] = (
    Pelt,
    Skchange,
    Dynp,
    Greedy,
    CertifiedGain,
    RoundsOfScikitLearn,
    RoundsOfBoTorch,
    FitOfScikitLearn,
    FitOfGPyTorch,
    UniformityDuel,
)
