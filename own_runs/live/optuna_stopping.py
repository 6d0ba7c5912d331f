"""Stop a study of Optuna where going on is not worth it: a callback, and a terminator.

>>> import optuna
>>> from own_runs.live.optuna_stopping import StopWhenNotWorthIt
>>> optuna.logging.set_verbosity(optuna.logging.ERROR)
>>> study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=1))
>>> stop = StopWhenNotWorthIt(below=0.2, every=5, draws=20)
>>> study.optimize(lambda t: (t.suggest_float("x", 0, 1) - 0.3) ** 2, n_trials=60, callbacks=[stop])
>>> stop.verdict.stop, len(study.trials) < 60
(True, True)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.errors import InvalidInput
from own_runs.live.optuna_sampler import groups_of, observations_of, observed, space_of
from own_runs.live.verdict import LEAST, Verdict, threshold_of, verdict_of
from own_runs.logs.observations import Observations
from own_runs.prior.fit import fit
from simulation.prior.hyperprior import FiniteHyperprior, Hyperprior

if TYPE_CHECKING:
    from optuna import Study
    from optuna.trial import FrozenTrial


class StopWhenNotWorthIt:
    """A callback that stops a study when its incumbent's regret is below the price of a trial.

    Parameters
    ----------
    below : threshold for the regret of the incumbent, in units of the objective
    price : of a second, in units of the objective, in place of it: the threshold is what a trial
        of average duration costs
    every : trials between two looks
    delta : of each bound; the level of the one that stops does not fall with the number of looks
    draws, hyperprior, seed : of the fit, see `own_runs.prior.fit.fit`
    attribute : user attribute of the study that gets the verdict in words; empty for none

    Attributes
    ----------
    verdict : of the last look, None before the first

    Over all parameters, choices included, where others decide which of them a trial has; else over
    those that all complete trials have, and what others do to the objective counts as errors. The
    level is exact in the model: how
    often it holds in worlds beside the model stands in docs/logs.md. Raises InvalidInput where
    there is neither or both of `below` and `price`.
    """

    def __init__(
        self,
        below: float | None = None,
        *,
        price: float | None = None,
        every: int = 10,
        delta: float = 0.1,
        draws: int = 160,
        hyperprior: Hyperprior | FiniteHyperprior | None = None,
        seed: int = 0,
        attribute: str = "ctv",
    ) -> None:
        if (below is None) == (price is None):
            raise InvalidInput("below", below, "give a threshold, or the price of a second")
        if every < 1:
            raise InvalidInput("every", every, "give a whole number of at least 1")
        self._below, self._price, self._every = below, price, every
        self._delta, self._draws, self._hyperprior, self._seed = delta, draws, hyperprior, seed
        self._attribute = attribute
        self._looked = 0
        self.verdict: Verdict | None = None

    def __call__(self, study: Study, trial: FrozenTrial) -> None:
        """After a trial; called by `study.optimize`."""
        if self.should_terminate(study):
            study.stop()

    def should_terminate(self, study: Study) -> bool:
        """Whether the study should end, looked at every so many trials."""
        log = log_of(study)
        if log is None or log.n < max(LEAST, self._looked + self._every):
            return False
        if float(np.ptp(log.values)) == 0.0:
            return False
        self._looked = log.n
        candidates = fit(
            log, draws=self._draws, hyperprior=self._hyperprior, seed=self._seed
        ).candidates
        threshold = threshold_of(log, below=self._below, price=self._price)
        self.verdict = verdict_of(
            log, candidates, threshold=threshold, delta=self._delta, seed=self._seed
        )
        if self._attribute:
            study.set_user_attr(self._attribute, str(self.verdict))
        return self.verdict.stop


def log_of(study: Study) -> Observations | None:
    """The complete trials over one space, the first of `groups_of`; None where there is none."""
    groups = groups_of(study)
    if not groups:
        return None
    log = observations_of(study, space_of(study, groups[0]))
    return log if log is not None and log.n == len(observed(study)) else None


def terminator(*args: Any, **options: Any) -> Any:
    """The same as an `optuna.terminator.BaseTerminator`, where the installed Optuna has one.

    Parameters as `StopWhenNotWorthIt`. Raises InvalidInput where Optuna has none: deprecated since
    4.9, it leaves in 6.0.
    """
    try:
        from optuna.terminator import BaseTerminator
    except ImportError:
        remedy = "this Optuna has no terminators: give StopWhenNotWorthIt as a callback"
        raise InvalidInput("optuna", "no optuna.terminator", remedy) from None

    class Terminator(BaseTerminator):  # type: ignore[misc, unused-ignore]
        """Whether a study should end."""

        def __init__(self) -> None:
            self.rule = StopWhenNotWorthIt(*args, **options)

        def should_terminate(self, study: Study) -> bool:
            return self.rule.should_terminate(study)

    return Terminator()
