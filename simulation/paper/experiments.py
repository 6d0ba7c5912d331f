"""The experiments of Imamura et al. 2020 as studies by name (sections 5 and D).

Squared exponential and Matérn-5/2 objectives of lengthscale 0.2 on the 50×50 grid of the unit
square, noise 0.01, ε = 0.01 per unit of time, 30 random points and then 100 rounds, 30 runs. Every
policy models f with the Matérn-5/2 kernel, whatever the objective's is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from bounds.domain import Grid
from bounds.kernels import Kernel, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.policies.readings import Readings
from simulation.study.study import StudySpec

RELEASED_POLICIES = (
    "gp-ucb-as-released",
    "tv-as-released",
    "ctv-as-released",
    "ctv-simple-as-released",
)
PAPER_POLICIES = ("gp-ucb", "tv", "ctv", "ctv-simple", "ctv-fixed")

SQUARED_EXPONENTIAL = SquaredExponential(0.2)
MATERN = Matern(2.5, 0.2)

NOISY_TIMES = 0.01
"""Variance of the noise on log t where measured times are noisy: that of every other noise."""


@dataclass(frozen=True)
class ExperimentOptions:
    """What may be varied in every experiment; the defaults are the printed ones.

    exploration : `beta` is the paper's text and code, `sqrt-beta` what Bogunovic et al. use
    model_kernel : assumed by every policy; None is the objective's own
    """

    exploration: str = "beta"
    seeds: int = 30
    seed: int = 0
    initial: int = 30
    rounds: int = 100
    model_kernel: Kernel | None = field(default_factory=lambda: MATERN)
    readings: Readings = field(default_factory=Readings)
    grid: Grid = field(default_factory=Grid)


def figure_1(options: ExperimentOptions | None = None) -> dict[str, StudySpec]:
    """Two kernels × two settings: `se-uniform`, `se-biased`, `matern-uniform`, `matern-biased`."""
    chosen = options or ExperimentOptions()
    return {
        f"{name}-{setting}": _spec(chosen, kernel, setting)
        for name, kernel in (("se", SQUARED_EXPONENTIAL), ("matern", MATERN))
        for setting in ("uniform", "biased")
    }


def figure_2(options: ExperimentOptions | None = None) -> dict[str, StudySpec]:
    """Equal times of 1 and 10, squared exponential: `length-1`, `length-10`.

    `length-1-noisy` has noise on the measured times (the reason that the discussion gives for the
    left panel), and the random policy is there to say what failing means.
    """
    chosen = options or ExperimentOptions()
    plain = {
        f"length-{t}": _spec(chosen, SQUARED_EXPONENTIAL, "uniform", float(t), with_random=True)
        for t in (1, 10)
    }
    noisy = replace(chosen.readings, time_noise_variance=NOISY_TIMES)
    return plain | {"length-1-noisy": replace(plain["length-1"], readings=noisy)}


def figure_ei(options: ExperimentOptions | None = None) -> dict[str, StudySpec]:
    """The settings of Figure 1 with expected improvement."""
    specs = figure_1(options)
    return {name: replace(spec, acquisition="ei") for name, spec in specs.items()}


def figure_released(options: ExperimentOptions | None = None) -> dict[str, StudySpec]:
    """The setting of the authors' released code, with its policies beside those of the text.

    Equal times of 1 and, for three times the drift in a round, of 3.
    """
    chosen = options or ExperimentOptions(initial=10, rounds=290)
    beside = ("gp-ucb", "tv", "ctv", "ctv-simple", *RELEASED_POLICIES)
    curves = {
        "se-length-1": _spec(chosen, SQUARED_EXPONENTIAL, "uniform", 1.0),
        "se-length-3": _spec(chosen, SQUARED_EXPONENTIAL, "uniform", 3.0),
        "matern-length-1": _spec(chosen, MATERN, "uniform", 1.0),
    }
    return {name: replace(spec, policies=beside) for name, spec in curves.items()}


FIGURES: Mapping[str, Callable[[ExperimentOptions | None], dict[str, StudySpec]]] = {
    "figure-1": figure_1,
    "figure-2": figure_2,
    "figure-ei": figure_ei,
    "released": figure_released,
}


def _spec(
    options: ExperimentOptions,
    kernel: Kernel,
    setting: str,
    evaluation_time: float = 3.0,
    *,
    with_random: bool = False,
) -> StudySpec:
    problem = Problem(
        EvaluationTimes.from_durations([evaluation_time], source=setting),
        space_kernel=kernel,
        domain=options.grid,
    )
    return StudySpec(
        problem,
        setting,
        (*PAPER_POLICIES, "random") if with_random else PAPER_POLICIES,
        seeds=options.seeds,
        seed=options.seed,
        initial=options.initial,
        rounds=options.rounds,
        exploration=options.exploration,
        model_kernel=options.model_kernel,
        readings=options.readings,
        evaluation_time=evaluation_time,
    )
