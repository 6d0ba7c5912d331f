"""What a study says: means, spreads, bootstrap intervals, and paired comparisons.

Every policy of a study meets the same objectives and the same noise, so two policies are compared
seed by seed; the interval of the mean difference is far shorter than that of either mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from bounds.errors import InvalidInput
from simulation.study import Study

FloatArray = NDArray[np.float64]

_RESAMPLES = 10_000
_BOOTSTRAP_SEED = 20_200_309


@dataclass(frozen=True)
class Estimate:
    """Mean over seeds, standard deviation (of one run, n − 1), and an interval for the mean.

    With one seed there is neither spread nor interval: `sd`, `ci_low`, `ci_high` are NaN.
    """

    mean: float
    sd: float
    ci_low: float
    ci_high: float


@dataclass(frozen=True)
class PolicySummary:
    """One policy over the seeds of a study.

    Attributes
    ----------
    policy : its name
    seeds : number of runs
    all_rounds : Estimate of R_n/n over all rounds, the initial ones included
    own_rounds : the same over the policy's own rounds, after the initial ones
    """

    policy: str
    seeds: int
    all_rounds: Estimate
    own_rounds: Estimate

    @property
    def regret_per_round(self) -> float:
        """Mean of R_n/n over all rounds."""
        return self.all_rounds.mean

    @property
    def sd(self) -> float:
        """Standard deviation of R_n/n between runs."""
        return self.all_rounds.sd

    @property
    def ci_low(self) -> float:
        """Lower end of the interval for the mean of R_n/n."""
        return self.all_rounds.ci_low

    @property
    def ci_high(self) -> float:
        """Upper end of the interval for the mean of R_n/n."""
        return self.all_rounds.ci_high


@dataclass(frozen=True)
class PairedComparison:
    """R_n/n of `first` minus that of `second`, seed by seed on common random numbers.

    Attributes
    ----------
    first, second : policies
    difference : Estimate; negative where `first` does better
    first_better : share of the seeds on which `first` has the smaller regret
    decided : whether the interval excludes 0
    """

    first: str
    second: str
    difference: Estimate
    first_better: float

    @property
    def decided(self) -> bool:
        return self.difference.ci_low > 0 or self.difference.ci_high < 0


@dataclass(frozen=True)
class Summary:
    """Statistics of a study; `level` is that of every interval, each on its own."""

    policies: dict[str, PolicySummary]
    paired: tuple[PairedComparison, ...]
    level: float


def summarize(study: Study, level: float = 0.95) -> Summary:
    """Means, spreads, intervals and paired comparisons of all pairs of policies.

    The intervals are percentile bootstrap intervals over seeds (10,000 resamples, the same seed
    always), each of the given level; they are not corrected for how many there are.
    O(10,000 · seeds · pairs).
    """
    overall = {p: _over_seeds(runs, "regret_per_round") for p, runs in study.trajectories.items()}
    own = {p: _over_seeds(runs, "own_regret_per_round") for p, runs in study.trajectories.items()}
    policies = {
        p: PolicySummary(p, len(overall[p]), estimate(overall[p], level), estimate(own[p], level))
        for p in study.trajectories
    }
    paired = tuple(
        PairedComparison(
            a,
            b,
            estimate(overall[a] - overall[b], level),
            float(np.mean(overall[a] < overall[b])),
        )
        for a, b in combinations(study.trajectories, 2)
    )
    return Summary(policies, paired, level)


def estimate(values: FloatArray, level: float = 0.95) -> Estimate:
    """Mean, standard deviation and percentile bootstrap interval of independent values.

    >>> estimate(np.array([1.0, 2.0, 3.0])).mean
    2.0
    """
    if not 0.0 < level < 1.0:
        raise InvalidInput("level", level, "give a level in (0, 1)")
    mean = float(np.mean(values))
    if len(values) < 2:
        return Estimate(mean, float("nan"), float("nan"), float("nan"))
    means = resampled(values).mean(axis=1)
    tail = 0.5 * (1.0 - level)
    low, high = np.quantile(means, [tail, 1.0 - tail])
    return Estimate(mean, float(np.std(values, ddof=1)), float(low), float(high))


def resampled(values: FloatArray) -> FloatArray:
    """(10,000, m) bootstrap samples of m values."""
    return np.asarray(values[resampling(len(values))])


def resampling(count: int) -> NDArray[np.int64]:
    """(10,000, count) indices drawn with replacement; the same for the same count."""
    rng = np.random.default_rng(_BOOTSTRAP_SEED)
    return rng.integers(count, size=(_RESAMPLES, count))


def _over_seeds(runs: tuple[object, ...], name: str) -> FloatArray:
    return np.array([getattr(run, name) for run in runs])
