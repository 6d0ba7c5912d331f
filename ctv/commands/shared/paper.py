"""The paper's experiments: studies run or resumed, verdicts on its sentences, its figures."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bounds.errors import InvalidInput
from bounds.progress import Stage
from bounds.static_gain.upper_curve import space_gain_upper
from ctv.commands.shared.study_run import cluster, counted, exploration_of
from ctv.options.named_values import listed
from ctv.options.problem import FileOptions, ModelOptions, TimesOptions, refuse
from ctv.options.study import ReadingOptions, StudyOptions, assumed_kernel
from ctv.show.plain import echo_domain
from ctv.values.experiments import WITHOUT_EXPLORATION, Experiment, Experiments
from simulation.paper.experiments import FIGURES, ExperimentOptions
from simulation.paper.findings import findings
from simulation.policies.acquisition import EXPLORATIONS
from simulation.study.comparison import StudyComparison, compare_with_bounds
from simulation.study.statistics import summarize
from simulation.study.study import Study, StudySpec, run_study

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from bounds.progress import Stage

MODEL_KERNEL = "matern52"
"""What every policy of the paper assumes, whatever the kernel of the objective."""

OBJECTIVE = "objective"
"""The name of a model kernel that is the objective's own."""

_Variant = tuple[str, str | None, str]
"""Experiment, exploration weight and model kernel."""

_DOMAIN = ("grid", "dimension", "side")
_SET_BY_EXPERIMENT = {"setting", "x", "policy"}
_OWN = "drop it: the paper's experiment has its own"


@dataclass(frozen=True)
class Drawn:
    """Which studies of an experiment a figure of the command line shows, with their titles."""

    experiment: str
    titles: Mapping[str, str]


_UNIFORM = {
    "se-uniform": "Squared exponential, $t=3$",
    "matern-uniform": "Matérn-5/2, $t=3$",
}
_BIASED = {
    "se-biased": "Squared exponential, $t(x)$",
    "matern-biased": "Matérn-5/2, $t(x)$",
}
REGRET_FIGURES = {
    "regret-uniform": Drawn("figure-1", _UNIFORM),
    "regret-biased": Drawn("figure-1", _BIASED),
    "length": Drawn(
        "figure-2",
        {
            "length-1": "Squared exponential, $t=1$",
            "length-10": "Squared exponential, $t=10$",
        },
    ),
    "ei": Drawn("figure-ei", _UNIFORM | _BIASED),
}
"""The figures of the paper's experiments by the names of `ctv figure`."""


def run_experiments(
    file: FileOptions,
    model: ModelOptions,
    options: StudyOptions,
    readings: ReadingOptions,
    advance: Stage,
) -> Experiments:
    """Every experiment asked for, with every exploration weight and every model kernel.

    Everything given is checked before anything is run. Raises InvalidInput for options that the
    experiments themselves determine.
    """
    names = _names("experiment", options.experiment or "", tuple(FIGURES))
    explorations = _names("exploration", options.exploration, EXPLORATIONS)
    kernels = listed(options.model_kernel or MODEL_KERNEL)
    refuse(file, _OWN)
    refuse(options, _OWN, kept={f.name for f in fields(options)} - _SET_BY_EXPERIMENT)
    refuse(model, _OWN, kept=_DOMAIN)
    if all(name in WITHOUT_EXPLORATION for name in names):
        _refuse_exploration(options)
    chosen = {
        (name, exploration, kernel): _options(model, options, readings, exploration, kernel)
        for name in names
        for exploration, kernel in product(_weights(name, explorations), kernels)
    }
    specs = {key: _specs(key[0], options) for key, options in chosen.items()}
    cells = sum(_cells(of_one.values()) for of_one in specs.values())
    studies, before = {}, 0
    with cluster(options):
        for key, of_one in specs.items():
            studies[key] = _run(of_one, options, _folder(options.out, *key), advance, before, cells)
            before += _cells(of_one.values())
    comparisons = _compared(studies, advance, cells)
    done = tuple(
        Experiment(
            name,
            exploration,
            kernel,
            of_one,
            {study: summarize(result) for study, result in of_one.items()},
            comparisons[name, exploration, kernel],
            findings(of_one) if options.runs > 1 else (),
        )
        for (name, exploration, kernel), of_one in studies.items()
    )
    return Experiments(done, _origin(done, options, readings))


def _origin(
    done: Sequence[Experiment], options: StudyOptions, readings: ReadingOptions
) -> dict[str, Any]:
    every = [study for one in done for study in one.studies.values()]
    spec = every[0].spec
    return {
        "out": options.out,
        "resumed": sum(study.resumed for study in every),
        "repaired": [name for study in every for name in study.repaired],
        "problem": {
            "experiments": [*dict.fromkeys(one.name for one in done)],
            **_shared(spec),
            "readings": readings.given(),
        },
        "seed": spec.seed,
    }


