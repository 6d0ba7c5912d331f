"""The one value that travels: evaluation times, kernels, noise, domain and confidence level."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from numbers import Real
from pathlib import Path
from typing import cast

from numpy.typing import ArrayLike

from bounds.domain import Domain, Grid
from bounds.errors import InvalidInput, explained
from bounds.kernels import Forgetting, Kernel, SquaredExponential
from bounds.noise import NoiseLevel, require_variance
from bounds.times import EvaluationTimes

# Stands for "the forgetting kernel of the problem's own epsilon" until that is known.
_FORGETTING_AT_EPSILON = Forgetting(0.0)


@explained(
    "the parameters are times, epsilon, time_kernel, space_kernel, noise_variance, domain, delta; "
    "words for kernels and domains are for the commands, as ctv.bound(times, kernel='matern52')"
)
@dataclass(frozen=True, eq=False)
class Problem:
    """A time-varying Gaussian process bandit with a fixed sequence of evaluation times.

    Parameters
    ----------
    times : EvaluationTimes; a list or array of durations is taken too
    epsilon : float in [0, 1); the ε of Theorem 1, whatever the time kernel is
    time_kernel : Kernel; by default the forgetting kernel of rate `epsilon`
    space_kernel : Kernel
    noise_variance : float > 0, σ²
    domain : Domain; its own kernel, if it has one, takes the place of `space_kernel`
    delta : float in (0, 1); bounds on regret hold with probability ≥ 1 − δ

    >>> Problem(EvaluationTimes.from_durations([1.0, 1.0])).time_kernel
    Forgetting(epsilon=0.01)
    """

    times: EvaluationTimes
    epsilon: float = 0.01
    time_kernel: Kernel = field(default=_FORGETTING_AT_EPSILON)
    space_kernel: Kernel = field(default_factory=lambda: SquaredExponential(0.2))
    noise_variance: float = 0.01
    domain: Domain = field(default_factory=Grid)
    delta: float = 0.1

    def __post_init__(self) -> None:
        self._check_types()
        if not 0.0 <= self.epsilon < 1.0:
            raise InvalidInput("epsilon", self.epsilon, "give a forgetting rate in [0, 1)")
        require_variance(self.noise_variance)
        if not 0.0 < self.delta < 1.0:
            raise InvalidInput("delta", self.delta, "give a probability in (0, 1)")
        object.__setattr__(self, "space_kernel", self.domain.space_kernel(self.space_kernel))
        if self.time_kernel is _FORGETTING_AT_EPSILON:
            object.__setattr__(self, "time_kernel", Forgetting(self.epsilon))

    def _check_types(self) -> None:
        """Take durations as times; refuse other things of a wrong type with what to pass."""
        times: object = self.times
        if not isinstance(times, EvaluationTimes):
            if isinstance(times, str | Path):
                raise InvalidInput("times", str(times), "read the file first: ctv.read_times(path)")
            durations = EvaluationTimes.from_durations(cast("ArrayLike", times))
            object.__setattr__(self, "times", durations)
        wanted = {
            "time_kernel": (Kernel, "a kernel, as Forgetting(0.01)"),
            "space_kernel": (Kernel, "a kernel, as SquaredExponential(0.2)"),
            "domain": (Domain, "a domain, as Grid(dimension=2, side=1.0, points_per_axis=50)"),
        }
        for name, (kind, remedy) in wanted.items():
            value = getattr(self, name)
            if not isinstance(value, kind):
                raise InvalidInput(name.replace("_", "-"), value, f"give {remedy}")
        for name in ("epsilon", "noise_variance", "delta"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, Real):
                raise InvalidInput(name.replace("_", "-"), value, "give a number")

    @property
    def n(self) -> int:
        return self.times.n

    @property
    def noise(self) -> NoiseLevel:
        """The noise of every observation."""
        return NoiseLevel(self.noise_variance)

    @property
    def trivial_gain_per_round(self) -> float:
        """½ log(1 + 1/σ²): no round can gain more, since the kernels have unit variance."""
        return self.noise.gain_cap

    def at_rate(self, epsilon: float) -> Problem:
        """The same problem at another ε in [0, 1); a time kernel that has no such rate stays.

        >>> Problem([1.0]).at_rate(0.25).time_kernel
        Forgetting(epsilon=0.25)
        """
        kernel = self.time_kernel.at_rate(epsilon) or self.time_kernel
        return replace(self, epsilon=epsilon, time_kernel=kernel)
