"""An Optuna sampler: the policies of this project for studies that people run with Optuna.

Needs the extra `live`. Trials become a log by the same rules as an exported frame: the end of a
trial is its time, failed and pruned ones have no value, running ones are pending.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from own_runs.live.kept_fit import KeptFit
from own_runs.live.next_point import next_points, policy_of
from own_runs.live.session import FIRST
from own_runs.logs.axes import Axis, conditioned, to_cube
from own_runs.logs.branches import conditions, deciders
from own_runs.logs.clock import clock_of
from own_runs.logs.observations import Direction, Observations
from simulation.prior.hyperprior import FiniteHyperprior, Hyperprior

try:
    from optuna.distributions import (
        BaseDistribution,
        CategoricalDistribution,
        FloatDistribution,
        IntDistribution,
    )
    from optuna.logging import get_logger
    from optuna.samplers import BaseSampler, RandomSampler
    from optuna.study import StudyDirection
    from optuna.trial import FrozenTrial, TrialState
except ImportError:  # pragma: no cover
    raise InvalidInput("optuna", "not installed", "pip install 'ctv-bounds[runs]'") from None

if TYPE_CHECKING:
    from optuna import Study


class CtvSampler(BaseSampler):
    """Suggest by a policy under the weighted set of priors that fits the study so far.

    Parameters
    ----------
    policy : see `own_runs.live.next_point.policy_of`
    hyperprior : see `own_runs.prior.fit.fit`; `Hyperprior(drift=0.0)` forgets nothing
    draws : priors drawn for each kernel family at every trial
    seed : of everything random

    warn_independent_sampling : whether a warning in Optuna's log says what is drawn at random
        after the first trials, and why, once for each reason

    Any two choices of a categorical parameter are equally far apart. A conditional space is one
    space where a categorical or whole parameter decides which others there are; where none does,
    each group of parameters that occur in the same trials has a fit of its own, from these trials.
    Groups with fewer than `FIRST` complete trials and the first trials are drawn at random. A fit
    is kept from trial to trial and reweighed, see `own_runs.live.kept_fit`; trials that run side by
    side get joint posterior draws.
    """

    def __init__(
        self,
        policy: str = "ctv",
        *,
        hyperprior: Hyperprior | FiniteHyperprior | None = None,
        draws: int = 160,
        seed: int = 0,
        warn_independent_sampling: bool = True,
    ) -> None:
        policy_of(policy)
        self._policy, self._hyperprior, self._draws, self._seed = policy, hyperprior, draws, seed
        self._random = RandomSampler(seed=seed)
        self._kept: dict[frozenset[str], KeptFit] = {}
        self._said: set[str] = set()
        self._warns = warn_independent_sampling

    def infer_relative_search_space(
        self, study: Study, trial: FrozenTrial
    ) -> dict[str, BaseDistribution]:
        """The parameters of complete trials that have an axis."""
        return {name: d for group in groups_of(study) for name, d in group.items()}

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        """The next point; nothing, and so a random one, before there are enough trials."""
        values: dict[str, Any] = {}
        for group in groups_of(study):
            values |= self._next(study, trial, group)
        return {name: value for name, value in values.items() if name in search_space}

    def _next(
        self, study: Study, trial: FrozenTrial, group: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        axes = space_of(study, group)
        log = observations_of(study, axes)
        if log is None or log.n < FIRST or float(np.ptp(log.values)) == 0.0:
            return {}
        kept = self._kept.setdefault(
            frozenset(group), KeptFit(self._hyperprior, self._draws, self._seed)
        )
        now = None
        if trial.datetime_start is not None:
            begun = trial.datetime_start.timestamp() - _origin(study)
            now = max(begun, float(log.times[-1]))
        point = next_points(
            log,
            kept.candidates(log),
            policy=self._policy,
            now=now,
            seed=self._seed + trial.number,
            kept=kept,
        ).points[0]
        return {
            axis.name: _value(axis, group[axis.name], point.inputs[axis.name])
            for axis in axes
            if axis.name in point.inputs
        }

    def sample_independent(
        self,
        study: Study,
        trial: FrozenTrial,
        param_name: str,
        param_distribution: BaseDistribution,
    ) -> Any:
        """At random: the first trials, silently, and what cannot be modelled yet: a warning."""
        reason = _why_random(study, param_name)
        if self._warns and reason and reason not in self._said:
            self._said.add(reason)
            _LOGGER.warning("CtvSampler samples at random: %s", reason)
        return self._random.sample_independent(study, trial, param_name, param_distribution)

    def reseed_rng(self) -> None:
        self._random.reseed_rng()


_LOGGER = get_logger("optuna.ctv_bounds")
"""Below Optuna's own, so that `optuna.logging.set_verbosity` rules it."""


def _why_random(study: Study, name: str) -> str:
    """Why a parameter is not chosen by the policy; empty for the first trials, as with others."""
    done = observed(study)
    if len(done) < FIRST:
        return ""
    if len({trial.value for trial in done}) < 2:
        return "trials as long as every value is the same"
    return f"{name}, which fewer than {FIRST} complete trials have"


def observed(study: Study) -> list[FrozenTrial]:
    """The complete trials whose value is finite; an infinite one says no more than a failure.

    Raises InvalidInput for several objectives.
    """
    if len(study.directions) > 1:
        raise InvalidInput("study", f"{len(study.directions)} objectives", "give it one")
    trials = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
    return [t for t in trials if t.value is not None and np.isfinite(t.value)]


