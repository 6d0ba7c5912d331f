"""Strategies of hypothesis that draw whole problems, each as a study of one run.

What the registries hold is drawn from the registries: a kernel or a policy that joins them is drawn
from then on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from bounds.domain import Arms, Domain, Grid, Points
from bounds.kernels import families, parse_time_kernel
from bounds.times import FAMILIES, Family, sequence
from simulation.laws.case import one_run
from simulation.policies.acquisition import ACQUISITIONS, EXPLORATIONS
from simulation.policies.registry import names, policy_named
from simulation.study.study import StudySpec

LARGEST = 60
"""Points of the largest domain drawn."""

DELTAS = (0.02, 0.1, 0.5, 0.9)
EPSILONS = (0.0, 1e-12, 1e-6, 1e-3, 0.01, 0.1, 0.5, 0.99, float(np.nextafter(1.0, 0.0)))
"""Both ends of [0, 1) and what lies between."""

_SMOOTHNESS = {"space_names": ("0.7", "3.5"), "time_names": ("3.5",)}
_SLOW = "matern:0.7"
"""A time kernel without a closed form costs its bounds some seconds: one problem in a hundred."""

_NOISES = (1e-4, 1e-2, 0.1, 1.0, 100.0)


def texts(which: str) -> list[str]:
    """Every kernel that a text names, `which` being `space_names` or `time_names`.

    >>> "se" in texts("space_names")
    True
    """
    written = [name for family in families() for name in getattr(family, which)]
    plain = [name for name in written if ":" not in name]
    return plain + [
        name.replace("NU", nu)
        for name in written
        if name.endswith(":NU")
        for nu in _SMOOTHNESS[which]
    ]


@st.composite
def family_durations(draw: st.DrawFn, n: int) -> tuple[float, ...]:
    """Durations of any family of `bounds.times.FAMILIES`, with its own parameters."""
    name = draw(st.sampled_from(sorted(FAMILIES)))
    total = draw(st.sampled_from([0.0, 1e-3, 1.0, 3.0, 1e3])) * n
    family = Family(
        n=n,
        total=total,
        n0=draw(st.none() | st.integers(1, n)),
        ratio=draw(st.sampled_from([0.5, 1.0, 1.05, 2.0])),
        power=draw(st.sampled_from([-2.0, 0.0, 0.5, 1.0, 3.0])),
        bursts=draw(st.none() | st.integers(1, n)),
        gap=draw(st.sampled_from([0.0, 0.1])) * total / n,
        tail=draw(st.sampled_from([0.5, 1.5, 3.0])),
        period=draw(st.integers(1, n)),
        rng=np.random.default_rng(draw(st.integers(0, 2**32 - 1))),
    )
    return tuple(sequence(name, family).durations.tolist())


def free_durations(n: int) -> st.SearchStrategy[tuple[float, ...]]:
    """Lists of one's own: ties, zeros, bursts, and gaps over twelve orders of magnitude."""
    tied = st.sampled_from([0.0, 0.0, 1.0, 2.0])
    gaps = st.sampled_from([0.0, 1e-6, 1e-3, 1.0, 1e3, 1e6])
    ordinary = st.floats(1e-3, 10.0)
    burst = st.sampled_from([1e-6, 1e-6, 1e-6, 50.0])
    spread = st.floats(-6.0, 6.0).map(lambda power: 10.0**power)
    return st.one_of(
        *(
            st.lists(one, min_size=n, max_size=n).map(tuple)
            for one in (tied, gaps, ordinary, burst, spread)
        )
    )


@st.composite
def of_x(draw: st.DrawFn, domain: Domain) -> dict[str, Any]:
    """Options of t(x): the experiments', or by regression on some measured durations."""
    known = draw(st.lists(st.floats(0.1, 10.0), min_size=0, max_size=6))
    if not known or isinstance(domain, Arms):
        return {"durations": None}
    points = st.integers(0, domain.size - 1)
    measured = draw(st.lists(points, min_size=len(known), max_size=len(known)))
    return {"durations": known, "measured": measured}


