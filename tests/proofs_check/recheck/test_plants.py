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

from bounds.errors import InvalidInput
from bounds.kernels import SquaredExponential
from proofs_check.recheck.bounds.bound import recheck_bound
from proofs_check.recheck.bounds.schedule import recheck_schedule
from proofs_check.recheck.log import rank_again, recheck_log
from proofs_check.recheck.reading import digest
from tests.proofs_check.recheck.test_log import log_certificate, observed, rank_certificate
from tests.proofs_check.recheck.test_refusals import as_stated, at, leaves_out, value_of
from tests.proofs_check.test_recheck_bound import certificate_of, larger_floor

pytestmark = pytest.mark.xdist_group("plants")  # its fixtures take seconds

Body = dict[str, Any]


@pytest.fixture(scope="module")
def honest() -> dict[str, Body]:
    run = observed()
    return {
        "bound": certificate_of(),
        "delayed": certificate_of(delay=3),
        "smooth": certificate_of(time_kernel=SquaredExponential(5.0)),
        "log": json.loads(json.dumps(log_certificate(run, rank_certificate(run, paths=9), "1"))),
    }


def claimed(body: Body, name: str, factor: float) -> None:
    """A claim of the file as it stands, times a factor; it is put there where it is not."""
    for claim in body["claims"]:
        if claim["id"] == name:
            claim["value"] *= factor
            return
    raise KeyError(name)


def scaled(value: Any, factor: float) -> Any:
    return [scaled(v, factor) for v in value] if isinstance(value, list) else value * factor


def doubled(tables: Any) -> Any:
    """Each column twice and huge: no enclosure of the determinant leaves 0 out."""
    return [[scaled(row * 2, 1e100) for row in table] for table in tables]


def every_round(body: Body, **changes: Any) -> None:
    for entry in body["gamma"]:
        entry.update(changes)


def later_times(body: Body) -> None:
    body["problem"]["times"] = [t + 50.0 for t in body["problem"]["times"]]
    as_stated(body)


def other_order(body: Body) -> None:
    body["problem"]["times"] = sorted(body["problem"]["times"])
    as_stated(body)


def floor_of_other_delay(body: Body) -> None:
    """The genuine evidence of results three rounds late, for results at once."""
    body["problem"]["delay"] = 0


def regret_beside_delay(body: Body) -> None:
    body["claims"].append({"id": "regret.trivial", "value": 1e9})


def above_the_ceiling(body: Body) -> None:
    """A ceiling below the floor, each with what a checker that errs would let pass."""
    body["claims"] = [
        {"id": "floor", "value": value_of(body, "floor")},
        {"id": "row.schedule", "value": 0.9 * value_of(body, "floor")},
    ]


def stray_order(body: Body) -> None:
    body["problem"]["time_kernel"] = {"type": "SquaredExponential", "lengthscale": 9.0, "nu": 0.5}


def nothing_known(body: Body) -> None:
    """Full variance in every round, as if nothing were ever learnt."""
    body["floor"]["shares"] = [1.0] * len(body["floor"]["shares"])
    claimed(body, "floor", 2.0)


def higher(name: str, factor: float = 1.001) -> Callable[[Body], None]:
    return lambda body: claimed(body, name, factor)


