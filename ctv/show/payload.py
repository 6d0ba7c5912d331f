"""JSON objects: what a command was made from, and what came out, without NaN or infinity."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bounds.errors import InvalidInput

if TYPE_CHECKING:
    from bounds.domain import Domain
    from bounds.partitions.search import SearchResult
    from bounds.problem import Problem
    from bounds.static_gain.both_sides import GainRange
    from ctv.commands.options import TimesOptions


def project_version() -> str:
    """The version of the installed distribution.

    >>> project_version().count(".")
    2
    """
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


def made_from(problem: Problem, times: TimesOptions) -> dict[str, Any]:
    """`problem`, `version` and, where the sequence is random, `seed`."""
    origin = {"problem": {**echo(problem), **times.given()}, "version": project_version()}
    return origin if times.used_seed is None else {**origin, "seed": times.used_seed}


def of_partition(
    problem: Problem,
    best: SearchResult,
    rows: Sequence[tuple[str, SearchResult]],
    times: TimesOptions,
) -> dict[str, Any]:
    """`ctv partition`."""
    return {
        "objective": best.objective,
        "value": best.value,
        "partition": best.partition.cuts,
        "exact": best.exact,
        "gap": best.gap,
        "rows": [
            {"name": name, "value": row.value, **_terms(row, searched=False)} for name, row in rows
        ],
        "centers": best.centers,
        **made_from(problem, times),
    }


def _terms(result: SearchResult, *, searched: bool = True) -> dict[str, Any]:
    terms = {"gain": result.gain, "drift": result.drift, "blocks": len(result.partition)}
    return {**terms, "exact": result.exact, "gap": result.gap} if searched else terms


def of_gains(problem: Problem, found: GainRange, times: TimesOptions) -> dict[str, Any]:
    """`ctv gain`."""
    return {
        "m": found.m,
        "lower": found.lower,
        "upper": found.upper,
        "upper_name": found.upper_names,
        "certified": found.certified,
        "cap": found.cap,
        **made_from(problem, times),
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


def write(value: Mapping[str, Any]) -> None:
    """Print one JSON object on standard output."""
    print(json.dumps(plain(value), allow_nan=False, ensure_ascii=False))
