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
from proofs_check.recheck.bound import recheck_bound
from proofs_check.recheck.log import rank_again, recheck_log
from proofs_check.recheck.reading import digest
from tests.proofs_check.recheck.test_log import log_certificate, observed, rank_certificate
from tests.proofs_check.recheck.test_refusals import as_stated, at, leaves_out, value_of
from tests.proofs_check.test_recheck_bound import certificate_of

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
    "a floor by an ulp": ("bound", "floor", lambda b: claimed(b, "floor", 1.0 + 1e-9)),
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
    assert len(PLANTS) >= 50


@pytest.mark.parametrize("name", PLANTS)
def test_no_plant_is_accepted(name: str, honest: dict[str, Body], tmp_path: Path) -> None:
    kind, target, plant = PLANTS[name]
    body = copy.deepcopy(honest[kind])
    plant(body)
    path = tmp_path / "plant.json"
    path.write_text(json.dumps({**body, "digest": digest(body)}), encoding="utf-8")
    try:
        results = (recheck_log if kind == "log" else recheck_bound)(path)
    except InvalidInput as refused:
        assert "\n" not in str(refused)
        return
    assert target != "*", [result.reason for result in results]
    found = [result for result in results if result.id == target]
    assert found and not any(result.accepted for result in found), found
    assert all(result.reason and "\n" not in result.reason for result in found)


def test_the_honest_files_are_accepted(honest: dict[str, Body], tmp_path: Path) -> None:
    path = tmp_path / "honest.json"
    for kind, body in honest.items():
        path.write_text(json.dumps({**body, "digest": digest(body)}), encoding="utf-8")
        results = (recheck_log if kind == "log" else recheck_bound)(path)
        assert [r.id for r in results if not r.accepted] == [], kind
