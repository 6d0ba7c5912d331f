"""False certificates of bounds and of runs, layer by layer: none is accepted.

Each plant makes a number better than the evidence allows, mostly together with the evidence that
the number would need; the digests are right. What the plants claim is named, and must be refused.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from math import nextafter
from pathlib import Path
from typing import Any

import pytest

from bounds.domain import Grid
from bounds.errors import InvalidInput
from bounds.kernels import SquaredExponential
from proofs_check.recheck.bounds.bound import recheck_bound
from proofs_check.recheck.bounds.schedule import recheck_schedule
from proofs_check.recheck.log import rank_again, recheck_log
from proofs_check.recheck.reading import digest
from tests.proofs_check.recheck.test_log import log_certificate, observed, rank_certificate
from tests.proofs_check.recheck.test_refusals import (
    LAST,
    all_of_gamma,
    as_stated,
    at,
    leaves_out,
    times,
    value_of,
)
from tests.proofs_check.test_recheck_bound import certificate_of, floor_again

pytestmark = pytest.mark.xdist_group("plants")  # its fixtures take seconds

Body = dict[str, Any]


@pytest.fixture(scope="module")
def honest() -> dict[str, Body]:
    run = observed()
    return {
        "bound": certificate_of(),
        "delayed": certificate_of(delay=3),
        "smooth": certificate_of(time_kernel=SquaredExponential(5.0)),
        "close": certificate_of(
            kernel=SquaredExponential(0.8), grid=Grid(1, 1.0, 4), noise_variance=0.3
        ),
        "log": json.loads(json.dumps(log_certificate(run, rank_certificate(run, paths=9), "1"))),
    }


def claimed(body: Body, name: str, factor: float) -> None:
    """The claim of that name, which the file has, times a factor."""
    (claim,) = (claim for claim in body["claims"] if claim["id"] == name)
    claim["value"] *= factor


def doubled(tables: Any) -> Any:
    """Each column twice and huge: no enclosure of the determinant leaves 0 out."""
    return [[times(1e100)(row * 2) for row in table] for table in tables]


def more(*items: Any) -> Callable[[list[Any]], list[Any]]:
    return lambda there: [*there, *items]


def but(name: str) -> Callable[[Body], Body]:
    """An object without a key."""
    return lambda there: {key: value for key, value in there.items() if key != name}


def turned(there: list[Any]) -> list[Any]:
    return there[::-1]


SE, ROUGH = {"type": "SquaredExponential"}, {"type": "Matern", "nu": 0.5, "lengthscale": 0.4}
OF_ORDER = {"type": "SquaredExponential", "lengthscale": 9.0, "nu": 0.5}
STRETCHED = {"type": "Grid", "dimension": 2, "side": [1.0, 1.0], "points_per_axis": [5, 50]}
LINE = {"type": "Grid", "dimension": 1, "side": 1.0, "points_per_axis": 5}
ALONE = {"type": "Points", "rows": [[0.5, 0.5]]}
ZIGZAG = [(-1) ** i for i in range(12)]

PLANTS: list[tuple[str, str, dict[str, Any]]] = [
    # A place of the file ↦ a value, or a function of the one that stands there. "=" is the factor
    # of the claim named, "times" what the times are, with the digest of their instants.
    # Claims.
    *(
        ("bound", name, {"=": 1.0 - 1e-9})
        for name in [
            "beta",
            "gamma",
            "gain.trivial",
            "gain.theorem1",
            "gain.additive",
            "gain.refined",
            "gain.any_pattern",
            "gain.knots",
            "gain.joint_dual",
            "regret.trivial",
            "regret.refined",
            "regret.joint_dual",
            "box.a",
            "box.b",
            "box.beta",
            "box.regret",
            "point_times.beta",
            "point_times.regret",
            "row.envelope",
            "maximum",
        ]
    ),
    ("bound", "gain.refined", {"=": -1.0}),
    ("bound", "floor", {"=": 1e300}),
    *(("bound", "row.schedule", {"=": factor}) for factor in (0.97, 0.9)),
    *(("bound", "gain.lower", {"=": factor}) for factor in (1 + 1e-7, 1 + 1e-6)),
    *(("bound", "*", {"claims.0.value": v}) for v in (10**400, True, "1e9", None, [1.0])),
    *(
        ("bound", name, {"claims.0": {"id": name, "value": 1e9}})
        for name in ("", "Beta", "beta ", "gain.rеfined", "regret.any", "regret.gain.refined")
    ),
    *(
        ("bound", name, {"claims": more({"id": name, "value": value})})
        for name, value in (("gain.none", 1.0), ("regret.lower", 1e9), ("gain.lower", 1e-9))
    ),
    ("bound", "*", {"claims.0": but("value")}),
    ("bound", "regret.refined", {"claims.0": {"id": "beta ", "value": 30.0}}),
    ("bound", "regret.trivial", {"claims": turned}),  # from a beta that comes later
    # Times.
    ("bound", "point_times.beta", {"times": lambda t: [each + 50.0 for each in t]}),
    ("bound", "gain.refined", {"times": sorted, "=": 0.5}),
    ("bound", "gain.trivial", {"times": LAST, "=": 0.8}),
    ("bound", "gain.additive", {"problem.given": "times", "times": sorted, "=": 0.5}),
    ("bound", "gain.additive", {"problem.times.3": -4.0}),
    ("bound", "gain.any_pattern", {"problem.times": [100.0] * 8}),
    ("bound", "gain.any_pattern", {"problem.given": "times"}),
    ("bound", "gain.refined", {"problem.given": "guesses"}),
    *(("bound", "gain.trivial", {"problem.times": times}) for times in ([], [1e308] * 8)),
    *(("bound", "point_times.beta", {"longest": value}) for value in (1.0, 3.5, 0, -7.0, None)),
    ("bound", "point_times.regret", {"longest": None}),
    *(("bound", "beta", {"instants": text}) for text in ("", "0X" + "ab" * 31, "ab" * 32)),
    *(("bound", "*", {"problem.times.0": value}) for value in (True, "0.3", [0.3], None)),
    *(("bound", "beta", {"problem.given": text}) for text in ("Durations", "time", "")),
    # Problem.
    ("delayed", "floor", {"problem.delay": 0}),  # the genuine floor of a delay, at once
    ("delayed", "floor", {"problem.delay": 1}),
    ("delayed", "regret.trivial", {"claims": more({"id": "regret.trivial", "value": 1e9})}),
    ("bound", "*", {"floor.delay": 5}),
    ("bound", "*", {"problem": but("delay")}),
    *(("bound", "*", {"problem.delay": value}) for value in (0.5, True, None, "0")),
    *(("bound", "*", {"problem.domain": domain}) for domain in (ALONE, STRETCHED, "Grid")),
    ("bound", "beta", {"problem": lambda p: {**but("side")(but("grid")(p)), "domain": LINE}}),
    *(("bound", "beta", {"problem.noise_variance": value}) for value in (0, -0.1)),
    *(("bound", "gain.trivial", {"problem.noise_variance": value}) for value in (0.05, -2.0)),
    ("bound", "gain.lower", {"problem.noise_variance": 0.2}),
    ("bound", "beta", {"problem.epsilon": 1}),
    ("bound", "gain.refined", {"problem.epsilon": 1.0}),
    ("bound", "gain.theorem1", {"problem.epsilon": 0.001}),  # below the slope
    *(("bound", "beta", {"problem.delta": value}) for value in (0, 1, 5, -0.1, 0.05, 0.09)),
    *(("bound", name, {"problem.delta": 0.05}) for name in ("box.beta", "point_times.beta")),
    *(("bound", "beta", {"problem.side": value}) for value in (0, -1.0)),
    ("bound", "box.a", {"problem.side": 2.0}),
    *(("bound", "beta", {"problem.grid": count}) for count in (6, 10**9)),
    ("bound", "gain.lower", {"problem.grid": 2}),
    *(("bound", "*", {"problem.grid": value}) for value in (5.0, True, "5")),
    ("bound", "beta", {"problem.dimension": 3}),
    ("bound", "beta", {"problem.grid": 1, "problem.dimension": 10**6}),
    ("bound", "*", {"problem.dimension": 2.0}),
    ("bound", "row.schedule", {"problem.delay": 1}),
    # Kernels.
    *(("bound", "*", {"problem.space_kernel": v}) for v in (None, "SE", SE, {})),
    *(("bound", n, {"problem.space_kernel": ROUGH}) for n in ("gamma", "box.a", "maximum")),
    ("bound", "maximum", {"problem.space_kernel": {"type": "Independent"}}),
    *(
        ("bound", "gain.lower", {"problem.space_kernel": {**ROUGH, "nu": nu}})
        for nu in (0.0, -0.5, "5/2")
    ),
    ("bound", "gain.lower", {"problem.space_kernel": {"type": "Forgetting", "epsilon": -0.5}}),
    ("bound", "gain.lower", {"problem.space_kernel.lengthscale": 0.6}),
    ("bound", "gain.joint_dual", {"problem.space_kernel.lengthscale": -0.4}),
    ("bound", "box.a", {"problem.space_kernel.lengthscale": 1e-300}),
    ("bound", "*", {"problem.time_kernel": OF_ORDER}),  # a Markov recursion for a smooth kernel
    ("bound", "*", {"problem.time_kernel.lengthscale": 1e9}),
    ("bound", "gain.trivial", {"problem.time_kernel": {"type": "None"}}),
    # Evidence of gains.
    *(("bound", "gamma", {"lines.0.alpha": value}) for value in (0, 0.5, 1e300, -2.0)),
    ("bound", "gamma", {"lines.0.factors": times(3.0), "=": 0.9}),
    (
        "bound",
        "gamma",
        {"lines.0.factors": doubled, "gamma": all_of_gamma(value=1e6, line=0), "=": 1e9},
    ),
    ("bound", "gamma", {"gamma": all_of_gamma(value=1e-3, line=-1), "=": 1e-3}),
    ("bound", "gamma", {"gamma": lambda there: [*there, {**there[0], "m": 8}], "=": 0.5}),
    ("bound", "gamma", {"gamma.0.value": times(0.999)}),
    ("bound", "gain.refined", {"gamma": lambda g: [{**e, "value": 0.999 * e["value"]} for e in g]}),
    ("bound", "gain.refined", {"gamma": all_of_gamma(m=-5), "=": 0.5}),
    *(("bound", "gamma", {"gamma.0.line": 99, "gamma.0.m": m}) for m in (0, 8)),
    ("bound", "gamma", {"gamma": []}),
    ("bound", "gamma", {"gamma": [{"m": 8, "value": 1.0, "line": None}]}),
    *(("bound", "gamma", {"lines.0.points": [place] * 25}) for place in (0, 99, -1)),
    *(
        ("bound", f"gain.{name}", {f"partitions.{name}.cuts": cuts})
        for name in ("theorem1", "additive", "refined")
        for cuts in ([0, 5, 3, 8], [0, 3], [0, 4], [1, 8], [0, 3, 3, 8], [], [8], [0, 9])
    ),
    *(
        ("bound", "gain.refined", {"partitions.refined.centers.0": center})
        for center in ([0.5, 0.0], [99, 0.0], [-1, 0.0])
    ),
    (
        "bound",
        "gain.refined",
        {"partitions.refined.centers": lambda there: [[k, after + 100.0] for k, after in there]},
    ),
    ("bound", "gain.refined", {"partitions.refined.centers": turned, "=": 0.9}),
    ("bound", "gain.knots", {"knots": None}),
    ("bound", "gain.knots", {"knots.rounds": [], "=": 0.5}),
    ("bound", "gain.knots", {"knots.rounds": LAST, "=": 0.9}),
    ("bound", "gain.knots", {"knots.rounds": lambda there: [8 for _ in there]}),
    ("bound", "gain.knots", {"knots.rounds.0": -1}),
    ("bound", "gain.knots", {"knots.weights": times(1e200), "=": 0.5}),
    ("bound", "gain.knots", {"knots.weights": lambda rows: [row[:-1] for row in rows]}),
    ("bound", "gain.knots", {"knots.weights": lambda rows: [*rows, rows[0]]}),
    ("bound", "gain.knots", {"knots.weights": LAST}),
    *(("bound", "gain.joint_dual", {"dual": dual}) for dual in (None, [])),
    ("bound", "gain.joint_dual", {"dual": [], "=": 1e9}),
    ("bound", "gain.joint_dual", {"dual": lambda there: [{**there[0], "end": 0}, *there]}),
    ("bound", "gain.joint_dual", {"dual.0.start": 1}),
    *(("bound", "gain.joint_dual", {"dual.0.end": end}) for end in (5, 9)),
    ("bound", "gain.joint_dual", {"dual.0.alpha": 0.5}),
    ("bound", "gain.joint_dual", {"dual.0.alpha": 1e6, "=": 0.99}),
    ("bound", "*", {"dual.0.gains.0": [["inf"]]}),
    ("bound", "gain.joint_dual", {"dual.0.gains": LAST}),
    (
        "bound",
        "gain.joint_dual",
        {"dual.0.gains.0": lambda rows: [[-abs(g) - 1.0 for g in row] for row in rows]},
    ),
    (
        "bound",
        "gain.joint_dual",
        {
            "dual.0.space_modes": doubled,
            "dual.0.gains": lambda tables: [[row * 2 for row in table] for table in tables],
            "=": 1e300,
        },
    ),
    *(
        ("bound", "row.envelope", {"inflated.noise_variance": v})
        for v in (0.0, 1e9, 0.05, 0.0999, 0.2, 0.36)
    ),
    ("bound", "row.envelope", {"inflated": None}),
    *(("bound", "gain.lower", {"design": v}) for v in (None, [25] * 8, [0] * 8, [])),
    *(("bound", "gain.lower", {"design": change}) for change in (LAST, more(0))),
    *(("bound", "gain.lower", {"design.0": point}) for point in (10**6, -1)),
    # Box, maximum, floor.
    *(("bound", "box.a", {"box.cells_per_axis": value}) for value in (1, 0, -1)),
    *(("bound", name, {"box.inflation": 1.0}) for name in ("box.a", "box.beta")),
    ("bound", "box.a", {"box.inflation": 0.0}),
    *(("bound", name, {"box": None}) for name in ("box.a", "box.regret")),
    ("bound", "maximum", {"maximum": None}),
    ("bound", "maximum", {"maximum.parts": []}),
    ("bound", "maximum", {"maximum.parts.1.axis": 0}),
    *(("bound", "maximum", {"maximum.parts.0.pairs.2": p}) for p in ([2, 2], [0, 1, 2], [0, 9])),
    ("bound", "floor", {"floor": None}),
    *(("bound", "*", {"floor": floor}) for floor in ("x", [["x"]])),
    *(("bound", "floor", {"floor.shares.0": value}) for value in (1.5, -0.1)),
    # Full variance in every round, as if nothing were ever learnt.
    ("bound", "floor", {"floor.shares": [1.0] * 8, "=": 2.0}),
    *(("bound", "floor", {"floor.maximum.points": p}) for p in ([0, 99], [0] * 9, [0])),
    ("bound", "floor", {"floor.weights": [[1.0] * i for i in range(8)]}),
    ("bound", "floor", {"floor.common": 1.0}),
    ("bound", "floor", {"floor.common": 0.99, "=": 1.5}),  # told, and none
    ("bound", "*", {"floor.rank": 1}),
    ("bound", "floor", {"problem.noise_variance": 0.01}),
    ("bound", "floor", {"problem.time_kernel.epsilon": 0.0005}),
    ("bound", "floor", {"problem.space_kernel.lengthscale": 4.0}),
    ("close", "floor", {"=": 1 + 1e-6}),  # as if its looks told half a sign beside a common part
    ("smooth", "floor", {"floor.weights": [[], [0.5]]}),
    ("smooth", "floor", {"floor.weights": times(1e200)}),
    ("smooth", "floor", {"floor.weights": turned}),  # of another round
    # Schedules.
    *(("bound", "row.schedule", {"schedule.delta": v}) for v in (1.0, 0, -0.5, 1e-9, 1e-99)),
    *(("bound", "row.schedule", {"schedule.rounds": r}) for r in ([0, 0], [0, 8], [6, 7], [0])),
    ("bound", "row.schedule", {"schedule.rounds": [], "schedule.points": [], "=": 0.8}),
    ("bound", "row.schedule", {"schedule.points": [6, 25]}),
    ("bound", "row.schedule", {"schedule": None}),
    ("bound", "row.schedule", {"problem.time_kernel.epsilon": 0.3}),
    ("bound", "row.schedule", {"problem.noise_variance": 1.0}),
    ("bound", "*", {"schedule.draws": [0.0] * 400}),
    ("bound", "*", {"schedule.seed": 7}),
    # Runs.
    *(("log", "rank", {"claims.0.value": value}) for value in (0, -1.0)),
    ("log", "rank", {"=": 0.9}),
    *(("log", name, {"claims.0.id": name}) for name in ("Rank", "simple")),
    ("log", "simple", {"claims": more({"id": "simple", "value": 1.0})}),
    ("log", "*", {"draws": [0.0] * 99, "rank": 90, "seed": 3}),
    *(
        ("log", "rank", {"observations": times(size)(ZIGZAG), "=": 1e-3})
        for size in (1e308, 1e300, 1e17)
    ),
    (
        "log",
        "rank",
        {"observations": lambda y: [a + 3.0 * b for a, b in zip(y, ZIGZAG, strict=True)]},
    ),
    ("log", "rank", {"observations": LAST}),
    ("log", "*", {"observations.0": True}),
    *(("log", "rank", {"points": [p] * 12, "=": 1e-3}) for p in ([1e308, -1e308], [0.5], [])),
    ("log", "rank", {"points": LAST}),
    ("log", "*", {"points.0": ["0.5", "0.5"]}),
    ("log", "rank", {"points": lambda p: p * 2, "observations": lambda y: y * 2}),
    ("log", "*", {"problem.delay": 3}),
    ("log", "rank", {"problem.times": [1e307] * 12, "=": 1e-3}),
    ("log", "rank", {"problem.times": []}),
    ("log", "rank", {"problem.given": "times"}),
    ("log", "rank", {"problem.grid": 900}),
    *(("log", "rank", {"problem.noise_variance": value}) for value in (5.0, 20.0)),
    ("log", "rank", {"problem.noise_variance": 1e-300, "=": 1e-3}),
    *(("log", "rank", {"problem.delta": value}) for value in (0.05, 0.01, 1e-6)),
    ("log", "rank", {"problem.delta": 0.999999, "=": 0.3}),
    *(
        ("log", "rank", {"problem.space_kernel": {**ROUGH, "nu": nu}, "=": 1e-3})
        for nu in (1e-300, 1e-3, 1e308)
    ),
    ("log", "rank", {"problem.space_kernel.lengthscale": 1e-320, "=": 1e-3}),
]


@pytest.mark.parametrize(("kind", "target", "edits"), PLANTS)
def test_no_plant_is_accepted(kind: str, target: str, edits: Body, honest, tmp_path: Path) -> None:
    body = copy.deepcopy(honest[kind])
    for place, value in edits.items():
        if place == "=":
            claimed(body, target, value)
        elif place == "times":
            at(body, "problem.times", value)
            as_stated(body)
        else:
            at(body, place, value)
    refused(kind, body, target, tmp_path)


def refused(kind: str, body: Body, target: str, folder: Path) -> None:
    """The file is refused in a line, or what it claims under that name."""
    needed = {target, f"gain.{target.removeprefix('regret.')}", "beta", "beta "}
    if target != "*":  # the other claims would only take their time
        body["claims"] = [claim for claim in body["claims"] if claim["id"] in needed]
    path = folder / "plant.json"
    path.write_text(json.dumps({**body, "digest": digest(body)}), encoding="utf-8")
    try:
        results = (recheck_log if kind == "log" else recheck_bound)(path)
    except InvalidInput as fault:
        assert "\n" not in str(fault)
        return
    assert target != "*", [result.reason for result in results]
    found = [result for result in results if result.id == target]
    assert found and not any(result.accepted for result in found), found
    assert all(result.reason and "\n" not in result.reason for result in found)


def more_than_claimed(body: Body) -> float:
    """The checker's own floor as a multiple of the one that is claimed."""
    return floor_again(body) / value_of(body, "floor")