def groups_of(study: Study) -> list[dict[str, BaseDistribution]]:
    """All parameters, or those that occur in the same complete trials, those of most trials first.

    All in one group where others decide which of them there are, see `space_of`. Only the ones that
    have an axis, under the widest range that a trial gave them.
    """
    having: dict[str, list[int]] = {}
    known: dict[str, BaseDistribution] = {}
    for trial in observed(study):
        for name, distribution in trial.distributions.items():
            having.setdefault(name, []).append(trial.number)
            known[name] = _wider(known.get(name), distribution)
    groups: dict[tuple[int, ...], dict[str, BaseDistribution]] = {}
    for name, trials in sorted(having.items()):
        if _axis(name, known[name]) is not None:
            groups.setdefault(tuple(trials), {})[name] = known[name]
    ordered = [groups[trials] for trials in sorted(groups, key=lambda t: (-len(t), t))]
    whole = {name: d for group in ordered for name, d in group.items()}
    if len(ordered) < 2:
        return ordered
    every, axes = len(observed(study)), space_of(study, whole)
    decided = all(axis.under or len(having[axis.name]) == every for axis in axes)
    return [whole] if decided else ordered


def space_of(study: Study, group: dict[str, BaseDistribution]) -> list[Axis]:
    """The axes of a group, with the parameters that decide which others there are.

    As the complete trials with parameters of the group show it, see `own_runs.logs.branches`.
    """
    axes = [axis for name, d in group.items() if (axis := _axis(name, d)) is not None]
    points = _cube(axes, [t for t in observed(study) if set(group) & set(t.params)])
    inputs = np.full(points.shape, np.nan)
    for i, axis in enumerate(axes):
        values = axis.from_unit(points[:, i])
        # What is no word and no whole number decides nothing.
        inputs[:, i] = values if axis.integer else np.where(np.isnan(values), np.nan, 0.5)
    branches = deciders(inputs, [bool(axis.labels) for axis in axes])
    return list(conditioned(axes, conditions(axes, branches)))


def _wider(one: BaseDistribution | None, other: BaseDistribution) -> BaseDistribution:
    """The range of a parameter that holds both, where they are of one kind; else the later one."""
    if type(one) is not type(other) or not isinstance(other, FloatDistribution | IntDistribution):
        return other
    assert isinstance(one, FloatDistribution | IntDistribution)
    if (one.log, one.step) != (other.log, other.step):
        return other
    low, high = min(one.low, other.low), max(one.high, other.high)
    return type(other)(low, high, log=other.log, step=other.step)


def _axis(name: str, distribution: BaseDistribution) -> Axis | None:
    """The axis of a parameter; None where it has one value only.

    Between steps other than whole numbers it is an even one: f is taken to go on there.
    """
    if distribution.single():
        return None
    if isinstance(distribution, CategoricalDistribution):
        words = [str(choice) for choice in distribution.choices]
        if len(set(words)) < len(words) or not all(words):
            words = [f"{i}: {choice!r}" for i, choice in enumerate(distribution.choices)]
        return Axis.of_words(name, words)
    assert isinstance(distribution, FloatDistribution | IntDistribution)
    low, high = float(distribution.low), float(distribution.high)
    whole = isinstance(distribution, IntDistribution) and distribution.step == 1
    return Axis(name, low, high, log=distribution.log, integer=whole)


def _value(axis: Axis, distribution: BaseDistribution, value: float | str) -> Any:
    """What Optuna is told of a place on an axis: a choice, or the number of the nearest step."""
    if isinstance(distribution, CategoricalDistribution):
        return distribution.choices[axis.labels.index(str(value))]
    assert isinstance(distribution, FloatDistribution | IntDistribution)
    number, step = float(value), distribution.step
    if step is not None:
        number = distribution.low + step * round((number - distribution.low) / step)
    return int(number) if isinstance(distribution, IntDistribution) else number


def _origin(study: Study) -> float:
    starts = [t.datetime_start for t in study.get_trials(deepcopy=False) if t.datetime_start]
    return float(min(start.timestamp() for start in starts))


def observations_of(study: Study, axes: Sequence[Axis]) -> Observations | None:
    """The complete trials of a study with these parameters as a log; None where there are none."""
    trials = study.get_trials(deepcopy=False)
    names = {axis.name for axis in axes if not axis.under}
    done = [t for t in observed(study) if names <= set(t.params) and t.datetime_complete]
    if not done:
        return None
    origin = _origin(study)
    done.sort(key=lambda t: t.datetime_complete.timestamp() if t.datetime_complete else 0.0)
    starts = np.array([t.datetime_start.timestamp() if t.datetime_start else np.nan for t in done])
    ends = np.array([t.datetime_complete.timestamp() for t in done if t.datetime_complete])
    running = [t for t in trials if t.state == TrialState.RUNNING and names <= set(t.params)]
    direction: Direction = "maximize" if study.direction == StudyDirection.MAXIMIZE else "minimize"
    known = np.isfinite(starts)
    return Observations(
        tuple(axes),
        _cube(axes, done),
        np.array([float(t.value or 0.0) for t in done]),
        direction,
        ends - origin,
        starts - origin,
        ends - starts,
        _cube(axes, running),
        float(ends.max() - origin),
        "s",
        clock_of(starts[known] - origin, ends[known] - origin),
        {},
        (),
        study.study_name,
        tuple(t.number + 1 for t in done),
    )


def _cube(axes: Sequence[Axis], trials: Sequence[FrozenTrial]) -> FloatArray:
    def internal(name: str) -> list[float]:
        # A choice's internal value is its place among the choices, as a word's is.
        return [
            t.distributions[name].to_internal_repr(t.params[name]) if name in t.params else np.nan
            for t in trials
        ]

    return to_cube(axes, [np.array(internal(axis.name), dtype=float) for axis in axes])
