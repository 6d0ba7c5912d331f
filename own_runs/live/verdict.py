"""Is it worth going on? A bound on the regret of the incumbent against the price of a trial.

The simple regret of the recommended point bounds what any number of further trials can find, so
that a search whose bound is below the price of its next trial can stop. The draws that decide do
not certify: where they say stop, fresh ones do, whose level holds given the log whenever and
however often it was looked at (docs/theory.md#theorem-s).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.numerics.threads import one_blas_thread
from own_runs.certificates.mixture import LogPosterior, certify_log, spared
from own_runs.logs.axes import inputs_at
from own_runs.logs.observations import Observations
from simulation.after_run.rank import rank_of
from simulation.prior.candidates import Candidates

LEAST = 10
"""Trials before which nothing is said: a shorter log hardly fits any prior."""
_AHEAD = np.concatenate([[0.0], 2.0 ** np.arange(-4, 4.0)])
"""When the incumbent is looked at again, in shares of the time that the log spans."""
_LATER = 12
"""Stream of the draws that go on after the log."""


@dataclass(frozen=True)
class Verdict:
    """What a log says of going on.

    Attributes
    ----------
    stop : whether the incumbent's regret is below the threshold
    trials : observed so far
    threshold : in units of y, above which going on is worth it; NaN where none was given
    worth : what further trials can find is at most this, in units of y
    cost : the regret of all trials so far is at most this, in units of y; NaN unless it stops or
        there is no threshold
    level : of `worth`, and of `cost`; 0 where the draws that decided are all there is
    incumbent : name ↦ value of the recommended inputs
    row : of the log, from 1, that is recommended
    look_again : time of the log's clock when the bound of an incumbent that is kept reaches the
        threshold; NaN unless it stops, infinite where it is not seen to
    unit : of that time
    """

    stop: bool
    trials: int
    threshold: float
    worth: float
    cost: float
    level: float
    incumbent: dict[str, float | str]
    row: int
    look_again: float
    unit: str

    @property
    def exact(self) -> bool:
        """Whether the level is one, rather than that of the draws that decided."""
        return self.level > 0.0

    def __str__(self) -> str:
        if not self.trials:
            return "nothing was observed yet"
        if not isfinite(self.worth):
            return f"{self.trials} trials: too few to fit a prior, go on"
        share = f"with probability {self.level:.2g}" if self.exact else "as the first draws say"
        parts = [f"{self.trials} trials: further ones are worth at most {self.worth:.3g} ({share})"]
        if isfinite(self.cost):
            parts.append(f"those so far cost at most {self.cost:.3g}")
        if isfinite(self.threshold):
            parts.append(
                f"{'stop' if self.stop else 'go on'} at a threshold of {self.threshold:.3g}"
            )
        if self.stop and isfinite(self.look_again):
            parts.append(f"look again at {self.look_again:.4g} {self.unit}")
        return "; ".join(parts)


def threshold_of(log: Observations, *, below: float | None, price: float | None) -> float:
    """Below which regret another trial is not worth it, in units of y; NaN for neither.

    Parameters
    ----------
    log : whose durations are the costs of trials
    below : the threshold itself
    price : of a unit of cost in units of y: the threshold is the price of an average trial

    Raises InvalidInput for both, what is not positive, and a log without durations.
    """
    if below is not None and price is not None:
        raise InvalidInput("price", price, "drop it, or drop the threshold")
    for name, given in (("stop-below", below), ("price", price)):
        if given is not None and not (isfinite(given) and given > 0.0):
            raise InvalidInput(name, given, "give a positive number")
    if below is not None:
        return below
    if price is None:
        return float("nan")
    known = log.durations[np.isfinite(log.durations)]
    if not len(known) or not float(known.mean()) > 0.0:
        raise InvalidInput("price", price, "the log has no durations: give a threshold")
    return price * float(known.mean())


def verdict_of(
    log: Observations,
    candidates: Candidates | None,
    *,
    threshold: float = float("nan"),
    delta: float = 0.1,
    paths: int = 99,
    seed: int = 0,
) -> Verdict:
    """Whether to stop, and what was lost and can still be won. O(paths · n³) or so.

    Parameters
    ----------
    log, candidates : the log and the set of its fit; without one nothing is said
    threshold : see `threshold_of`; without one nothing is decided and both bounds are exact
    delta : of each bound
    paths, seed : of the posterior draws; the seed goes with the number of trials
    """
    if log.n < LEAST or candidates is None:
        unknown = float("nan")
        return Verdict(
            False, log.n, threshold, float("inf"), unknown, 0.0, {}, 0, unknown, log.unit
        )
    asked = threshold if isfinite(threshold) else None
    certified = certify_log(
        log, candidates, paths=paths, delta=delta, seed=seed + log.n, stop_below=asked
    )
    values = {row.quantity: row for row in certified.certificates}
    stop = certified.stop is not None and certified.stop.stop
    place = log.rows.index(certified.recommended)
    if values:
        worth, cost = values["simple"].value, values["cumulative"].value
        level = values["simple"].level
    else:
        assert certified.stop is not None
        worth, cost, level = certified.stop.bound, float("nan"), 0.0
    again = float("nan")
    if stop:
        again = _look_again(log, candidates, threshold, delta, paths, seed + log.n)
    return Verdict(
        stop,
        log.n,
        threshold,
        worth,
        cost,
        level,
        inputs_at(log.axes, log.points[place]),
        certified.recommended,
        again,
        log.unit,
    )


def _look_again(
    log: Observations,
    candidates: Candidates,
    threshold: float,
    delta: float,
    paths: int,
    seed: int,
) -> float:
    """When the bound of a kept incumbent reaches the threshold, f drifting on unobserved."""
    span = float(np.ptp(log.times)) or 1.0
    left = spared(candidates, delta)
    later = regret_ahead(log, candidates, _AHEAD * span, paths=paths, seed=seed)
    bounds = np.sort(later, axis=0)[rank_of(paths, delta - left) - 1]
    above = np.flatnonzero(bounds > threshold)
    if not len(above):
        return float("inf")
    return float(log.times[-1] + _AHEAD[max(int(above[0]) - 1, 0)] * span)


def regret_ahead(
    log: Observations,
    candidates: Candidates,
    waits: FloatArray,
    *,
    paths: int = 99,
    seed: int = 0,
) -> FloatArray:
    """(paths, waits) simple regret of the recommended row so long after the log, in units of y.

    Each path goes on from its last state as its prior says; waits rise from 0.
    """
    posterior = LogPosterior(log, candidates)
    place = int(posterior.space.played[posterior.recommended()])
    n, end = posterior.data.n, posterior.data.times[-1]
    streams = np.random.SeedSequence([seed, log.n], spawn_key=(_LATER,)).spawn(paths + 1)
    members = candidates.drawn(paths, np.random.default_rng(streams[-1]))
    regrets = np.empty((paths, len(waits)))
    with one_blas_thread():
        for index in np.unique(members):
            mine = np.flatnonzero(members == index)
            drawn = posterior.paths(int(index), [streams[i] for i in mine], end + waits)
            for row, path in zip(mine, drawn, strict=True):
                values, scale = path.comparable()
                later = values[n:] if len(values) > 1 else values
                regrets[row] = scale * (later.max(axis=1) - later[:, place])
    return regrets
