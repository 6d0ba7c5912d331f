"""A study that ends when no further trial is worth its time."""

import optuna
import optunahub

module = optunahub.load_module(package="samplers/ctv")


def objective(trial: optuna.Trial) -> float:
    """A parabola."""
    x = trial.suggest_float("x", -5.0, 5.0)
    return x**2


stop = module.StopWhenNotWorthIt(below=0.1)
study = optuna.create_study(sampler=module.CtvSampler(seed=0))
study.optimize(objective, n_trials=200, callbacks=[stop])
print(stop.verdict)  # noqa: T201