def by_two_units(body: Body) -> None:
    """β by two units in the last place."""
    beta = nextafter(nextafter(value_of(body, "beta"), 0.0), 0.0)
    body["claims"] = [{"id": "beta", "value": beta}]


def above_the_ceiling(body: Body) -> None:
    """A ceiling below the floor, each with what a checker that errs would let pass."""
    floor, schedule = value_of(body, "floor"), {"id": "row.schedule"}
    body["claims"] = [{"id": "floor", "value": floor}, {**schedule, "value": 0.9 * floor}]


@pytest.mark.parametrize(
    ("kind", "target", "plant"),
    [
        ("bound", "row.schedule", above_the_ceiling),
        ("bound", "gain.joint_dual", leaves_out),
        ("bound", "floor", lambda b: claimed(b, "floor", (1 + 1e-6) * more_than_claimed(b))),
        ("bound", "beta", by_two_units),
        ("log", "rank", lambda b: at(b, "claims.0.value", 0.999 * rank_again(b)[0])),
    ],
    ids=["above its ceiling", "rounds left out", "floor", "beta by its last digit", "run"],
)
def test_no_plant_that_is_measured_is_accepted(kind, target, plant, honest, tmp_path) -> None:
    body = copy.deepcopy(honest[kind])
    plant(body)
    refused(kind, body, target, tmp_path)


