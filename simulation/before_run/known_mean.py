"""Upper bounds by the gaps of known means: what independent arms cost that are told apart before.

Where f has a known mean m and independent arms, play of the largest posterior mean loses at most

    E R_n ≤ n·(E max_x(m_x + g_x) − max m),

and with looks at the points z_i of scheduled rounds E (Theorem X)

    E R_n ≤ Σ_{i∈E}(E max(m + g) − m(z_i)) + Σ_{i∉E}(E max(m + g) − E max_x(m_x + √(1−p_ix)·g_x)),

p_ix the share of the variance of x that its own scheduled looks leave. *Proof.* The posterior mean
that is played is the largest, and the mean of a largest is at least that of the means given fewer
data (Jensen): given none, max m; given the scheduled looks, independent normals. A scheduled round
earns m(z_i). Both fall to 0 as the gaps of m grow, where n·m* does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy import special

from bounds.arrays import FloatArray
from bounds.numerics.rounding import at_most
from bounds.problem import Problem
from bounds.regret.ingredients.schedules.schedule import Schedule, refreshing_schedule
from bounds.regret.lower.prices import largest_mean
from bounds.regret.regret_bound import RegretBound
from bounds.regret.upper.found_elsewhere import ScheduledExploration
from bounds.regret.upper.in_expectation.expected_maximum import ExpectedMaximumBound
from simulation.before_run.draws import legendre

KNOWN = "its mean m(x) is known"
_NODES, _REACH, _LEAST = 400, 9.0, 0.1  # of the integral of 1 − P(largest ≤ t)
_PERIODS = (0, 24, 12, 8, 6, 4, 3, 2)
_CYCLES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
_LOOKS = (1, 2, 3)  # of each arm in the first part
_WORK = 3_000_000  # values of Φ for a schedule


def known_mean_ceilings(problem: Problem, means: Sequence[float]) -> tuple[RegretBound, ...]:
    """The bound of greedy play, certified, and that of the best schedule of a small family.

    Parameters
    ----------
    problem : of independent arms; the schedule needs a Markov time kernel
    means : (K,) m, in units of the standard deviation of f

    >>> from bounds.domain import Arms
    >>> from bounds.times import EvaluationTimes
    >>> problem = Problem(EvaluationTimes.from_durations([1.0] * 30), domain=Arms(2))
    >>> near, far = (known_mean_ceilings(problem, [0.0, gap]) for gap in (0.5, 3.0))
    >>> all(row.value < other.value for row, other in zip(far, near, strict=True))
    True
    """
    highest = largest_mean(tuple(sorted(means)))[1]
    apart = problem.n * (highest - max(means)) * (1.0 + 2.0**-50)
    formula = f"n(E max(m + g) − max m), E max ≤ {at_most(highest)}"
    greedy = ExpectedMaximumBound().at(max(apart, 0.0), formula, certified=True, also=KNOWN)
    greedy = replace(greedy, policy="posterior-mean")
    if not problem.time_kernel.is_markov:
        return (greedy,)
    value, schedule = best_schedule(problem, means)
    formula = f"Σ(E max(m + g) − m(z)) + Σ(E max(m + g) − E max given the looks), {schedule}"
    return greedy, ScheduledExploration().at(value, formula, also=KNOWN)


def best_schedule(problem: Problem, means: Sequence[float]) -> tuple[float, str]:
    """The least bound that is found over schedules of the arms of largest means in turn.

    Their number, the looks at each in the first part and the period after it are chosen one after
    the other, twice; nothing scheduled is tried too.
    """
    n, order = problem.n, np.argsort(-np.asarray(means), kind="stable")
    most = max(1, min(len(means), _WORK // (n * _NODES)))
    axes = (sorted({min(cycle, most) for cycle in (*_CYCLES, most)}), _LOOKS, _PERIODS)

    def tried(at: tuple[int, int, int]) -> tuple[float, Schedule]:
        cycle, looks, period = at
        first, last = min(cycle * looks, n - 1), max(1, n - n // 20)
        schedule = refreshing_schedule(order[:cycle], n, first, period, last)
        return schedule_regret(problem, means, schedule), schedule

    nothing = Schedule((), ())
    candidates = {(0, 0, 0): (schedule_regret(problem, means, nothing), nothing)}
    at = (axes[0][-1], 1, 0)
    for axis in (0, 2, 1, 0, 2):
        for choice in axes[axis]:
            parts = [*at]
            parts[axis] = choice
            trial = (parts[0], parts[1], parts[2])
            if trial not in candidates:
                candidates[trial] = tried(trial)
        at = min((key for key in candidates if key[0]), key=lambda key: candidates[key][0])
    value, schedule = min(candidates.values(), key=lambda candidate: candidate[0])
    return value, f"{len(schedule.rounds)} rounds of {len(set(schedule.points))} arms"


def schedule_regret(problem: Problem, means: Sequence[float], schedule: Schedule) -> float:
    """The bound on E R_n of a schedule, in floating point."""
    m, n, noise = np.asarray(means, dtype=float), problem.n, problem.noise_variance
    lost = np.array(problem.time_kernel.deficit(problem.times.durations), dtype=float)
    left, rows = np.ones(len(m)), []
    looks, earned = dict(zip(schedule.rounds, schedule.points, strict=True)), 0.0
    for i in range(n):
        if i:
            left = lost[i] + (1.0 - lost[i]) * left
        x = looks.get(i)
        if x is None:
            rows.append(np.sqrt(np.maximum(1.0 - left, 0.0)))
        else:
            earned += float(m[x])
            left[x] *= noise / (left[x] + noise)
    return n * float(largest_mean(tuple(sorted(means)))[1]) - earned - _largest(m, np.array(rows))


def _largest(means: FloatArray, deviations: FloatArray) -> float:
    """Σ over rows of E max_x(m_x + s_x·g_x), for deviations (rounds, K) ≥ 0; from below.

    Small deviations count as 0, as E max only falls; others are wide enough for the nodes. With A
    the largest m − 9s it is A + ∫_A (1 − ΠΦ((t − m)/s)), as the largest is below A in no case that
    counts.
    """
    if not len(deviations):
        return 0.0
    spreads = np.where(deviations < _LEAST, 0.0, deviations)
    low = np.max(means - _REACH * spreads, axis=1)
    width = np.max(means + _REACH * spreads, axis=1) - low
    moving = np.any(spreads > 0.0, axis=0)  # the others lie below A, or are A
    nodes, weights = legendre(_NODES)
    t = low[:, None] + 0.5 * width[:, None] * (nodes + 1.0)
    below = np.ones_like(t)
    for mean, spread in zip(means[moving], spreads[:, moving].T, strict=True):
        below *= special.ndtr((t - mean) / np.maximum(spread, 1e-12)[:, None])
    return float(np.sum(low + 0.5 * width * ((1.0 - below) @ weights)))