def draw_figure(
    name: str, times: TimesOptions, model: ModelOptions, options: StudyOptions, advance: Stage
) -> tuple[Figure, dict[str, Any]]:
    """One of `REGRET_FIGURES`, and what it was made from: studies run here or read from a folder.

    Raises InvalidInput for options that the experiment itself determines.
    """
    from ctv.figures.runs import regret
    from ctv.gallery.regret import check_drawable, regret_caption, regret_panel

    shown = REGRET_FIGURES[name]
    refuse(times, _OWN, kept=("seed",))
    refuse(model, _OWN, kept=_DOMAIN)
    kernel = options.model_kernel or MODEL_KERNEL
    if shown.experiment in WITHOUT_EXPLORATION:
        _refuse_exploration(options)
    (exploration,) = _weights(shown.experiment, [options.exploration])
    chosen = _options(model, options, ReadingOptions(), exploration, kernel)
    every = _specs(shown.experiment, chosen)
    specs = {study: every[study] for study in shown.titles}
    one = next(iter(specs.values()))
    check_drawable(one)
    folder = _folder(options.out, shown.experiment, exploration, kernel)
    studies = _run(specs, options, folder, advance, 0, _cells(specs.values()))
    panels = [regret_panel(studies[study], title) for study, title in shown.titles.items()]
    return regret.draw(panels, regret_caption(one)), _figure_origin(studies, options)


def _figure_origin(studies: Mapping[str, Study], options: StudyOptions) -> dict[str, Any]:
    specs = [study.spec for study in studies.values()]
    spec = specs[0]
    return {
        "study": options.out,
        "resumed": sum(study.resumed for study in studies.values()),
        "problem": {
            **_shared(spec),
            "exploration": exploration_of(spec),
            "model_kernel": "objective" if spec.model_kernel is None else spec.model_kernel.name,
            "kernels": [one.problem.space_kernel.name for one in specs],
            "times": [one.durations.name for one in specs],
            "acquisition": spec.acquisition,
        },
        "seed": spec.seed,
    }


def _shared(spec: StudySpec) -> dict[str, Any]:
    """What the studies of an experiment have in common."""
    return {
        "n": spec.total_rounds,
        "seeds": spec.seeds,
        "initial": spec.initial,
        "rounds": spec.rounds,
        "epsilon": spec.problem.epsilon,
        "noise_variance": spec.problem.noise_variance,
        **echo_domain(spec.problem.domain),
    }


def _names(option: str, given: str, known: Collection[str]) -> list[str]:
    """The different names of a comma list, all of them known."""
    names = listed(given)
    for name in names:
        if name not in known:
            raise InvalidInput(option, name, f"use {', '.join(known)}")
    return list(dict.fromkeys(names))


def _weights(experiment: str, explorations: list[str]) -> list[str] | list[None]:
    """The exploration weights with which an experiment is run; None where none plays a part."""
    return [None] if experiment in WITHOUT_EXPLORATION else explorations


def _refuse_exploration(options: StudyOptions) -> None:
    if options.exploration != StudyOptions.exploration:
        raise InvalidInput(
            "exploration", options.exploration, "drop it: expected improvement has no such weight"
        )


def _options(
    model: ModelOptions,
    options: StudyOptions,
    readings: ReadingOptions,
    exploration: str | None,
    kernel: str,
) -> ExperimentOptions:
    return ExperimentOptions(
        exploration=StudyOptions.exploration if exploration is None else exploration,
        seeds=options.runs,
        seed=options.seed,
        initial=options.random_rounds(),
        rounds=options.own_rounds(),
        model_kernel=None if kernel == OBJECTIVE else assumed_kernel(kernel, model.lengthscale),
        readings=readings.chosen(),
        grid=model.whole_grid(),
    )


def _specs(experiment: str, options: ExperimentOptions) -> Mapping[str, StudySpec]:
    return FIGURES[experiment](options)


def _folder(out: Path | None, experiment: str, exploration: str | None, kernel: str) -> Path | None:
    """Where the studies of one experiment are kept; a colon is no letter of a folder's name."""
    variant = kernel if exploration is None else f"{kernel}-{exploration}"
    return None if out is None else out / experiment / variant.replace(":", "-")


def _cells(specs: Iterable[StudySpec]) -> int:
    return sum(spec.seeds * len(spec.policies) for spec in specs)


def _run(
    specs: Mapping[str, StudySpec],
    options: StudyOptions,
    folder: Path | None,
    advance: Stage,
    before: int,
    cells: int,
) -> dict[str, Study]:
    """The studies, each in a folder of its own, as parts of something with `cells` cells."""
    studies = {}
    for name, spec in specs.items():
        out = None if folder is None else folder / name
        progress = counted(advance, before, cells)
        backend, workers, _ = options.computed_by()
        studies[name] = run_study(spec, out, workers, progress, backend)
        before += _cells([spec])
    return studies


def _compared(
    studies: Mapping[_Variant, Mapping[str, Study]], advance: Stage, cells: int
) -> dict[_Variant, dict[str, StudyComparison]]:
    """Every run of every study against the bounds at its times, with one gain curve a problem."""
    curves: dict[object, NDArray[np.float64]] = {}
    comparisons: dict[_Variant, dict[str, StudyComparison]] = {}
    before = 0
    for key, of_one in studies.items():
        comparisons[key] = {}
        for name, study in of_one.items():
            problem, n = study.spec.problem, study.spec.total_rounds
            static = (problem.space_kernel, problem.domain, problem.noise_variance, n)
            if static not in curves:
                curves[static] = space_gain_upper(*static).values
            progress = counted(advance, before, cells)
            comparisons[key][name] = compare_with_bounds(study, curves[static], progress)
            before += _cells([study.spec])
    return comparisons
