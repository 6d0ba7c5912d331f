"""A study as the line of `ctv simulate` that makes it, with the files that it needs."""

from __future__ import annotations

import shlex
from collections.abc import Callable

from bounds.domain import Arms, Grid, Points
from bounds.errors import InvalidInput
from bounds.kernels import Kernel, parse_kernel, parse_time_kernel
from simulation.study.study import StudySpec


def words_of(spec: StudySpec, times: str, points: str) -> list[str]:
    """The words after `ctv`, the files of times and of points being called so.

    Readings are written as far as the noise on the measured times; other ones are the defaults.
    """
    problem, domain = spec.problem, spec.problem.domain
    setting = spec.setting
    setting += f":{spec.evaluation_time}" if setting == "uniform" else ""
    words = ["simulate", "--setting", setting]
    words += ["--times", times] if spec.setting == "csv" else []
    words += [] if spec.inputs is None else ["--x", ",".join(_columns(spec))]
    words += ["--domain", "box"] if spec.box else []
    if isinstance(domain, Grid):
        words += ["--dimension", str(domain.dimension), "--side", repr(domain.side)]
        words += ["--grid", str(domain.points_per_axis)]
    elif isinstance(domain, Arms):
        words += ["--domain", f"arms:{domain.count}"]
    else:
        words += ["--domain", points]
    options: dict[str, object] = {
        "epsilon": problem.epsilon,
        **_time_kernel_words(problem.time_kernel, problem.epsilon),
        "noise-variance": problem.noise_variance,
        "delta": problem.delta,
        "initial": spec.initial,
        "rounds": spec.rounds,
        "exploration": spec.exploration if spec.acquisition == "ucb" else spec.acquisition,
        "readings": f"time_noise_variance={spec.readings.time_noise_variance}",
        "seed": spec.seed,
        "policy": ",".join(spec.policies),
        "runs": spec.seeds,
    }
    if not isinstance(domain, Arms):
        options |= {
            "kernel": _kernel_word(problem.space_kernel),
            "lengthscale": problem.space_kernel.parameters["lengthscale"],
        }
    if spec.model_kernel is not None:
        options["model-kernel"] = _kernel_word(spec.model_kernel)
    for name, value in options.items():
        words += [f"--{name}", str(value)]
    return words


def times_text(spec: StudySpec) -> str:
    """What the file of times holds."""
    rows = [[repr(t)] for t in spec.problem.times.durations.tolist()]
    header = ["duration"]
    if spec.inputs is not None:
        header += _columns(spec)
        rows = [[*row, *map(repr, x)] for row, x in zip(rows, spec.inputs.tolist(), strict=True)]
    return "\n".join(map(",".join, [header, *rows])) + "\n"


def points_text(spec: StudySpec) -> str:
    """What the file of points holds."""
    domain = spec.problem.domain
    rows = domain.points.tolist() if isinstance(domain, Points) else []
    return "\n".join(",".join(map(repr, row)) for row in rows) + "\n"


def command_of(spec: StudySpec) -> str:
    """The study as a line for bash, its files made on the spot.

    >>> from bounds.problem import Problem
    >>> command_of(StudySpec(Problem([1.0]), seeds=2))[:57]
    'ctv simulate --setting uniform:3.0 --dimension 2 --side 1'
    """
    made = {"TIMES": _printed(times_text(spec)), "POINTS": _printed(points_text(spec))}
    words = words_of(spec, "TIMES", "POINTS")
    return " ".join(["ctv", *(made.get(word) or shlex.quote(word) for word in words)])


def _time_kernel_words(kernel: Kernel, epsilon: float) -> dict[str, object]:
    length = kernel.parameters.get("lengthscale")
    word = _word(kernel, kernel.time_names, lambda text: parse_time_kernel(text, epsilon, length))
    behind = "," if ":" in word else ":"
    return {"time-kernel": word if length is None else f"{word}{behind}lengthscale={length}"}


def _kernel_word(kernel: Kernel) -> str:
    lengthscale = kernel.parameters["lengthscale"]
    return _word(kernel, kernel.space_names, lambda text: parse_kernel(text, lengthscale))


def _word(kernel: Kernel, names: tuple[str, ...], read: Callable[[str], Kernel]) -> str:
    """The text that is read as this kernel, a number standing for the parameter behind a colon."""
    for name in names:
        prefix, _, parameter = name.partition(":")
        text = f"{prefix}:{kernel.parameters[parameter.lower()]}" if parameter else name
        if read(text) == kernel:
            return text
    raise InvalidInput("kernel", kernel.name, "no word of the command line stands for it")


def _columns(spec: StudySpec) -> list[str]:
    return [f"x{axis + 1}" for axis in range(spec.problem.domain.points.shape[1])]


def _printed(text: str) -> str:
    return "<(printf '" + text.replace("\n", "\\n") + "')"
