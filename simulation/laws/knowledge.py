"""What a policy may know: laws over every policy that is registered, by what its class says of it.

Each takes a study of one run, and raises AssertionError where its policy breaks its word.
"""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import numpy as np

from simulation.laws.case import Played, play
from simulation.laws.sameness import with_durations
from simulation.model.covariance import GridCovariance
from simulation.policies.base import ModelPolicy, PolicySetup, Times
from simulation.policies.finite import FiniteBelief, FiniteSet
from simulation.policies.readings import Readings
from simulation.policies.registry import policies, policy_named
from simulation.policies.tuned import make_policy
from simulation.study.study import StudySpec
from simulation.world.environment import Seeds
from simulation.world.evaluation_time import PointDurations

_DEAFENING = 1e8
"""Noise variance beside which no observation says anything."""


def in_the_domain(case: StudySpec) -> None:
    """Every point is an index of the domain, none counted from its end."""
    played = play(case)
    points, size = played.run.points, played.problem.domain.size
    assert points.dtype.kind == "i", f"points of type {points.dtype}"
    assert np.all((points >= 0) & (points < size)), f"points {points.tolist()} of {size}"


def what_was_not_observed(case: StudySpec) -> None:
    """Other values of f where nothing was observed change no choice, but of who sees f."""
    played = play(case)
    if policy_named(case.policies[0]).sees_objective:
        return
    n, size = played.objective.shape
    other = np.random.default_rng(case.seed).normal(0.0, 10.0, (n, size))
    rounds = np.arange(n)
    other[rounds, played.run.points] = played.objective[rounds, played.run.points]
    repeated = play(case, other)
    said = "f is another where nothing was observed"
    assert np.array_equal(repeated.run.points, played.run.points), said


def what_is_to_come(case: StudySpec) -> None:
    """Another future of f changes no choice before it, whoever chooses."""
    played = play(case)
    middle = played.run.n // 2
    other = np.array(played.objective)
    other[middle:] = -other[middle:] + 1.0
    repeated = play(case, other)
    before = slice(0, middle + 1)
    said = f"f is another from round {middle + 1} on"
    assert np.array_equal(repeated.run.points[before], played.run.points[before]), said


def times_that_it_does_not_know(case: StudySpec) -> None:
    """A policy that knows no times chooses the same whatever they are."""
    known = policy_named(case.policies[0]).times
    if known not in (None, Times.NONE, Times.ROUNDS) or isinstance(case.durations, PointDurations):
        return
    played = play(case)
    others = with_durations(case.durations, lambda t: 2.0 * t + 1.0)
    repeated = play(case, played.objective, times=others)
    assert np.array_equal(repeated.run.points, played.run.points), "other times are known"


def deafened(case: StudySpec) -> None:
    """Beside noise without end a model knows what it knew before: μ = 0 and σ = 1 at every point.

    |μ| = |kᵀ(K+σ²I)⁻¹y| ≤ √n‖y‖/σ² and 1 − σ_n² = kᵀ(K+σ²I)⁻¹k ≤ n/σ² for |k| ≤ 1.
    """
    policy = policy_named(case.policies[0])
    if not issubclass(policy, ModelPolicy) or not policy.has_weight:
        return
    loud = replace(
        case,
        problem=replace(case.problem, noise_variance=_DEAFENING),
        acquisition="ucb",
        readings=Readings(),
    )
    played, n = play(loud), loud.total_rounds
    made = make_policy(case.policies[0], _setup(loud, played))
    assert isinstance(made, ModelPolicy)
    for x, t, y in zip(
        played.run.points, played.run.durations, played.run.observations, strict=True
    ):
        made.observe(int(x), float(t), float(y))
    criterion = made.criterion(n - 1)
    assert isinstance(made.belief, FiniteBelief)
    values = made.belief.values(criterion)
    most = sqrt(n) * float(np.linalg.norm(played.run.observations)) / _DEAFENING
    lost = criterion.weight * (1.0 - sqrt(1.0 - n / _DEAFENING))
    off = float(np.max(np.abs(values - criterion.weight)))
    assert off <= (most + lost) * (1.0 + 1e-6) + 1e-9, f"off by {off!r} beside endless noise"


def every_policy_says_what_it_is() -> None:
    """Names and titles are there and differ, and no word contradicts another."""
    known = policies()
    for name, policy in known.items():
        assert policy.name == name and policy.title, name
        assert policy.times is None or isinstance(policy.times, Times), name
        assert policy.has_model or not policy.has_weight, f"{name} weighs without a model"
        assert not (policy.sees_objective and policy.covered_by), f"{name} sees f and is covered"
    titles = [policy.title for policy in known.values()]
    assert len(set(titles)) == len(titles), "two policies share a title"


KNOWLEDGE_LAWS = (
    in_the_domain,
    what_was_not_observed,
    what_is_to_come,
    times_that_it_does_not_know,
    deafened,
)


def _setup(case: StudySpec, played: Played) -> PolicySetup:
    return PolicySetup(
        problem=case.problem,
        covariance=GridCovariance(played.assumed_kernel, case.problem.domain),
        evaluation_time=case.durations,
        rounds=case.total_rounds + 1,
        acquisition=case.acquisition,
        exploration=case.exploration,
        rng=np.random.default_rng(Seeds.of(case.seed).policy),
        readings=played.readings,
        decisions=FiniteSet(),
    )
