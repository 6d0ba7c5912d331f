"""A fit that is kept while its log grows: members reweighed by evidence, refitted when it must be.

The members of largest weight stand for the set. With more rows their weights are
w·p(y now | member)/p(y then | member), which is right for any log that the first one grew into;
what they lose is precision, once the evidence moves to members that were left out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from own_runs.logs.axes import Axis
from own_runs.logs.observations import Observations
from own_runs.prior.fit import PLAIN, data_of, fit
from simulation.model.time_model import TimeHyperparameters
from simulation.prior.candidates import Candidates
from simulation.prior.hyperprior import FiniteHyperprior, Hyperprior

HEAVY = 32
"""Members kept of a fit."""
_GROWTH = 1.5
"""Rows over those of the last fit from which there is a new one."""
_LEFT = 0.25
"""Share of the effective size of the kept members below which there is a new fit."""


@dataclass
class KeptFit:
    """The fit of a growing log.

    Parameters
    ----------
    hyperprior, draws, seed : of every fit, see `own_runs.prior.fit.fit`; without a hyperprior the
        family of the theory, `PLAIN`: under other members an ask costs twice as much

    Attributes
    ----------
    fits : how many there were
    durations : hyperparameters of the model of evaluation times, found with the last fit

    An update is O(32 n³/3) of one factorisation in bulk, a fit some hundred times that.
    """

    hyperprior: Hyperprior | FiniteHyperprior | None = None
    draws: int = 160
    seed: int = 0
    fits: int = 0
    durations: TimeHyperparameters | None = None
    _kept: Candidates | None = None
    _axes: tuple[Axis, ...] = ()
    _rows: int = 0
    _size: float = 0.0

    def candidates(self, log: Observations) -> Candidates:
        """The weighted set given the log; raises InvalidInput as `own_runs.prior.fit.fit` does."""
        grown = log.axes == self._axes and self._rows <= log.n < _GROWTH * self._rows
        if self._kept is not None and grown:
            candidates = self._kept.reweighed(data_of(log))
            if candidates.effective_size >= _LEFT * self._size:
                return candidates
        return self._fitted(log)

    def _fitted(self, log: Observations) -> Candidates:
        believed = PLAIN if self.hyperprior is None else self.hyperprior
        whole = fit(log, hyperprior=believed, draws=self.draws, seed=self.seed).candidates
        kept = whole.heaviest(HEAVY)
        kept = replace(kept, weights=kept.weights / kept.weights.sum())
        self._kept, self._axes, self._rows = kept, log.axes, log.n
        self._size, self.fits, self.durations = kept.effective_size, self.fits + 1, None
        return kept