PLANTS: dict[str, tuple[str, str, Callable[[Body], Any]]] = {
    # Times.
    "instants shifted in secret": ("bound", "point_times.beta", later_times),
    "times in another order": (
        "bound",
        "gain.refined",
        lambda b: (other_order(b), claimed(b, "gain.refined", 0.5)),
    ),
    "a digest of other instants": ("bound", "beta", lambda b: at(b, "instants", "ab" * 32)),
    "one duration dropped": (
        "bound",
        "gain.trivial",
        lambda b: (b["problem"]["times"].pop(), as_stated(b), claimed(b, "gain.trivial", 0.8)),
    ),
    "instants said to be durations": (
        "bound",
        "gain.additive",
        lambda b: (
            b["problem"].update(given="times", times=sorted(b["problem"]["times"])),
            as_stated(b),
            claimed(b, "gain.additive", 0.5),
        ),
    ),
    # Problem.
    "the genuine floor of a delay, at once": ("delayed", "floor", floor_of_other_delay),
    "a ceiling beside a delay": ("delayed", "regret.trivial", regret_beside_delay),
    "a delay in the evidence": ("bound", "*", lambda b: b["floor"].update(delay=5)),
    "a delay that is no whole number": ("bound", "*", lambda b: b["problem"].update(delay=0.5)),
    "a delay left out": ("bound", "*", lambda b: b["problem"].pop("delay")),
    "a smaller domain in words only": (
        "bound",
        "*",
        lambda b: b["problem"].update(domain={"type": "Points", "rows": [[0.5, 0.5]]}),
    ),
    "fewer points": ("bound", "gain.lower", lambda b: b["problem"].update(grid=2)),
    "a domain of another dimension": (
        "bound",
        "beta",
        lambda b: (
            b["problem"].pop("side"),
            b["problem"].pop("grid"),
            b["problem"].update(
                domain={"type": "Grid", "dimension": 1, "side": 1.0, "points_per_axis": 5}
            ),
        ),
    ),
    "delta of two digits": ("bound", "beta", lambda b: b["problem"].update(delta=0.09)),
    # Kernels.
    "a Markov recursion for a smooth kernel": ("bound", "*", stray_order),
    "a kernel of the space that decays by a negative rate": (
        "bound",
        "gain.lower",
        lambda b: b["problem"].update(space_kernel={"type": "Forgetting", "epsilon": -0.5}),
    ),
    "a lengthscale beside a forgetting rate": (
        "bound",
        "*",
        lambda b: b["problem"]["time_kernel"].update(lengthscale=1e9),
    ),
    "a smoother kernel under the same lines": (
        "bound",
        "gain.lower",
        lambda b: b["problem"]["space_kernel"].update(lengthscale=0.6),
    ),
    "an order given as a text": (
        "bound",
        "gain.lower",
        lambda b: b["problem"].update(
            space_kernel={"type": "Matern", "nu": "5/2", "lengthscale": 0.4}
        ),
    ),
    # Gain lines.
    "a gain of fewer rounds for more": (
        "bound",
        "gamma",
        lambda b: (b["gamma"].append({**b["gamma"][0], "m": 8}), claimed(b, "gamma", 0.5)),
    ),
    "a line of undecided height": (
        "bound",
        "gamma",
        lambda b: (
            at(b, "lines.0.factors", doubled(b["lines"][0]["factors"])),
            every_round(b, value=1e6, line=0),
            claimed(b, "gamma", 1e9),
        ),
    ),
    "a line from the end of the list": (
        "bound",
        "gamma",
        lambda b: (every_round(b, value=1e-3, line=-1), claimed(b, "gamma", 1e-3)),
    ),
    "negative rounds": (
        "bound",
        "gain.refined",
        lambda b: (every_round(b, m=-5), claimed(b, "gain.refined", 0.5)),
    ),
    "scaled factors": (
        "bound",
        "gamma",
        lambda b: (
            at(b, "lines.0.factors", scaled(b["lines"][0]["factors"], 3.0)),
            claimed(b, "gamma", 0.9),
        ),
    ),
    # Joint dual.
    "a dual of the first rounds": (
        "bound",
        "gain.joint_dual",
        lambda b: (leaves_out(b), b.update(claims=[{"id": "gain.joint_dual", "value": 9.23}])),
    ),
    "no block at all": (
        "bound",
        "gain.joint_dual",
        lambda b: b.update(dual=[], claims=[{"id": "gain.joint_dual", "value": 1e9}]),
    ),
    "gains that are no numbers": ("bound", "*", lambda b: at(b, "dual.0.gains.0", [["inf"]])),
    "modes of undecided size": (
        "bound",
        "gain.joint_dual",
        lambda b: (
            at(b, "dual.0.space_modes", doubled(b["dual"][0]["space_modes"])),
            at(b, "dual.0.gains", [[row * 2 for row in t] for t in b["dual"][0]["gains"]]),
            claimed(b, "gain.joint_dual", 1e300),
        ),
    ),
    # Knots and centres.
    "weights of undecided size": (
        "bound",
        "gain.knots",
        lambda b: (
            at(b, "knots.weights", scaled(b["knots"]["weights"], 1e200)),
            claimed(b, "gain.knots", 0.5),
        ),
    ),
    "weights for fewer knots": (
        "bound",
        "gain.knots",
        lambda b: at(b, "knots.weights", [row[:-1] for row in b["knots"]["weights"]]),
    ),
    "a knot left out": (
        "bound",
        "gain.knots",
        lambda b: (b["knots"]["rounds"].pop(), claimed(b, "gain.knots", 0.9)),
    ),
    "centres of another partition": (
        "bound",
        "gain.refined",
        lambda b: (
            b["partitions"]["refined"]["centers"].reverse(),
            claimed(b, "gain.refined", 0.9),
        ),
    ),
    # Envelope, beta, lower side.
    "an envelope of more noise than it says": (
        "bound",
        "row.envelope",
        lambda b: at(b, "inflated.noise_variance", 0.2),
    ),
    "an envelope at a ten-thousandth less noise": (
        "bound",
        "row.envelope",
        lambda b: at(b, "inflated.noise_variance", 0.0999),
    ),
    "beta by one unit in the last place": (
        "bound",
        "beta",
        lambda b: (
            at(b, "claims", [{"id": "beta", "value": nextafter(value_of(b, "beta"), 0.0)}]),
            at(b, "claims.0.value", nextafter(b["claims"][0]["value"], 0.0)),
        ),
    ),
    "a tail of undecided size": (
        "bound",
        "box.a",
        lambda b: b["problem"]["space_kernel"].update(lengthscale=1e-300),
    ),
    "a regret from a beta that comes later": (
        "bound",
        "regret.trivial",
        lambda b: b["claims"].reverse(),
    ),
    "the upper side as the lower": (
        "bound",
        "gain.lower",
        lambda b: b["claims"].append({"id": "gain.lower", "value": 1e-9}),
    ),
    "a lower side above": ("bound", "gain.lower", higher("gain.lower", 1.0000001)),
    # Floors.
    "a floor of forgotten data": ("bound", "floor", nothing_known),
    "m* of points that coincide": (
        "bound",
        "floor",
        lambda b: at(b, "floor.maximum.points", [0] * 9),
    ),
    "m* of one point": ("bound", "floor", lambda b: at(b, "floor.maximum.points", [0])),
    "weights of undecided size in a floor": (
        "smooth",
        "floor",
        lambda b: at(b, "floor.weights", scaled(b["floor"]["weights"], 1e200)),
    ),
    "weights of another round": (
        "smooth",
        "floor",
        lambda b: (b["floor"]["weights"].reverse(), None),
    ),
    "a common part that is told and is none": (
        "bound",
        "floor",
        lambda b: (at(b, "floor.common", 0.99), claimed(b, "floor", 1.5)),
    ),
    "a floor by a millionth": ("bound", "floor", larger_floor),
    # Ceilings and schedules.
    "a ceiling below the floor": ("bound", "row.schedule", above_the_ceiling),
    "draws of its own": ("bound", "*", lambda b: b["schedule"].update(draws=[0.0] * 400)),
    "a seed of its own": ("bound", "*", lambda b: b["schedule"].update(seed=7)),
    "four standard errors off": ("bound", "row.schedule", higher("row.schedule", 0.97)),
    "fewer scheduled rounds": (
        "bound",
        "row.schedule",
        lambda b: (b["schedule"].update(rounds=[], points=[]), claimed(b, "row.schedule", 0.8)),
    ),
    # Runs.
    "a run ten per cent lower": ("log", "rank", higher("rank", 0.9)),
    "a run a thousandth lower": (
        "log",
        "rank",
        lambda b: at(b, "claims.0.value", 0.999 * rank_again(b)[0]),
    ),
    "a run with kind draws": ("log", "*", lambda b: b.update(draws=[0.0] * 99, rank=90, seed=3)),
    "a run at another level": ("log", "rank", lambda b: b["problem"].update(delta=0.05)),
    "a run on points given as texts": ("log", "*", lambda b: at(b, "points.0", ["0.5", "0.5"])),
    "a run whose data are repeated": (
        "log",
        "rank",
        lambda b: (b["points"].extend(b["points"]), b["observations"].extend(b["observations"])),
    ),
    "a run that is two claims": (
        "log",
        "simple",
        lambda b: b["claims"].append({"id": "simple", "value": 1.0}),
    ),
}


