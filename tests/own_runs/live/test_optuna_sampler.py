"""The sampler inside a study of Optuna, where that is installed."""

import warnings

import pytest

optuna = pytest.importorskip("optuna")

from own_runs.live.optuna_sampler import CtvSampler, groups_of  # noqa: E402
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


def reasons_of(objective, trials, caught) -> list[str]:
    """What the sampler says while it searches, in order."""
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=CtvSampler(**QUICK))
    study.optimize(objective, n_trials=trials)
    said = [str(one.message) for one in caught if "CtvSampler" in str(one.message)]
    assert len(said) == len(set(said))
    return [line.removeprefix("CtvSampler samples at random: ") for line in said]


def test_it_says_when_it_samples_at_random():
    def rare(trial):
        value = objective(trial) + trial.suggest_float("step", 0.0, 1.0, step=0.25)
        return value + (trial.suggest_float("rare", 0.0, 1.0) if trial.number % 2 else 0.0)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        said = reasons_of(rare, 12, caught)
    assert said == [
        "the trials until 8 are complete",
        "kind, which is categorical",
        "step, whose steps are no whole numbers from one to the next",
        "rare, which fewer than 8 complete trials have",
    ]


def test_it_says_that_equal_values_tell_nothing():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        said = reasons_of(lambda trial: 0.0 * trial.suggest_float("x", 0.0, 1.0), 9, caught)
    assert said == [
        "the trials until 8 are complete",
        "trials as long as every value is the same",
    ]


def test_nothing_is_said_where_nobody_asks():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        study = optuna.create_study(sampler=CtvSampler(warn_independent_sampling=False, **QUICK))
        study.optimize(objective, n_trials=9)
    assert not [one for one in caught if "CtvSampler" in str(one.message)]


def test_branches_of_a_conditional_space_have_fits_of_their_own():
    def branching(trial):
        rate = trial.suggest_float("rate", 0.0, 1.0)
        if trial.suggest_categorical("kind", ["a", "b"]) == "a":
            return (rate - 0.3) ** 2 + (trial.suggest_float("of_a", 0.0, 1.0) - 0.7) ** 2
        return 1.0 + (rate - 0.3) ** 2 + trial.suggest_int("of_b", 1, 9) / 9

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    sampler = CtvSampler(seed=3, warn_independent_sampling=False, **QUICK)
    study = optuna.create_study(sampler=sampler)
    study.optimize(branching, n_trials=30)
    assert [sorted(group) for group in groups_of(study)] == [["rate"], ["of_a"], ["of_b"]] or [
        sorted(group) for group in groups_of(study)
    ] == [["rate"], ["of_b"], ["of_a"]]
    assert study.best_value < 0.1
    later = [t.params["of_a"] for t in study.trials[20:] if "of_a" in t.params]
    assert abs(sum(later) / len(later) - 0.7) < 0.25


def test_a_study_with_other_ranges_later():
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=CtvSampler(warn_independent_sampling=False, **QUICK))
    study.optimize(lambda t: t.suggest_float("x", 0.0, 1.0) ** 2, n_trials=6)
    study.optimize(lambda t: t.suggest_float("x", -1.0, 2.0) ** 2, n_trials=6)
    (group,) = groups_of(study)
    assert (group["x"].low, group["x"].high) == (-1.0, 2.0)
