"""JSON of `ctv simulate`: one study beside the bounds, or the paper's experiments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from ctv.commands.study_options import ReadingOptions, StudyOptions
from ctv.show.payload import echo_domain, echo_model, project_version

if TYPE_CHECKING:
    from ctv.commands.options import FileOptions
    from ctv.commands.paper import Experiment
    from ctv.commands.study_run import Simulated
    from simulation.paper.findings import Compared, Finding
    from simulation.study.beside_bounds import BesideBounds
    from simulation.study.statistics import Summary
    from simulation.study.study import Study, StudySpec

_HOW_NOT_WHAT = ("workers", "backend", "scheduler", "out", "experiment", "seed")
"""Options of a study that its results do not depend on, or that have a key of their own."""


def of_simulated(
    found: Simulated, file: FileOptions, options: StudyOptions, readings: ReadingOptions
) -> dict[str, Any]:
    """`ctv simulate`."""
    study = found.study
    return {
        **_statistics(found.summary),
        **_beside(found.beside),
        "out": options.out,
        "resumed": study.resumed,
        "repaired": study.repaired,
        "problem": {
            **echo_model(study.spec.problem),
            "times": study.spec.durations.name,
            **({"file": file.times} if file.times is not None else {}),
            "n": study.spec.total_rounds,
            **_settings(study.spec, options),
            "readings": readings.given(),
        },
        "version": project_version(),
        "seed": study.spec.seed,
    }


def of_experiments(
    found: Sequence[Experiment], options: StudyOptions, readings: ReadingOptions
) -> dict[str, Any]:
    """`ctv simulate --experiment`."""
    spec = next(iter(found[0].studies.values())).spec
    return {
        "experiments": [
            {
                "experiment": one.name,
                "exploration": one.exploration,
                "model_kernel": one.model_kernel,
                "studies": {
                    name: {
                        **_statistics(summary),
                        **_beside(one.beside[name]),
                        "problem": {
                            **echo_model(one.studies[name].spec.problem),
                            "times": one.studies[name].spec.durations.name,
                            "acquisition": one.studies[name].spec.acquisition,
                        },
                    }
                    for name, summary in one.summaries.items()
                },
                "sentences": [_finding(finding) for finding in one.findings],
            }
            for one in found
        ],
        "out": options.out,
        "resumed": sum(study.resumed for one in found for study in one.studies.values()),
        "repaired": [name for one in found for s in one.studies.values() for name in s.repaired],
        "problem": {
            "experiments": [*dict.fromkeys(one.name for one in found)],
            **_shared(spec),
            "readings": readings.given(),
        },
        "version": project_version(),
        "seed": spec.seed,
    }


def of_figure(studies: Sequence[Study], options: StudyOptions) -> dict[str, Any]:
    """What a figure of the paper's experiments was made from."""
    spec = studies[0].spec
    return {
        "study": options.out,
        "resumed": sum(study.resumed for study in studies),
        "problem": {
            **_shared(spec),
            "exploration": _exploration(spec),
            "model_kernel": "objective" if spec.model_kernel is None else spec.model_kernel.name,
            "kernels": [study.spec.problem.space_kernel.name for study in studies],
            "times": [study.spec.durations.name for study in studies],
            "acquisition": spec.acquisition,
        },
        "version": project_version(),
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


def _statistics(summary: Summary) -> dict[str, Any]:
    return {
        "policies": {
            name: {
                "regret_per_round": found.regret_per_round,
                "sd": found.sd,
                "seeds": found.seeds,
                "ci_low": found.ci_low,
                "ci_high": found.ci_high,
                "own_regret_per_round": found.own_rounds.mean,
            }
            for name, found in summary.policies.items()
        },
        "paired": [
            {
                "first": pair.first,
                "second": pair.second,
                "difference": pair.difference.mean,
                "sd": pair.difference.sd,
                "ci_low": pair.difference.ci_low,
                "ci_high": pair.difference.ci_high,
                "first_better": pair.first_better,
                "unequal": pair.unequal,
                "decided": pair.decided,
            }
            for pair in summary.paired
        ],
        "level": summary.level,
    }


def _beside(beside: BesideBounds) -> dict[str, Any]:
    """Where the runs of a study stand to the bounds."""
    return {
        "gain_within_bound": {p: beside.gain_within_bound(p) for p in beside.covered},
        "regret_within_bound": {p: beside.regret_within_bound(p) for p in beside.covered},
        "counts_against_delta": beside.covered,
        "theory": _theory(beside),
    }


def _theory(beside: BesideBounds) -> dict[str, Any]:
    """Every run beside every bound, by name; the runs above one are listed apart."""
    return {
        "setting": beside.setting,
        "beta": beside.beta,
        "delta": beside.delta,
        "observation": {p: reason for p, reason in beside.observation.items() if reason},
        "share_above": {p: beside.share_above(p) for p in beside.covered},
        "above": [
            {
                "policy": run.policy,
                "seed": run.seed,
                "of": quantity,
                "bound": name,
                "value": value,
                "limit": limits[name],
                "counts_against_delta": quantity == "regret" and beside.covered[run.policy],
            }
            for run in beside.runs
            for quantity, value, limits, names in (
                ("gain", run.gain, run.gain_bounds, run.gain_above),
                ("regret", run.regret, run.regret_bounds, run.regret_above),
            )
            for name in names
        ],
        "runs": [
            {
                "policy": run.policy,
                "seed": run.seed,
                "gain": run.gain,
                "gain_bounds": run.gain_bounds,
                "regret": run.regret,
                "regret_bounds": run.regret_bounds,
            }
            for run in beside.runs
        ],
    }


def _settings(spec: StudySpec, options: StudyOptions) -> dict[str, Any]:
    """The options of the study as they came out, defaults filled in."""
    given = {f.name: getattr(options, f.name) for f in fields(options)}
    chosen = {k: v for k, v in given.items() if k not in _HOW_NOT_WHAT}
    named = {name: getattr(spec, name) for name in ("setting", "policies", "acquisition")}
    time = spec.evaluation_time if spec.setting == "uniform" else None
    return {**chosen, "exploration": _exploration(spec), "evaluation_time": time, **named}


def _exploration(spec: StudySpec) -> str | None:
    """The weight of σ; None for expected improvement, which has none."""
    return spec.exploration if spec.acquisition == "ucb" else None


def _finding(found: Finding) -> dict[str, Any]:
    pairs = zip(found.compared, found.corrected, strict=True)
    return {
        "id": found.sentence.id,
        "statement": found.sentence.statement,
        "reading": found.sentence.reading,
        "verdict": found.outcome.value,
        "level": found.level,
        "seeds": found.seeds,
        "fewest_to_contradict": found.fewest_to_contradict,
        "comparisons": [_compared(one, stricter) for one, stricter in pairs],
    }


def _compared(found: Compared, corrected: Compared) -> dict[str, Any]:
    """A comparison at the level of the verdict, and at the level by which it may contradict."""
    wanted = found.comparison
    return {
        "left": [wanted.left.study, wanted.left.policy],
        "relation": wanted.relation,
        "right": [wanted.right.study, wanted.right.policy],
        "statistic": wanted.statistic,
        "left_value": found.left,
        "right_value": found.right,
        "difference": found.difference,
        "margin": found.margin,
        "telling_seeds": found.telling,
        "ci_low": found.low,
        "ci_high": found.high,
        "verdict": found.outcome.value,
        "corrected": {
            "level": corrected.level,
            "ci_low": corrected.low,
            "ci_high": corrected.high,
            "verdict": corrected.outcome.value,
        },
    }
