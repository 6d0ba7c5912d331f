"""`ctv simulate`: from its options to one study, or to the paper's experiments."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from bounds.errors import InvalidInput
from ctv.commands.shared.study_run import cluster, counted, exploration_of
from ctv.options.problem import FileOptions, ModelOptions, refuse
from ctv.options.study import ReadingOptions, StudyOptions, specified
from ctv.show.plain import echo_model
from ctv.terminal.command import pictured

if TYPE_CHECKING:
    from bounds.progress import Stage
    from ctv.show.shown import Shown
    from simulation.study.study import StudySpec

EXAMPLE = """\
>>> study = ctv.simulate([1.0, 2.0, 1.0], domain="arms:3", seeds=2, policy=["random"])
>>> study.regret["random"].shape
(2, 3)
"""

BUNDLED = "tuned"
"""The experiment whose runs are not made but stored."""

_HOW_NOT_WHAT = ("workers", "out", "experiment", "seed", "runs", "policy")
"""Options of a study that its results do not depend on, or that have a key of their own."""


@pictured
def simulate(
    file: FileOptions,
    model: ModelOptions,
    study: StudyOptions,
    choices: ReadingOptions,
    *,
    advance: Stage,
) -> Shown:
    """Runs of policies against drawn objectives, and whether they stay within the bounds."""
    if study.experiment == BUNDLED:
        return _bundled(file, model, study, choices)
    if study.experiment is not None:
        from ctv.commands.shared import paper

        return paper.run_experiments(file, model, study, choices, advance)
    spec = specified(file, model, study, choices)  # may refuse, before the slow imports
    if spec.box and study.out is not None:
        raise InvalidInput("out", str(study.out), "drop it: runs on the box are not kept")
    from ctv.values.study import Simulated
    from simulation.study.comparison import compare_with_bounds
    from simulation.study.statistics import summarize
    from simulation.study.study import run_study

    with cluster(study) as (backend, workers):
        done = run_study(spec, study.out, workers, counted(advance), backend)
    comparison = None if spec.box else compare_with_bounds(done, progress=counted(advance))
    origin = {
        "out": study.out,
        "resumed": done.resumed,
        "repaired": done.repaired,
        **_made_from(spec, file, study, choices),
    }
    return Simulated(done, summarize(done), comparison, origin)


def _bundled(*groups: Any) -> Shown:
    """The stored runs with tuned hyperparameters; InvalidInput for options, all of no effect."""
    from ctv.values.tuned_experiments import TunedExperiments
    from simulation.paper import experiment_results, tuned_results

    for group in groups:
        refuse(group, f"drop it: {BUNDLED} shows stored runs", kept=("experiment",))
    tuned = tuned_results.read(tuned_results.bundled())
    return TunedExperiments(tuned, experiment_results.read(experiment_results.bundled()))


def _made_from(
    spec: StudySpec, file: FileOptions, options: StudyOptions, readings: ReadingOptions
) -> dict[str, Any]:
    return {
        "problem": {
            **echo_model(spec.problem),
            "times": spec.durations.name,
            **({"file": file.times} if file.times is not None else {}),
            "n": spec.total_rounds,
            **_settings(spec, options),
            "readings": readings.given(),
        },
        "seed": spec.seed,
    }


def _settings(spec: StudySpec, options: StudyOptions) -> dict[str, Any]:
    """The options of the study as they came out, defaults filled in."""
    given = {f.name: getattr(options, f.name) for f in fields(options)}
    chosen = {k: v for k, v in given.items() if k not in _HOW_NOT_WHAT}
    named = {
        name: getattr(spec, name)
        for name in ("setting", "policies", "seeds", "acquisition", "initial", "rounds", "box")
    }
    time = spec.evaluation_time if spec.setting == "uniform" else None
    return {**chosen, "exploration": exploration_of(spec), "evaluation_time": time, **named}
