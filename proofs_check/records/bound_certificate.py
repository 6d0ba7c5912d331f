"""The certificate of a report of bounds: all that is needed to check each claimed number again.

One JSON file with a digest: the problem, the lines under which the γ that are used lie, partitions
with their centres, knots, the joint dual, the design of the lower side, the choices behind the
constants of the box, the longest time, and the claims. Doubles are written as shortest decimals
that read back as themselves and count as exact numbers; so the times as they were given, durations
or instants, say every instant exactly. A centre is an instant so long after that of a round.
`recheck_bound` derives the claims from it by other code.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from bounds.confidence.certified import Confidence
from bounds.domain import Domain, domain_data
from bounds.drifting_gain.joint_dual import JointDual
from bounds.drifting_gain.lower_bound import JointGain
from bounds.errors import InvalidInput, NoEnclosure
from bounds.gain.report import BoundReport
from bounds.kernels import kernel_data
from bounds.problem import Problem
from bounds.regret.lower.certificate import floor_certificate, price_certificate
from bounds.regret.maximum.most_maximum import maximum_certificate
from bounds.regret.regret_bound import RegretBound
from bounds.static_gain.upper_curve import GainCurve
from proofs_check.recheck.bounds.bound import at_once
from proofs_check.recheck.bounds.schedule import recheck_schedule
from proofs_check.recheck.outcome import Refused
from proofs_check.recheck.reading import BOUND_FORMAT, digest
from proofs_check.recheck.sampling import PADDING
from proofs_check.recheck.times import instants_digest
from simulation.before_run.schedule import ScheduleBound

CLAIMED = (
    "beta",
    "gamma",
    "gain.lower",
    *(
        f"{what}.{name}"
        for what in ("gain", "regret")
        for name in (
            "trivial",
            "theorem1",
            "additive",
            "refined",
            "any_pattern",
            "knots",
            "joint_dual",
        )
    ),
    *(f"box.{name}" for name in ("a", "b", "beta", "regret")),
    "point_times.beta",
    "point_times.regret",
    "row.envelope",
    "maximum",
    "floor",
    "floor.prices",
    "row.schedule",
)
"""The claims that a certificate may make; what does not hold or has no enclosure is absent."""


def bound_certificate(
    report: BoundReport,
    curve: GainCurve,
    design: JointGain,
    confidence: Confidence,
    version: str,
    rows: Sequence[RegretBound] = (),
    *,
    delay: int = 0,
    schedule: ScheduleBound | None = None,
) -> dict[str, Any]:
    """The certificate of a certified report as plain data; what is not certified is left out.

    Of the `rows` before a run an envelope that rests on a joint dual is claimed, and the floor with
    its start-up part where one is certified; of a simulated schedule its number, which the check
    simulates again. `delay` is how many rounds results are late; with one, nothing is claimed of a
    regret but the floor.
    """
    problem = report.problem
    lengths = (set(result.partition.lengths) for result in report.partitions.values())
    rounds = sorted({problem.n}.union(*lengths))
    sources = sorted({int(curve.sources[m]) for m in rounds if curve.sources[m] > 0})
    envelopes = [row for row in rows if row.certified and row.inflated is not None]
    level, dual = (envelopes[0].inflated if envelopes else None) or (None, None)
    floors = any(row.direction == "lower" and row.certified for row in rows)
    found: dict[str, dict[str, Any] | None] = dict.fromkeys(("maximum", "floor", "floor.prices"))
    if floors:
        with suppress(NoEnclosure):  # m* has no upper side that is written, or certified
            found["maximum"] = maximum_certificate(problem.domain, problem.space_kernel)
        with suppress(InvalidInput):  # the floor has none, or would be too long
            found["floor"] = floor_certificate(problem, delay=delay)
        prices = price_certificate(problem)
        found["floor.prices"] = prices if prices and prices["value"] > 0.0 else None
    values = {name: part.pop("value") for name, part in found.items() if part is not None}
    if found["floor"] is not None:
        del found["floor"]["delay"]  # the problem has it
    stated = {**problem_data(problem), "delay": delay}
    scheduled = None if schedule is None else _scheduled(schedule, stated)
    body = {
        "format": BOUND_FORMAT,
        "version": version,
        "problem": stated,
        "instants": instants_digest(problem.times.exact.instants),
        "lines": [_parts(curve.certificates[i - 1], "points", "factors", "alpha") for i in sources],
        "gamma": [
            {
                "m": m,
                "value": float(curve.values[m]),
                "line": sources.index(curve.sources[m]) if curve.sources[m] > 0 else None,
            }
            for m in rounds
        ],
        "partitions": {
            name: {
                "cuts": list(result.partition.cuts),
                "centers": None
                if result.anchors is None
                else [[at.round, at.offset] for at in result.anchors],
            }
            for name, result in report.partitions.items()
        },
        "knots": _parts(report.knots, "rounds", "weights"),
        "dual": _blocks(report.dual),
        "inflated": None if dual is None else {"noise_variance": level, "dual": _blocks(dual)},
        "design": _plain(design.indices) if report.lower_certified else None,
        "box": _parts(confidence.box, "cells_per_axis", "inflation"),
        "longest": None if confidence.point_times is None else confidence.point_times.longest,
        "maximum": found["maximum"],
        "floor": found["floor"],
        "prices": found["floor.prices"],
        "schedule": None if scheduled is None else scheduled[0],
        "claims": [
            {"id": name, "value": value}
            for name, value in (
                *_claimed(report, curve, confidence),
                *((f"row.{row.name}", row.value) for row in envelopes),
                *values.items(),
                *([] if scheduled is None else [("row.schedule", scheduled[1])]),
            )
            if not (delay and at_once(name))
        ],
    }
    return {**body, "digest": digest(body)}


def text_of(body: dict[str, Any]) -> str:
    """The file of a certificate; raises ValueError for NaN and infinity."""
    return json.dumps(body, ensure_ascii=False, allow_nan=False) + "\n"


def _parts(of: Any, *names: str) -> Any:
    """Some attributes as plain data; None of None."""
    return None if of is None else {name: _plain(getattr(of, name)) for name in names}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def _blocks(dual: JointDual | None) -> list[dict[str, Any]] | None:
    names = ("start", "end", "alpha", "points", "time_modes", "space_modes", "gains")
    return None if dual is None else [_parts(block, *names) for block in dual.certificates]


def _scheduled(
    schedule: ScheduleBound, problem: dict[str, Any]
) -> tuple[dict[str, Any], float] | None:
    """A schedule with the larger of its number and of the one that the recheck draws for it.

    None for one that is too large to be drawn again.
    """
    entry = {**_parts(schedule.schedule, "rounds", "points"), **_parts(schedule, "delta")}
    try:
        again, _ = recheck_schedule(entry, problem)
    except Refused:
        return None
    return entry, max(schedule.value, again * (1.0 + PADDING))


def _claimed(
    report: BoundReport, curve: GainCurve, confidence: Confidence
) -> Iterator[tuple[str, float]]:
    yield "beta", report.beta
    if curve.certified:
        yield "gamma", float(curve.values[report.problem.n])
    if report.lower_certified:
        yield "gain.lower", report.lower
    for name, bound in report.gains.items():
        if bound.certified and bound.valid:
            yield f"gain.{name}", bound.value
            yield f"regret.{name}", report.regret[name]
    box, moving = confidence.box, confidence.point_times
    if box is not None:
        yield from (("box.a", box.a), ("box.b", box.b), ("box.beta", box.beta))
        yield "box.regret", box.trivial_regret
    if moving is not None:
        yield from (
            ("point_times.beta", moving.beta),
            ("point_times.regret", moving.trivial_regret),
        )


def problem_data(problem: Problem) -> dict[str, Any]:
    """A problem as certificates hold it: exact times as given, kernels, noise, domain, δ."""
    times = problem.times
    return {
        "given": "times" if times.cumulative else "durations",
        "times": (times.times if times.cumulative else times.durations).tolist(),
        "epsilon": problem.epsilon,
        "time_kernel": kernel_data(problem.time_kernel),
        "space_kernel": kernel_data(problem.space_kernel),
        "noise_variance": problem.noise_variance,
        **_domain(problem.domain),
        "delta": problem.delta,
    }


def _domain(domain: Domain) -> dict[str, Any]:
    """Of a cube its dimension, side and points on an axis; of any other domain its plain data."""
    if domain.is_cube:
        q, side = domain.cube()
        return {"dimension": domain.dimension, "side": side, "grid": q}
    return {"dimension": domain.dimension, "domain": domain_data(domain)}
