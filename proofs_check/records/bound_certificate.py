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
from collections.abc import Sequence
from typing import Any

from bounds.confidence.certified import Confidence
from bounds.domain import Domain, domain_data
from bounds.drifting_gain.joint_dual import JointDual
from bounds.drifting_gain.lower_bound import JointGain
from bounds.errors import InvalidInput
from bounds.kernels import kernel_data
from bounds.problem import Problem
from bounds.promises.report import BoundReport
from bounds.regret_itself.floors.certificate import floor_certificate
from bounds.regret_itself.regret_bound import RegretBound
from bounds.static_gain.upper_curve import GainCurve
from proofs_check.recheck.reading import BOUND_FORMAT, digest
from proofs_check.recheck.times import instants_digest
from simulation.before_run.schedule import ScheduleBound

LARGEST_SCHEDULED = 3_000
"""Points up to which a schedule is written: the check factors a matrix of that many rows."""

CLAIMED = (
    "beta",
    "gamma",
    "gain.lower",
    *(
        f"{what}.{name}"
        for what in ("gain", "regret")
        for name in (
            "trivial", "theorem1", "additive", "refined", "any_pattern", "knots", "joint_dual",
        )
    ),
    *(f"box.{name}" for name in ("a", "b", "beta", "regret")),
    "point_times.beta",
    "point_times.regret",
    "row.envelope",
    "floor",
    "row.schedule",
)  # fmt: skip
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
    simulates again. `delay` is that of the floor.
    """
    problem = report.problem
    if schedule is not None and problem.domain.size > LARGEST_SCHEDULED:
        schedule = None
    floor = _floor(problem, delay) if any(_is_floor(row) for row in rows) else None
    lengths = (set(found.partition.lengths) for found in report.partitions.values())
    rounds = sorted({problem.n}.union(*lengths))
    sources = sorted({int(curve.sources[m]) for m in rounds} - {0})
    body = {
        "format": BOUND_FORMAT,
        "version": version,
        "problem": problem_data(problem),
        "instants": instants_digest(problem.times.exact.instants),
        "lines": [_line(curve, i) for i in sources],
        "gamma": [
            {"m": m, "value": float(curve.values[m]), "line": _position(curve, m, sources)}
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
        "knots": None
        if report.knots is None
        else {"rounds": report.knots.rounds.tolist(), "weights": report.knots.weights.tolist()},
        "dual": None
        if report.dual is None
        else _blocks(report.dual),
        "inflated": _inflated(rows),
        "design": None if not report.lower_certified else _indices(design),
        "box": None
        if confidence.box is None
        else {
            "cells_per_axis": confidence.box.cells_per_axis,
            "inflation": confidence.box.inflation,
        },
        "longest": None if confidence.point_times is None else confidence.point_times.longest,
        "floor": floor,
        "schedule": None if schedule is None else _schedule(schedule),
        "claims": [
            *_claims(report, curve, confidence),
            *_row_claims(rows),
            *([] if floor is None else [{"id": "floor", "value": floor["value"]}]),
            *([] if schedule is None else [{"id": "row.schedule", "value": schedule.value}]),
        ],
    }  # fmt: skip
    return {**body, "digest": digest(body)}


def text_of(body: dict[str, Any]) -> str:
    """The file of a certificate; raises ValueError for NaN and infinity."""
    return json.dumps(body, ensure_ascii=False, allow_nan=False) + "\n"


def _blocks(dual: JointDual) -> list[dict[str, Any]]:
    return [
        {
            "start": c.start, "end": c.end, "alpha": c.alpha, "points": c.points.tolist(),
            "time_modes": c.time_modes.tolist(),
            "space_modes": [q.tolist() for q in c.space_modes],
            "gains": [g.tolist() for g in c.gains],
            "value": c.value,
        }
        for c in dual.certificates
    ]  # fmt: skip


def _inflated(rows: Sequence[RegretBound]) -> dict[str, Any] | None:
    """The noise variance and the dual of the envelope."""
    for row in rows:
        if row.certified and row.inflated is not None:
            noise_variance, dual = row.inflated
            return {"noise_variance": noise_variance, "dual": _blocks(dual)}
    return None


def _row_claims(rows: Sequence[RegretBound]) -> list[dict[str, Any]]:
    return [
        {"id": f"row.{row.name}", "value": row.value}
        for row in rows
        if row.certified and row.inflated is not None
    ]


def _is_floor(row: RegretBound) -> bool:
    return row.direction == "lower" and row.certified


def _floor(problem: Problem, delay: int) -> dict[str, Any] | None:
    """What the floor rests on beside the problem; None where it would be too long or has none."""
    try:
        found = floor_certificate(problem, delay=delay)
    except InvalidInput:
        return None
    names = ("value", "rank", "delay", "common", "shares", "weights")
    maximum = found["maximum"]
    return {
        **{name: found[name] for name in names},
        "maximum": {"value": maximum["value"], "points": maximum["points"]},
    }


def _schedule(found: ScheduleBound) -> dict[str, Any]:
    """The schedule, its number and the draws behind it."""
    chosen = found.schedule
    return {
        "value": found.value,
        "rounds": list(chosen.rounds),
        "points": list(chosen.points),
        "draws": found.draws,
        "seed": found.seed,
        "delta": found.delta,
    }


def _claims(report: BoundReport, curve: GainCurve, confidence: Confidence) -> list[dict[str, Any]]:
    claims = [{"id": "beta", "value": report.beta}]
    if curve.certified:
        claims.append({"id": "gamma", "value": float(curve.values[report.problem.n])})
    if report.lower_certified:
        claims.append({"id": "gain.lower", "value": report.lower})
    for name, bound in report.gains.items():
        if bound.certified and bound.valid:
            claims.append({"id": f"gain.{name}", "value": bound.value})
            claims.append({"id": f"regret.{name}", "value": report.regret[name]})
    box, moving = confidence.box, confidence.point_times
    if box is not None:
        found = {"a": box.a, "b": box.b, "beta": box.beta, "regret": box.trivial_regret}
        claims += [{"id": f"box.{name}", "value": value} for name, value in found.items()]
    if moving is not None:
        claims.append({"id": "point_times.beta", "value": moving.beta})
        claims.append({"id": "point_times.regret", "value": moving.trivial_regret})
    return claims


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


def _line(curve: GainCurve, source: int) -> dict[str, Any]:
    certificate = curve.certificates[source - 1]
    return {
        "points": certificate.points.tolist(),
        "factors": [factor.tolist() for factor in certificate.factors],
        "alpha": certificate.alpha,
    }


def _position(curve: GainCurve, m: int, sources: list[int]) -> int | None:
    """Which of the lines written bounds γ_m; None for the cap."""
    source = int(curve.sources[m])
    return sources.index(source) if source else None


def _indices(design: JointGain) -> list[int]:
    assert design.indices is not None
    return [int(i) for i in design.indices]