@st.composite
def domains(draw: st.DrawFn, largest: int = LARGEST) -> Domain:
    """Grids, lists of points and independent arms of 1 to `largest` points."""
    kind = draw(st.sampled_from(["grid", "points", "arms"]))
    if kind == "arms":
        return Arms(draw(st.integers(1, largest)))
    dimension = draw(st.integers(1, 3))
    if kind == "grid":
        most = int(largest ** (1.0 / dimension) + 1e-9)
        side = draw(st.sampled_from([0.1, 1.0, 10.0]))
        return Grid(dimension, side, draw(st.integers(1, most)))
    size = draw(st.integers(1, largest))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return Points(rng.random((size, dimension)).tolist())


def cases(
    *,
    policies: Sequence[str] | None = None,
    kernels: Sequence[str] | None = None,
    time_kernels: Sequence[str] | None = None,
    longest: int = 16,
    largest: int = LARGEST,
) -> st.SearchStrategy[StudySpec]:
    """Whole problems with a policy and a seed.

    Parameters
    ----------
    policies, kernels, time_kernels : names to draw from; by default all that are registered
    longest : rounds in all
    largest : points of the largest domain

    A policy that refuses the times drawn (those that model log t, where one is 0) is replaced by
    CTV-fixed, unless it is the only one asked for: then such times are not drawn.
    """
    # The registries are asked once and not for every draw: they look for entry points.
    rare = () if time_kernels is not None else (_SLOW,)
    return _cases(
        tuple(policies or names()),
        tuple(kernels or texts("space_names")),
        (*(time_kernels or texts("time_names")), *rare),
        longest,
        largest,
    )


@st.composite
def _cases(
    draw: st.DrawFn,
    known: tuple[str, ...],
    kernels: tuple[str, ...],
    time_kernels: tuple[str, ...],
    longest: int,
    largest: int,
) -> StudySpec:
    # Half of the problems have the forgetting kernel, where it is asked for.
    listed = [name for name in time_kernels if name != _SLOW]
    text = draw(st.just(listed[0]) | st.sampled_from(listed))
    if _SLOW in time_kernels and draw(st.integers(0, 99)) == 57:
        text = _SLOW
    n = draw(st.integers(1, 3 if text == _SLOW else longest))
    forgets = text == "forgetting"
    # Every other problem is of the theorem's policy, so that its chain is looked at.
    covered = next((name for name in known if policy_named(name).covered_by), None)
    theorem = covered is not None and draw(st.booleans())
    initial = draw(st.sampled_from([0, 0, min(3, n), n // 2]))
    options: dict[str, Any] = {
        "domain": draw(domains(largest)),
        "durations": draw(st.one_of(family_durations(n), free_durations(n))),
        "initial": initial,
        "rounds": n - initial,
        "epsilon": draw(st.sampled_from(EPSILONS) | st.floats(0.0, 0.999)),
        "time_kernel": text,
        "time_lengthscale": None if forgets else draw(st.sampled_from([0.1, 3.0, 1e3])),
        "kernel": draw(st.sampled_from(kernels)),
        "lengthscale": draw(st.sampled_from([0.05, 0.2, 1.0])),
        "noise_variance": draw(st.sampled_from(_NOISES)),
        "delta": draw(st.sampled_from(DELTAS)),
        "policy": covered if theorem else draw(st.sampled_from(known)),
        "acquisition": "ucb" if theorem else draw(st.sampled_from(ACQUISITIONS)),
        "exploration": "theory" if theorem else draw(st.sampled_from(EXPLORATIONS)),
        "model_kernel": None if theorem else draw(st.sampled_from([None, None, None, "matern52"])),
        "time_noise_variance": 0.0 if theorem else draw(st.sampled_from([0.0, 0.0, 0.1])),
        "seed": draw(st.integers(0, 2**32 - 1)),
    }
    time_kernel = parse_time_kernel(text, options["epsilon"], options["time_lengthscale"])
    if time_kernel.is_markov and draw(st.integers(0, 2)) == 2:
        options |= draw(of_x(options["domain"]))
    times = options["durations"]
    if times is not None and min(times) <= 0.0 and _models_log_t(options["policy"]):
        # Its own policy refuses these times.
        if covered is not None:
            options["policy"] = covered
        else:
            options["durations"] = tuple(max(t, 1e-6) for t in times)
    return one_run(**options)


def _models_log_t(policy: str) -> bool:
    times = policy_named(policy).times
    return times is not None and times.are_learned
