"""JSON: what a value was made from, and its parts, without NaN or infinity."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bounds.errors import InvalidInput
from ctv.formulas.letters import encoding_of_output

if TYPE_CHECKING:
    from bounds.domain import Domain
    from bounds.problem import Problem


def project_version() -> str:
    """The version of the installed distribution.

    >>> project_version().count(".")
    2
    """
    from importlib.metadata import version  # slow to load

    return version("ctv-bounds")


def echo(problem: Problem) -> dict[str, Any]:
    """The problem as options would give it, for a reader who wants to run it again."""
    return {
        "times": problem.times.source,
        "n": problem.n,
        "total_time": problem.times.total_time,
        **echo_model(problem),
    }


def echo_model(problem: Problem) -> dict[str, Any]:
    """The problem without its evaluation times."""
    return {
        "epsilon": problem.epsilon,
        "time_kernel": problem.time_kernel.name,
        "time_lengthscale": problem.time_kernel.parameters.get("lengthscale"),
        "kernel": problem.space_kernel.name,
        "lengthscale": problem.space_kernel.parameters.get("lengthscale"),
        "noise_variance": problem.noise_variance,
        **echo_domain(problem.domain),
        "delta": problem.delta,
    }


def echo_domain(domain: Domain) -> dict[str, Any]:
    """The domain as options would give it, and as plain data; null for what is no grid."""
    from bounds.domain import domain_data

    data = domain_data(domain)
    return {
        "dimension": domain.dimension,
        "side": data.get("side"),
        "grid": data.get("points_per_axis"),
        "domain": data,
    }


def plain(value: Any) -> Any:
    """`value` with plain types only: arrays and tuples as lists, null for NaN and infinity.

    >>> plain({"a": (1, float("inf"))})
    {'a': [1, None]}
    """
    if isinstance(value, bool | int | str) or value is None:
        return value
    if isinstance(value, float):
        return float(value) if isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if hasattr(value, "tolist"):  # a numpy array or scalar
        return plain(value.tolist())
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Iterable):
        return [plain(item) for item in value]
    raise InvalidInput("json", value, f"{type(value).__name__} has no plain form")


def picked(value: object, *names: str) -> dict[str, Any]:
    """These attributes of a value by name, for an object of JSON that calls them the same."""
    return {name: getattr(value, name) for name in names}


def write(value: Mapping[str, Any]) -> None:
    """Print one JSON object on standard output, as plain ASCII where that is not Unicode."""
    escaped = not encoding_of_output().lower().startswith("utf")
    print(json.dumps(plain(value), allow_nan=False, ensure_ascii=escaped))
