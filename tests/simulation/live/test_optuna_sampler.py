"""The sampler inside a study of Optuna, where that is installed."""

import pytest

optuna = pytest.importorskip("optuna")

from simulation.live.optuna_sampler import CtvSampler  # noqa: E402
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
