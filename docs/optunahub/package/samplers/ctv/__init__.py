"""The sampler and the stopping rule of ctv-bounds, for OptunaHub."""

from own_runs.live.optuna_sampler import CtvSampler
from own_runs.live.optuna_stopping import StopWhenNotWorthIt

__all__ = ["CtvSampler", "StopWhenNotWorthIt"]