def test_there_are_plants_of_every_layer() -> None:
    assert len(PLANTS) + len(EDITS) >= 200


@pytest.mark.parametrize("name", PLANTS)
def test_no_plant_is_accepted(name: str, honest: dict[str, Body], tmp_path: Path) -> None:
    kind, target, plant = PLANTS[name]
    body = copy.deepcopy(honest[kind])
    plant(body)
    refused(kind, body, target, tmp_path)


def refused(kind: str, body: Body, target: str, folder: Path) -> None:
    """The file is refused in a line, or what it claims under that name."""
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


SE, ROUGH = {"type": "SquaredExponential"}, {"type": "Matern", "nu": 0.5, "lengthscale": 0.4}
STRETCHED = {"type": "Grid", "dimension": 2, "side": [1.0, 1.0], "points_per_axis": [5, 50]}

EDITS: list[tuple[str, str, dict[str, Any]]] = [
    # Claims: "=" is the factor of the claim named, others are places of the file.
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
    *(("bound", "*", {"claims.0.value": v}) for v in (10**400, True, "1e9", None, [1.0])),
    *(
        ("bound", name, {"claims.0": {"id": name, "value": 1e9}})
        for name in ("", "Beta", "beta ", "gain.rеfined", "regret.any", "regret.gain.refined")
    ),
    ("bound", "regret.refined", {"claims.0": {"id": "beta ", "value": 30.0}}),
    # Times.
    *(("bound", "point_times.beta", {"longest": value}) for value in (1.0, 0, -7.0, None)),
    *(("bound", "beta", {"instants": text}) for text in ("", "0X" + "ab" * 31)),
    *(("bound", "*", {"problem.times.0": value}) for value in (True, "0.3", [0.3], None)),
    *(("bound", "beta", {"problem.given": text}) for text in ("Durations", "time", "")),
    # Problem.
    *(("bound", "beta", {"problem.noise_variance": value}) for value in (0, -0.1)),
    ("bound", "gain.trivial", {"problem.noise_variance": 0.05}),
    ("bound", "gain.lower", {"problem.noise_variance": 0.2}),
    ("bound", "beta", {"problem.epsilon": 1}),
    *(("bound", "beta", {"problem.delta": value}) for value in (0, 1, -0.1, 0.05)),
    *(("bound", name, {"problem.delta": 0.05}) for name in ("box.beta", "point_times.beta")),
    *(("bound", "beta", {"problem.side": value}) for value in (0, -1.0)),
    ("bound", "box.a", {"problem.side": 2.0}),
    ("bound", "beta", {"problem.grid": 6}),
    *(("bound", "*", {"problem.grid": value}) for value in (5.0, True, "5")),
    ("bound", "beta", {"problem.dimension": 3}),
    ("bound", "*", {"problem.dimension": 2.0}),
    ("bound", "*", {"problem.domain": STRETCHED}),
    ("bound", "*", {"problem.domain": "Grid"}),
    *(("bound", "*", {"problem.delay": value}) for value in (True, None, "0")),
    ("bound", "row.schedule", {"problem.delay": 1}),
    # Kernels.
    *(("bound", "*", {"problem.space_kernel": v}) for v in (None, "SE", SE, {})),
    *(("bound", n, {"problem.space_kernel": ROUGH}) for n in ("gamma", "box.a", "maximum")),
    ("bound", "maximum", {"problem.space_kernel": {"type": "Independent"}}),
    *(("bound", "gain.lower", {"problem.space_kernel": {**ROUGH, "nu": nu}}) for nu in (0.0, -0.5)),
    # Evidence of gains.
    *(("bound", "gamma", {"lines.0.alpha": value}) for value in (0, 1e300, -2.0)),
    *(("bound", "gamma", {"gamma.0.line": 99, "gamma.0.m": m}) for m in (0, 8)),
    ("bound", "gamma", {"gamma": []}),
    ("bound", "gamma", {"gamma": [{"m": 8, "value": 1.0, "line": None}]}),
    *(("bound", "gamma", {"lines.0.points": [place] * 25}) for place in (0, 99, -1)),
    *(
        ("bound", "gain.additive", {"partitions.additive.cuts": cuts})
        for cuts in ([0, 5, 3, 8], [0, 4], [0, 4, 4, 8], [], [8], [0, 9])
    ),
    ("bound", "gain.refined", {"partitions.refined.centers.0": [0.5, 0.0]}),
    ("bound", "gain.refined", {"partitions.refined.centers.0": [99, 0.0]}),
    ("bound", "gain.knots", {"knots": None}),
    ("bound", "gain.knots", {"knots.rounds": [], "=": 0.5}),
    ("bound", "gain.joint_dual", {"dual": None}),
    ("bound", "gain.joint_dual", {"dual.0.start": 1}),
    ("bound", "gain.joint_dual", {"dual.0.end": 9}),
    ("bound", "gain.joint_dual", {"dual.0.alpha": 1e6, "=": 0.99}),
    *(("bound", "row.envelope", {"inflated.noise_variance": v}) for v in (0.0, 1e9, 0.05)),
    ("bound", "row.envelope", {"inflated": None}),
    *(("bound", "gain.lower", {"design": v}) for v in (None, [25] * 8, [0] * 8, [])),
    # Box, maximum, floor.
    *(("bound", "box.a", {"box.cells_per_axis": value}) for value in (0, -1)),
    *(("bound", "box.a", {"box.inflation": value}) for value in (1.0, 0.0)),
    ("bound", "box.a", {"box": None}),
    ("bound", "maximum", {"maximum": None}),
    ("bound", "maximum", {"maximum.parts": []}),
    ("bound", "maximum", {"maximum.parts.1.axis": 0}),
    *(("bound", "maximum", {"maximum.parts.0.pairs.2": p}) for p in ([2, 2], [0, 1, 2], [0, 9])),
    ("bound", "floor", {"floor": None}),
    *(("bound", "floor", {"floor.shares.0": value}) for value in (1.5, -0.1)),
    ("bound", "floor", {"floor.maximum.points": [0, 99]}),
    ("bound", "floor", {"floor.weights": [[1.0] * i for i in range(8)]}),
    ("bound", "floor", {"floor.common": 1.0}),
    ("bound", "*", {"floor.rank": 1}),
    ("bound", "floor", {"problem.noise_variance": 0.01}),
    ("bound", "floor", {"problem.time_kernel.epsilon": 0.0005}),
    ("bound", "floor", {"problem.space_kernel.lengthscale": 4.0}),
    ("smooth", "floor", {"floor.weights": [[], [0.5]]}),
    ("delayed", "floor", {"problem.delay": 1}),
    # Schedules.
    *(("bound", "row.schedule", {"schedule.delta": v}) for v in (1.0, 0, -0.5, 1e-9)),
    *(("bound", "row.schedule", {"schedule.rounds": r}) for r in ([0, 0], [0, 8], [6, 7], [0])),
    ("bound", "row.schedule", {"schedule.points": [6, 25]}),
    ("bound", "row.schedule", {"schedule": None}),
    ("bound", "row.schedule", {"problem.time_kernel.epsilon": 0.3}),
    ("bound", "row.schedule", {"problem.noise_variance": 1.0}),
    # Runs.
    *(("log", "rank", {"claims.0.value": value}) for value in (0, -1.0)),
    ("log", "Rank", {"claims.0.id": "Rank"}),
    *(
        ("log", "rank", {"observations": [size * (-1) ** i for i in range(12)], "=": 1e-3})
        for size in (1e308, 1e300, 1e17)
    ),
    *(("log", "rank", {"points": [p] * 12, "=": 1e-3}) for p in ([1e308, -1e308], [0.5], [])),
    ("log", "*", {"observations.0": True}),
    ("log", "*", {"problem.delay": 3}),
    ("log", "rank", {"problem.times": [1e307] * 12, "=": 1e-3}),
    ("log", "rank", {"problem.noise_variance": 1e-300, "=": 1e-3}),
    ("log", "rank", {"problem.noise_variance": 5.0}),
    ("log", "rank", {"problem.delta": 0.999999, "=": 0.3}),
    *(
        ("log", "rank", {"problem.space_kernel": {**ROUGH, "nu": nu}, "=": 1e-3})
        for nu in (1e-300, 1e-3, 1e308)
    ),
    ("log", "rank", {"problem.space_kernel.lengthscale": 1e-320, "=": 1e-3}),
]
"""A value set where it does not belong, beside a claim that would need it."""


@pytest.mark.parametrize(("kind", "target", "edits"), EDITS)
def test_no_edit_is_accepted(kind: str, target: str, edits: Body, honest, tmp_path: Path) -> None:
    body = copy.deepcopy(honest[kind])
    for place, value in edits.items():
        if place == "=":
            claimed(body, target, value)
        else:
            at(body, place, value)
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
