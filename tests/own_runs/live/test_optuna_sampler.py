"""The sampler inside a study of Optuna, where that is installed."""

import logging

import numpy as np
import pytest

optuna = pytest.importorskip("optuna")

from own_runs.live.optuna_sampler import (  # noqa: E402
    CtvSampler,
    groups_of,
    observations_of,
    space_of,
)
from simulation.prior.hyperprior import Hyperprior  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")
QUICK = {"draws": 40, "hyperprior": Hyperprior(kernels=("matern52",), drift=0.0)}


def objective(trial):
    from math import log10

    rate = trial.suggest_float("lr", 1e-4, 1.0, log=True)
    depth = trial.suggest_int("depth", 1, 9)
    kind = trial.suggest_categorical("kind", ["a", "b"])
    if trial.number == 3:
        raise optuna.TrialPruned
    return (log10(rate) + 2.0) ** 2 + 0.05 * (depth - 6) ** 2 + 0.001 * (kind == "a")


@pytest.mark.parametrize("policy", ["ctv", "ts"])
def test_a_study_is_searched(policy):
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=CtvSampler(policy, **QUICK))
    study.optimize(objective, n_trials=22)
    assert study.best_value < 0.25
    assert all(isinstance(trial.params["depth"], int) for trial in study.trials)


@pytest.fixture
def said():
    """What the sampler says in Optuna's log, whose level rules it."""
    lines: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())
    logger = logging.getLogger("optuna.ctv_bounds")
    logger.addHandler(handler)
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    yield lines
    logger.removeHandler(handler)


def search(objective, trials, **options):
    study = optuna.create_study(sampler=CtvSampler(**options, **QUICK))
    study.optimize(objective, n_trials=trials)
    return study


def rarely(trial):
    return objective(trial) + (trial.suggest_float("rare", 0.0, 1.0) if trial.number % 2 else 0.0)


def test_it_says_once_what_it_samples_at_random_after_the_first_trials(said):
    search(rarely, 13)
    assert said == ["CtvSampler samples at random: rare, which fewer than 8 complete trials have"]


def test_it_says_that_equal_values_tell_nothing(said):
    search(lambda trial: 0.0 * trial.suggest_float("x", 0.0, 1.0), 10)
    assert said == ["CtvSampler samples at random: trials as long as every value is the same"]


def test_nothing_is_said_where_nobody_asks_and_below_the_level_of_the_log(said):
    search(rarely, 11, warn_independent_sampling=False)
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    search(rarely, 11)
    assert said == []


CHOICES = {
    "words": (["rbf", "linear", "poly"], ("rbf", "linear", "poly")),
    "values": ([None, True, 0.5], ("None", "True", "0.5")),
    "alike as words": ([1, "1", ""], ("0: 1", "1: '1'", "2: ''")),
}


@pytest.mark.parametrize("name", CHOICES)
def test_choices_are_places_that_are_equally_far_apart(name):
    choices, words = CHOICES[name]
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=0))
    study.optimize(lambda trial: choices.index(trial.suggest_categorical("c", choices)), 9)
    axis = space_of(study, {"c": study.trials[0].distributions["c"]})[0]
    assert axis.labels == words and axis.unordered
    log = observations_of(study, [axis])
    assert [axis.labels.index(axis.value(place)) for (place,) in log.points] == list(log.values)


def test_the_best_choice_is_found():
    """Of four, each at a level of its own: the sampler mostly plays the best in the end."""
    level = {None: 3.0, "b": 1.0, True: 2.0, 7: 0.0}

    def chosen(trial):
        return level[trial.suggest_categorical("c", list(level))] + trial.suggest_float("x", 0, 1)

    study = search(chosen, 24, seed=1)
    later = [trial.params["c"] for trial in study.trials[12:]]
    assert later.count(7) > 6 and study.best_value < 0.2


def test_steps_are_kept():
    def stepping(trial):
        half = trial.suggest_float("half", -1.0, 2.0, step=0.5)
        even = trial.suggest_int("even", 3, 21, step=6)
        assert isinstance(even, int)
        return (half - 1.5) ** 2 + ((even - 9) / 6) ** 2

    study = search(stepping, 16)
    played = np.array([[t.params["half"], t.params["even"]] for t in study.trials])
    assert set(played[:, 0]) <= {-1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0}
    assert set(played[:, 1]) <= {3, 9, 15, 21}
    assert study.best_value <= 0.25


def test_branches_of_a_conditional_space_are_one_space():
    def branching(trial):
        rate = trial.suggest_float("rate", 0.0, 1.0)
        if trial.suggest_categorical("kind", ["a", "b"]) == "a":
            return (rate - 0.3) ** 2 + (trial.suggest_float("of_a", 0.0, 1.0) - 0.7) ** 2
        return 1.0 + (rate - 0.3) ** 2 + trial.suggest_int("of_b", 1, 9) / 9

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    sampler = CtvSampler(seed=3, warn_independent_sampling=False, **QUICK)
    study = optuna.create_study(sampler=sampler)
    study.optimize(branching, n_trials=30)
    (group,) = groups_of(study)
    axes = {axis.name: (axis.under, axis.where) for axis in space_of(study, group)}
    assert axes == {
        "kind": ("", ()),
        "rate": ("", ()),
        "of_a": ("kind", ("a",)),
        "of_b": ("kind", ("b",)),
    }
    assert study.best_value < 0.1
    later = [t.params["of_a"] for t in study.trials[20:] if "of_a" in t.params]
    assert abs(sum(later) / len(later) - 0.7) < 0.25


def test_branches_that_nothing_decides_have_fits_of_their_own():
    """Whether a parameter is there hangs on a float: no word and no whole number says it."""

    def branching(trial):
        rate = trial.suggest_float("rate", 0.0, 1.0)
        return rate + (trial.suggest_float("more", 0.0, 1.0) if rate > 0.5 else 0.0)

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=0))
    study.optimize(branching, n_trials=24)
    assert [sorted(group) for group in groups_of(study)] == [["rate"], ["more"]]
    study.sampler = CtvSampler(seed=3, warn_independent_sampling=False, **QUICK)
    study.optimize(branching, n_trials=2)


def test_a_study_with_other_ranges_later():
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=CtvSampler(warn_independent_sampling=False, **QUICK))
    study.optimize(lambda t: t.suggest_float("x", 0.0, 1.0) ** 2, n_trials=6)
    study.optimize(lambda t: t.suggest_float("x", -1.0, 2.0) ** 2, n_trials=6)
    (group,) = groups_of(study)
    assert (group["x"].low, group["x"].high) == (-1.0, 2.0)
