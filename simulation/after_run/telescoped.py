"""Deterministic certificates of a finished run, by ordered telescoping of posteriors.

*In hindsight*, D being all data of the run (docs/theory.md#telescoping has the data before round i
in the place of D). `bounds.regret.maximum.telescoping` bounds E[f*_i | D] and
E[(f*_i − c_i)₊ | D], so

    E[R_n | D] ≤ Σ_i bound on E[f*_i | D] − E[Σ f(x_i,τ_i) | D],
    R_n ≤ Σ_i (c_i + η_i/δ₁) − E[Σ f(x_i,τ_i) | D] + z_{1−δ₃}·√Var[Σ f(x_i,τ_i) | D]

the second with probability ≥ 1 − δ given D, δ = δ₁ + δ₃, for any functions c_i of D with
E[(f*_i − c_i)₊ | D] ≤ η_i: f*_i ≤ c_i + (f*_i − c_i)₊, Markov's inequality given D, and a normal
quantile. Nothing has to be fixed in advance, neither n nor η; any policy, any times, any stopping.

*Relative*, for f whose common level D leaves uncertain (nearly constant f, loud noise): telescope
g_i = f(·,τ_i) − f(x_i,τ_i), in which the level cancels. R_n is at most Σ(c_i + (max g_i − c_i)₊),
and so R_n ≤ Σ(c_i + η_i/δ) with probability ≥ 1 − δ given D if E[(max g_i − c_i)₊ | D] ≤ η_i, by
Markov's inequality alone. Given D both bounds are numbers, and each holds with probability ≥ 1 − δ:
so does the smaller.

*Looking forward*, F the data before round i with x_i, τ_i: Σ_i (bound on E[f*_i | F] − μ(x_i)), and
Σ(c_i − y_i) + nη/δ₁ + σ√n·z_{1−δ₃} for n and η fixed in advance, the form of
docs/theory.md#telescoping.

r_i − E[r_i | F] is no martingale difference, r_i being unknown after round i: Freedman, empirical
Bernstein and Ville say nothing here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import sqrt

import numpy as np
from scipy import special

from bounds.arrays import FloatArray
from bounds.numerics.threads import one_blas_thread
from bounds.progress import Share
from bounds.regret.maximum.increments import Telescope
from bounds.regret.maximum.telescoping import (
    MaximumBound,
    level_with_excess,
    maximum_bound,
    telescope,
)
from simulation.after_run.observed import Observed, RoundPosterior

_NOISE_SHARE = 0.1
"""δ₃/δ: the sum of played values is known well, and its quantile cheap."""

_UNCERTAIN = 0.15  # share of Σ f(x_i,τ_i) in the bound from which on the relative one is tried
_FLATTEST = 1e-4  # deviation of f(x) − f(x_i) that is scaled to 1: beyond, rounding would show


def expected_certificate(
    observed: Observed,
    *,
    hindsight: bool = True,
    rounds: slice = slice(None),
    progress: Share | None = None,
) -> float:
    """E[R_n | D] is at most this in hindsight; looking forward Σ E[r_i | F], E R_n its mean.

    One run may exceed it. Below 0.1 s a round for 2,500 sites.

    Parameters
    ----------
    observed : the run
    hindsight : condition on all data, or for each round on those before it
    rounds : those whose regrets are summed
    progress : called with the share that is done
    """
    order = _order(observed)

    def bound(posterior: RoundPosterior, before: MaximumBound | None) -> MaximumBound:
        return maximum_bound(order, posterior.mean, posterior.explained, _guess(before))

    round_bounds, played = _over_rounds(observed, bound, rounds, progress, hindsight=hindsight)
    maxima = np.array([maximum.value for maximum in round_bounds])
    if hindsight:
        played = observed.played_sum(rounds)[0]
    return max(float(maxima.sum()) - played, 0.0)


def probability_certificate(
    observed: Observed, *, rounds: slice = slice(None), progress: Share | None = None
) -> float:
    """R_n is at most this with probability ≥ 1 − δ given the data, δ the problem's.

    A tenth of δ is for Σ f(x_i,τ_i). Where a large part of the value is too, at twice the cost, the
    smaller one of this and `relative_certificate`. Parameters and cost as for
    `expected_certificate`.
    """
    excess_delta, noise_delta = _shares(observed)
    order = _order(observed)

    def bound(posterior: RoundPosterior, before: MaximumBound | None) -> MaximumBound:
        return maximum_bound(
            order, posterior.mean, posterior.explained, _guess(before), weight=1.0 / excess_delta
        )

    maxima, _ = _over_rounds(observed, bound, rounds, progress, hindsight=True)
    mean, variance = observed.played_sum(rounds)
    value = sum(one.value for one in maxima) - mean
    noise = sqrt(variance) * float(special.ndtri(1.0 - noise_delta))
    first = max(value + noise, 0.0)
    if noise <= _UNCERTAIN * first:
        return first
    return min(first, relative_certificate(observed, rounds=rounds))


def relative_certificate(
    observed: Observed, *, rounds: slice = slice(None), progress: Share | None = None
) -> float:
    """The same from max_x f(x,τ_i) − f(x_i,τ_i) itself, one form of `probability_certificate`."""
    total = observed.problem.delta
    order, wanted = _order(observed), range(observed.n)[rounds]
    levels, excesses = np.zeros(len(wanted)), np.zeros(len(wanted))
    with one_blas_thread():
        for place, posterior in enumerate(observed.hindsight(wanted)):
            i = wanted[place]
            beside, seen, unit = _beside(
                order, posterior, observed.space_rows[i], int(observed.played[i])
            )
            guess = levels[place - 1] / unit if place else None
            maximum = maximum_bound(beside, seen.mean, seen.explained, guess, weight=1.0 / total)
            levels[place], excesses[place] = unit * maximum.level, unit * maximum.excess
            if progress is not None:
                progress((place + 1) / len(wanted))
    return max(float(np.sum(levels + excesses / total)), 0.0)


def _beside(
    order: Telescope, posterior: RoundPosterior, close: FloatArray, played: int
) -> tuple[Telescope, RoundPosterior, float]:
    """The posterior of (f − f(x_i))/unit in the form that `maximum_bound` takes, and the unit.

    `close` holds k_space(·, x_i). The prior of f − f(x_i) has the covariances
    k(x,y) − k(x,x_i) − k(y,x_i) + 1, in units of a variance of at most 1. To make it 1 everywhere a
    row is added to what is explained, and its products to the covariances.
    """
    apart = 2.0 * np.maximum(1.0 - close, 0.0)
    unit = max(sqrt(float(apart.max())), _FLATTEST)
    row = np.sqrt(np.maximum(1.0 - apart / unit**2, 0.0))
    near = np.maximum(order.neighbours, 0)
    by, raised = close[near], row[near]
    own = (order.own - by - close[:, None] + 1.0) / unit**2 + row[:, None] * raised
    mutual = (order.mutual - by[:, :, None] - by[:, None, :] + 1.0) / unit**2
    mutual += raised[:, :, None] * raised[:, None, :]
    explained = np.column_stack([(posterior.explained - posterior.explained[played]) / unit, row])
    mean = (posterior.mean - posterior.mean[played]) / unit
    return replace(order, own=own, mutual=mutual), RoundPosterior(mean, explained), unit


def forward_probability_certificate(
    observed: Observed, *, rounds: slice = slice(None), progress: Share | None = None
) -> float:
    """R_n is at most this with probability ≥ 1 − δ over runs, from the data before each round.

    For a number of rounds that was fixed in advance; η is `planned_excess`, which knows the problem
    alone. Parameters and cost as for `expected_certificate`.
    """
    excess_delta, noise_delta = _shares(observed)
    order = _order(observed)
    eta = planned_excess(order, excess_delta)

    def bound(posterior: RoundPosterior, before: MaximumBound | None) -> MaximumBound:
        return level_with_excess(order, posterior.mean, posterior.explained, eta, _guess(before))

    maxima, _ = _over_rounds(observed, bound, rounds, progress, hindsight=False)
    levels, count = np.array([one.level for one in maxima]), len(maxima)
    variance = float(observed.noise_gram[rounds, rounds].sum())
    noise = sqrt(variance) * float(special.ndtri(1.0 - noise_delta))
    value = float(np.sum(levels - observed.observations[rounds])) + count * eta / excess_delta
    return max(value + noise, 0.0)


def planned_excess(order: Telescope, excess_delta: float) -> float:
    """An η from the problem alone: the one that is best for the prior.

    c + η(c)/δ₁ is least where −η′(c) = δ₁. Any η > 0 gives a certificate.
    """
    size = order.size
    maximum = maximum_bound(
        order, np.zeros(size), np.zeros((size, 0)), 2.0, weight=1 / excess_delta
    )
    return max(maximum.excess, 1e-9)


def _over_rounds(
    observed: Observed,
    bound: Callable[[RoundPosterior, MaximumBound | None], MaximumBound],
    rounds: slice,
    progress: Share | None,
    *,
    hindsight: bool,
) -> tuple[list[MaximumBound], float]:
    """The bound of every round that counts, and Σ μ(x_i) over them."""
    wanted = range(observed.n)[rounds]
    maxima: list[MaximumBound] = []
    played = 0.0
    with one_blas_thread():
        posteriors = observed.hindsight(wanted) if hindsight else observed.posteriors()
        for i, posterior in zip(
            wanted if hindsight else range(observed.n), posteriors, strict=True
        ):
            if i not in wanted:
                continue
            maxima.append(bound(posterior, maxima[-1] if maxima else None))
            played += float(posterior.mean[observed.played[i]])
            if progress is not None:
                progress(len(maxima) / len(wanted))
    return maxima, played


def _guess(before: MaximumBound | None) -> float | None:
    return before.level if before is not None and np.isfinite(before.level) else None


def _shares(observed: Observed) -> tuple[float, float]:
    """δ₁ and δ₃."""
    total = observed.problem.delta
    noise_delta = _NOISE_SHARE * total
    return total - noise_delta, noise_delta


def _order(observed: Observed) -> Telescope:
    return telescope(observed.problem.domain, observed.problem.space_kernel, observed.extra)
