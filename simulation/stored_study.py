"""A study from its folder: what it was, rebuilt from the manifest, and its finished runs."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting, Kernel, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from simulation.readings import Readings
from simulation.run import Trajectory
from simulation.study import StudySpec
from simulation.study_folder import StudyFolder
from simulation.time_model import TimeHyperparameters

_TYPES: dict[str, Any] = {
    kind.__name__: kind
    for kind in (SquaredExponential, Matern, Forgetting, Grid, Readings, TimeHyperparameters)
}


def stored_runs(place: Path) -> tuple[Problem, dict[str, object], tuple[Trajectory, ...]]:
    """The problem, the identity and the finished runs of a study's folder, or of one of its files.

    The times of the problem are those of the first run; every run has its own. Raises InvalidInput
    unless there is a run with its observations.
    """
    file = place if place.suffix == ".npz" else None
    folder, identity = StudyFolder.existing(place if file is None else place.parent)
    first, count = _whole(identity["seed"]), _whole(identity["seeds"])
    policies = identity["policies"]
    assert isinstance(policies, list)
    cells = [(str(p), s) for p in policies for s in range(first, first + count)]
    if file is not None:
        cells = [cell for cell in cells if folder.path(*cell).name == file.name]
        if not cells:
            raise InvalidInput("run", str(file), "the study beside it has no such run")
    found = [folder.read(*cell)[0] for cell in cells]
    runs = tuple(run for run in found if run is not None)
    if not runs:
        raise InvalidInput(
            "study", str(place), "no run with its observations is stored: finish it with simulate"
        )
    times = EvaluationTimes.from_durations(runs[0].durations, source=place.name)
    problem = Problem(
        times,
        epsilon=_number(identity["epsilon"]),
        time_kernel=_kernel(identity["time_kernel"]),
        space_kernel=_kernel(identity["space_kernel"]),
        noise_variance=_number(identity["noise_variance"]),
        domain=_built(identity["domain"]),
        delta=_number(identity["delta"]),
    )
    return problem, identity, runs


def stored_spec(problem: Problem, identity: dict[str, object], run: Trajectory) -> StudySpec:
    """The study again, to simulate more runs of it.

    Raises InvalidInput for times by regression on inputs, which the folder does not hold.
    """
    setting = str(identity["setting"])
    model = _kernel(identity["model_kernel"])
    if setting == "csv":
        measured = identity["measured"]
        # Durations in their order are those that every run had; with inputs they were t(x).
        if not isinstance(measured, list) or measured[1] != _nothing():
            raise InvalidInput("study", setting, "its t(x) came from inputs that it does not hold")
        fixed = EvaluationTimes.from_durations(run.durations, source="the study")
        problem = replace(problem, times=fixed)
    return StudySpec(
        problem,
        setting=setting,
        policies=(run.policy,),
        seeds=1,
        initial=_whole(identity["initial"]),
        rounds=_whole(identity["rounds"]),
        acquisition=str(identity["acquisition"]),
        exploration=str(identity["exploration"]),
        model_kernel=None if model == problem.space_kernel else model,
        readings=_built(identity["readings"]),
        evaluation_time=_number(identity["evaluation_time"] or 0.0),
    )


def _nothing() -> str:
    from simulation.study_folder import digest

    return digest(np.zeros(0).tobytes())


def _built(text: object) -> Any:
    """The value that a repr of one of our own types stands for; nothing else is evaluated."""
    try:
        return _value(ast.parse(str(text), mode="eval").body)
    except (SyntaxError, ValueError, TypeError, KeyError):
        raise InvalidInput("study", str(text), "its manifest cannot be read") from None


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.args:
        return _TYPES[node.func.id](**{str(k.arg): _value(k.value) for k in node.keywords})
    return ast.literal_eval(node)


def _kernel(text: object) -> Kernel:
    kernel = _built(text)
    if not isinstance(kernel, Kernel):
        raise InvalidInput("study", str(text), "its manifest names no kernel")
    return kernel


def _whole(value: object) -> int:
    if not isinstance(value, int):
        raise InvalidInput("study", str(value), "its manifest cannot be read")
    return value


def _number(value: object) -> float:
    if not isinstance(value, int | float):
        raise InvalidInput("study", str(value), "its manifest cannot be read")
    return float(value)
