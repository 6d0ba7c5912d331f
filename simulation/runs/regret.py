"""What every run says of its regret, on the grid and on the box."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from bounds.arrays import FloatArray


class Regrets:
    """Sums and means of r_i = best value − f(x_i, τ_i) over the rounds of one run.

    Attributes
    ----------
    initial : number of random rounds at the start
    values, best_values : (n,) f(x_i, τ_i), and what it is measured against
    """

    initial: int
    values: FloatArray
    best_values: FloatArray

    @property
    def regrets(self) -> FloatArray:
        """(n,) r_i = best value − f(x_i, τ_i) ≥ 0."""
        return self.best_values - self.values

    @cached_property
    def cumulative_regret(self) -> FloatArray:
        """(n,) R_i = r_1 + … + r_i."""
        return np.cumsum(self.regrets)

    @property
    def regret_per_round(self) -> float:
        """R_n/n over all rounds."""
        return float(np.mean(self.regrets))

    @property
    def own_regret_per_round(self) -> float:
        """Mean regret of the rounds after the initial ones; NaN if there are none."""
        own = self.regrets[self.initial :]
        return float(np.mean(own)) if len(own) else float("nan")
