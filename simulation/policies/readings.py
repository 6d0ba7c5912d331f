"""The choices that Imamura et al. 2020 leave open, each with what differs.

The defaults are the paper's reading where it has one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Literal, get_args

from bounds.errors import InvalidInput
from bounds.regret.ingredients.schedules.schedule import Schedule
from simulation.model.time_model import TimeHyperparameters

Incumbent = Literal["observed", "mean"]
Tuning = Literal["none", "likelihood", "posterior", "cross-validation"]
MAXIMUM_LIKELIHOOD: Literal["ml"] = "ml"


_LATER = ("schedule", "tune", "refit_every", "assumed", "flat_weight")
"""Choices that came after the first stored studies, whose identity does not name them."""


@dataclass(frozen=True)
class Hyperparameters:
    """What a policy assumes of f in place of the problem's own.

    Attributes
    ----------
    lengthscale : > 0, of the model kernel
    epsilon : in [0, 1), forgotten per unit of the policy's own time
    noise_variance : > 0, in units of the variance of f
    """

    lengthscale: float
    epsilon: float
    noise_variance: float


@dataclass(frozen=True, repr=False)
class Readings:
    """How the policies read the paper where it is ambiguous or inconsistent.

    Attributes
    ----------
    mean_time_noise : whether E[t|x] of CTV-simple has σ_g² in it. The display has it (the mean of
        a measured time); without it the mean of exp g(x), which is lower by the factor e^{σ_g²/2}.
    integral_noise : whether CTV integrates over a measured time. The display integrates over
        exp g(x), without the noise; with it the law of t is wider, and its mean is that of
        CTV-simple's default.
    round_length : the time that TV-GP-UCB takes a round to last. Bogunovic et al. forget ε per
        round: 1. With the mean duration for it TV forgets per second, and at equal times it is
        CTV-fixed.
    time_prior : hyperparameters of log t; `"ml"` fits them to the data at the policy's first own
        round. By default the numbers that the experiments state for the objective: lengthscale
        0.2, variance 1, noise 0.01; the mean is the average of log t at the first own round.
        `suggest`, which knows no rounds, settles both by all the data that it is given.
    time_noise_variance : variance of Gaussian noise on the log of the measured times that policies
        see; the objective drifts by the true ones. The model section has such noise, the
        experiments state no level for it: 0. Theorem C does not cover noisy times.
    incumbent : what EI improves on: the largest observation so far (Jones et al. 1998), or the
        largest posterior mean now among the points evaluated, which forgets with the drift.
    c1, c2 : of the exploration weight c₁ log(c₂n); 0.8 and 4 are those of Bogunovic et al. 2016.
    time_nodes : Gauss–Hermite nodes of CTV's integral.
    schedule : of the policies with a schedule; None for the one that they choose themselves.
    tune : how every policy comes by its hyperparameters: `none`, they are the problem's own;
        `likelihood`, the likeliest for its own run so far; `posterior`, draws of their law given
        that run; `cross-validation`, those of a grid with the least regret on held-out seeds.
    refit_every : rounds between two fits of `likelihood` and `posterior`.
    assumed : hyperparameters in place of the problem's; what cross-validation settles on.
    flat_weight : c₀ of `flat-ucb`. Theorem Q++ asks for more than 1, such as 2; 1 lost less in
        the runs of docs/theory.md#flat-index.
    """

    mean_time_noise: bool = True
    integral_noise: bool = False
    round_length: float = 1.0
    time_prior: TimeHyperparameters | Literal["ml"] = field(default_factory=TimeHyperparameters)
    time_noise_variance: float = 0.0
    incumbent: Incumbent = "observed"
    c1: float = 0.8
    c2: float = 4.0
    time_nodes: int = 16
    schedule: Schedule | None = None
    tune: Tuning = "none"
    refit_every: int = 5
    assumed: Hyperparameters | None = None
    flat_weight: float = 1.0

    @property
    def hold_the_truth(self) -> bool:
        """Whether policies are told the times as they are, and the problem's hyperparameters."""
        return self.tune == "none" and self.assumed is None and self.time_noise_variance == 0.0

    def __repr__(self) -> str:
        """As a dataclass prints itself, without later choices that are left at their defaults.

        Studies from before there were such choices keep their identity by it.
        """
        rows = ((f.name, getattr(self, f.name), f.default) for f in fields(self))
        given = [f"{name}={v!r}" for name, v, usual in rows if name not in _LATER or v != usual]
        return f"Readings({', '.join(given)})"

    def __post_init__(self) -> None:
        if isinstance(self.time_prior, str) and self.time_prior != MAXIMUM_LIKELIHOOD:
            raise InvalidInput("time_prior", self.time_prior, 'give hyperparameters or "ml"')
        if self.incumbent not in get_args(Incumbent):
            raise InvalidInput("incumbent", self.incumbent, "use observed or mean")
        for name, least in (("round_length", 0.0), ("time_noise_variance", 0.0)):
            value = getattr(self, name)
            if not (value >= least and value < float("inf")):
                raise InvalidInput(name, value, "give a finite number of at least 0")
        if self.tune not in get_args(Tuning):
            raise InvalidInput("tune", self.tune, f"use {', '.join(get_args(Tuning))}")
        if not 0.0 < self.flat_weight < float("inf"):
            raise InvalidInput("flat_weight", self.flat_weight, "give a number above 0")
        if self.refit_every < 1:
            raise InvalidInput("refit-every", self.refit_every, "give a whole number of at least 1")
        if not 1 <= self.time_nodes <= 128:
            raise InvalidInput("time_nodes", self.time_nodes, "give between 1 and 128")