@pytest.mark.parametrize("spoilt", ['"epsilon": 0.05, "epsilon"', '"epsilon": NaN, "e"', "{"])
def test_no_text_that_is_read_in_two_ways_is_accepted(spoilt, honest, tmp_path) -> None:
    path = tmp_path / "plant.json"
    text = json.dumps({**honest["bound"], "digest": digest(honest["bound"])})
    path.write_text(text.replace('"epsilon"', spoilt, 1), encoding="utf-8")
    with pytest.raises(InvalidInput):
        recheck_bound(path)


def spelt_otherwise(problem: Body) -> None:
    """The same problem, and another level: nothing that its draws depend on."""
    problem["times"] = [int(t) if t.is_integer() else t for t in problem["times"]]
    problem["side"] = 1
    problem["delta"] += 1e-12
    problem["epsilon"] += 1e-12


def test_no_spelling_chooses_the_draws(honest: dict[str, Body]) -> None:
    """Else whoever writes the file tries one after the other until the draws are kind."""
    run = copy.deepcopy(honest["log"])
    spelt_otherwise(run["problem"])
    run["points"][0] = [-0.0, 0]
    assert rank_again(run) == rank_again(honest["log"])
    body = copy.deepcopy(honest["bound"])
    spelt_otherwise(body["problem"])
    body["schedule"]["delta"] *= 1.0 + 1e-12
    again, known = (recheck_schedule(b["schedule"], b["problem"]) for b in (body, honest["bound"]))
    assert again == pytest.approx(known, rel=1e-9)


def test_the_honest_files_are_accepted(honest: dict[str, Body], tmp_path: Path) -> None:
    path = tmp_path / "honest.json"
    for kind, body in honest.items():
        path.write_text(json.dumps({**body, "digest": digest(body)}), encoding="utf-8")
        results = (recheck_log if kind == "log" else recheck_bound)(path)
        assert [r.id for r in results if not r.accepted] == [], kind
