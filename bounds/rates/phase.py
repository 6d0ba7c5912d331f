"""Finite n: which bound is best where, for equally spaced times and equal blocks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bounds.arithmetic import DOUBLES
from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.formulas import gain_cap
from bounds.gain.bound import Quantities
from bounds.gain.upper.any_pattern import AnyPattern
from bounds.partitions.equal_blocks import equal_block_gains
from bounds.partitions.hypothesis import theorem1_failure
from bounds.partitions.result import checked_gains
from bounds.problem import Problem
from bounds.progress import Share, unwatched
from bounds.times import EvaluationTimes

NAMES = ("theorem1", "additive", "refined", "any_pattern")
"""The bounds that compete with the trivial one."""

TRIVIAL = "trivial"


@dataclass(frozen=True)
class Mark:
    """A setting of the paper's experiment: n rounds of `spacing` each, at forgetting rate ε."""

    label: str
    n: int
    spacing: float
    epsilon: float


PAPER_EXPERIMENT = (
    Mark("t = 3", 130, 3.0, 0.01),
    Mark("t = 1", 130, 1.0, 0.01),
    Mark("t = 10", 130, 10.0, 0.01),
)
"""Uniform settings of the paper's section 5: 30 random rounds, then 100 of the policy."""


@dataclass(frozen=True, eq=False)
class PhaseDiagram:
    """Upper bounds on γ̃_n over a rectangle of settings; a row for each ε, a column for each n.

    Attributes
    ----------
    rounds : (columns,) int, n
    epsilons : (rows,) the ε of each row
    gains : by name, (rows, columns); NaN where a hypothesis of the bound fails
    trivial : (columns,) ½ n log(1+1/σ²)
    best : (rows, columns) the name of the smallest bound, "trivial" included
    lengths : (rows, columns) the block length of the best partition bound
    """

    rounds: NDArray[np.int64]
    epsilons: FloatArray
    gains: Mapping[str, FloatArray]
    trivial: FloatArray
    best: NDArray[np.str_]
    lengths: NDArray[np.int64]

    @property
    def beats_trivial(self) -> NDArray[np.bool_]:
        """Whether any bound is smaller than the trivial one."""
        return np.asarray(self.best != TRIVIAL)

    @property
    def share(self) -> FloatArray:
        """The smallest bound as a share of the trivial one, at most 1."""
        smallest = np.nanmin(np.stack([self.gains[name] for name in NAMES]), axis=0)
        return np.asarray(np.minimum(smallest / self.trivial, 1.0))


def phase_diagram(
    gamma: ArrayLike,
    noise_variance: float,
    rounds: ArrayLike,
    *,
    epsilons: ArrayLike,
    spacing: float = 1.0,
    progress: Share = unwatched,
) -> PhaseDiagram:
    """The best bound for each (n, ε), rounds `spacing` apart.

    Parameters
    ----------
    gamma : (≥ max n + 1,) γ_0 = 0, γ_1, …, non-decreasing upper bounds
    noise_variance : σ² > 0
    rounds : the values of n
    epsilons : in [0, 1)
    spacing : t_i ≥ 0
    progress : called with the share of rows done

    Forgetting kernel. `theorem1` is NaN where 1 − k_time ≤ ε|·| fails at neighbouring rounds.
    O(n) for each cell.

    >>> diagram = phase_diagram([0.0, 2.4, 4.7, 5.9], 0.01, [2, 3], epsilons=[1e-6, 0.9])
    >>> diagram.best.tolist()
    [['trivial', 'refined'], ['trivial', 'trivial']]
    """
    if not noise_variance > 0:
        raise InvalidInput("noise-variance", noise_variance, "give a positive number")
    columns = np.asarray(rounds, dtype=np.int64)
    if columns.ndim != 1 or len(columns) == 0 or columns.min() < 1:
        raise InvalidInput("n", str(rounds), "give numbers of rounds, at least 1 each")
    prices = checked_gains(gamma, int(columns.max()))
    rates = np.asarray(epsilons, dtype=float)
    shape = (len(rates), len(columns))
    gains = {bound: np.full(shape, np.nan) for bound in NAMES}
    lengths = np.zeros(shape, dtype=np.int64)
    for row, rate in enumerate(rates.tolist()):
        two = Problem(EvaluationTimes.from_durations([spacing, spacing]), rate)
        kernel = two.time_kernel
        for column, n in enumerate(columns.tolist()):
            table = equal_block_gains(
                n,
                spacing,
                epsilon=rate,
                time_kernel=kernel,
                noise_variance=noise_variance,
                gamma=prices,
            )
            for bound in table.gains:
                gains[bound][row, column] = table.best(bound)[0]
            lengths[row, column] = table.best("refined")[1]
            span = (n - 1) * spacing
            of = Quantities(n, noise_variance, float(prices[n]), kernel.slope, span)
            gains["any_pattern"][row, column] = AnyPattern().formula(DOUBLES, of)
        if theorem1_failure(two):  # (1 − k_time(r))/r falls, so that neighbours decide
            gains["theorem1"][row] = np.nan
        progress((row + 1) / len(rates))
    trivial = np.asarray(columns * gain_cap(DOUBLES, noise_variance), dtype=float)
    # Ties go to the first name: the trivial bound where nothing beats it, then the tightest form.
    order = (TRIVIAL, "refined", "additive", "theorem1", "any_pattern")
    # Single points are the trivial bound up to rounding, which is no improvement.
    floor = np.broadcast_to(trivial * (1.0 - 1e-12), shape)
    stack = np.stack([floor, *(gains[bound] for bound in order[1:])])
    best = np.array(order)[np.nanargmin(stack, axis=0)]
    return PhaseDiagram(columns, rates, gains, trivial, best, lengths)
