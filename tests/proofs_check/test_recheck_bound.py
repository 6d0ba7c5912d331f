"""Bound certificates: derived again by other code; damage is refused. Forgeries: test_plants."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import log
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

from bounds import enclosure
from bounds.confidence.certified import certified_confidence
from bounds.domain import Arms, Grid, Points
from bounds.drifting_gain.joint_dual import joint_dual
from bounds.drifting_gain.lower_bound import joint_gain_lower
from bounds.errors import InvalidInput
from bounds.gain.report import bound_report, certified_report
from bounds.kernels import Forgetting, Matern, SquaredExponential
from bounds.problem import Problem
from bounds.regret.ingredients.ingredients import Ingredients
from bounds.regret.rows import certified_rows, floors, regret_rows
from bounds.static_gain.certified import certified_curve
from bounds.static_gain.upper_curve import space_gain_upper
from bounds.times import EvaluationTimes
from proofs_check.recheck.bounds.bound import at_once, certified_problem, is_lower, recheck_bound
from proofs_check.recheck.bounds.floor import recheck_floor
from proofs_check.recheck.bounds.maximum import recheck_maximum
from proofs_check.recheck.bounds.schedule import recheck_schedule
from proofs_check.recheck.grid import GridByReflections, exact
from proofs_check.recheck.outcome import Refused
from proofs_check.recheck.reading import digest, kind_of
from proofs_check.recheck.times import exact_instants, instants_digest
from proofs_check.records.bound_certificate import bound_certificate, text_of
from simulation.before_run.schedule import schedule_bound
from simulation.before_run.schedule_search import quick_schedule

pytestmark = pytest.mark.xdist_group("recheck_bound")  # its fixtures take seconds

IRREGULAR = [0.3, 1.0, 0.0, 4.0, 0.2, 0.2, 7.0, 1.0]


def certificate_of(durations=IRREGULAR, **choice):
    """A certificate as it is read from its file, made once for each problem."""
    return json.loads(_text_of(json.dumps(durations), tuple(choice.items())))


@cache
def _text_of(durations, choice):
    return text_of(made(json.loads(durations), **dict(choice)))


def made(
    durations,
    *,
    kernel=None,
    grid=None,
    time_kernel=None,
    epsilon=0.05,
    noise_variance=0.1,
    delay=0,
):
    kernel, grid = kernel or SquaredExponential(0.4), grid or Grid(2, 1.0, 5)
    problem = Problem(
        EvaluationTimes.from_durations(durations),
        space_kernel=kernel,
        time_kernel=time_kernel or Forgetting(epsilon),
        epsilon=epsilon,
        domain=grid,
        noise_variance=noise_variance,
    )
    curve = certified_curve(kernel, grid, space_gain_upper(kernel, grid, noise_variance, problem.n))
    design = joint_gain_lower(problem)
    rough = bound_report(problem, curve.values, design.value, costly=True)
    report = certified_report(rough, curve, design)
    level = 4.0 * noise_variance
    dual = joint_dual(replace(problem, noise_variance=level))
    given_ = Ingredients(problem, [(level, dual.value)], evidence={level: dual})
    rows = [
        *certified_rows(given_, regret_rows(given_, "upper")),
        *floors(problem, delay=delay),
    ]
    schedule = schedule_bound(problem, quick_schedule(problem))
    return bound_certificate(
        report,
        curve,
        design,
        certified_confidence(problem),
        "test",
        rows,
        delay=delay,
        schedule=schedule,
    )


def checked(body, tmp_path: Path):
    path = tmp_path / "bound.json"
    path.write_text(text_of({**body, "digest": digest(body)}), encoding="utf-8")
    assert kind_of(path) == "bound"
    return {result.id: result for result in recheck_bound(path)}


LIKE, LOUD = [[0.0], [0.05], [0.1]], {"noise_variance": 0.05, "epsilon": 1e-3}
"""Points that have nearly everything in common."""


def test_the_floor_of_points_with_a_common_part_tells_it(tmp_path: Path) -> None:
    body = certificate_of(grid=Points(LIKE), kernel=Matern(0.5, 0.5), durations=[1.0] * 3, **LOUD)
    assert 0.8 < body["floor"]["common"] < 1.0
    assert checked(body, tmp_path)["floor"].accepted
    # Without it the same numbers prove less.
    body["floor"]["common"] = 0.0
    assert not checked(body, tmp_path)["floor"].accepted


CUBE = {"grid": Grid(2, 1.0, 3), "kernel": SquaredExponential(0.5)}
"""A domain whose m* is compared with the sum over its axes."""


def alter_maximum(change, choice, tmp_path: Path) -> str:
    """What is said of the claim on m* once its evidence was changed."""
    body = certificate_of(**choice)
    body["claims"] = [claim for claim in body["claims"] if claim["id"] == "maximum"]
    assert checked(body, tmp_path)["maximum"].accepted
    change(body["maximum"]["parts"])
    return checked(body, tmp_path)["maximum"].reason


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda parts: parts.pop(), "other axes than the grid has"),
        (lambda parts: parts[0].update(axis=1), "other axes than the grid has"),
        (lambda parts: parts[0].update(pairs=[[-1, -1], [2, 0], [1, 1]]), "no order has"),
        (lambda parts: parts[0].update(pairs=[[-1, -1], [0, 2]]), "no order has"),
        (lambda parts: parts[0].update(pairs=[[-1, -1], [-1, -1], [0, 1]]), "one point alone"),
        (lambda parts: parts[0].update(pairs=[[-1, -1], [0, -1], [0, 1]]), "is written with it"),
        (lambda parts: parts[0].update(pairs=[[-1, -1], [0, 7], [0, 1]]), "no order has"),
        # Worse pairs, and independent values, prove less than was claimed.
        (lambda parts: parts[0].update(pairs=[[-1, -1], [0, 0], [0, 0]]), "claims"),
        (lambda parts: parts[0].update(pairs=None), "claims"),
        (lambda parts: parts.__setitem__(slice(None), [{"axis": None, "pairs": None}]), "claims"),
    ],
)
def test_what_the_maximum_rests_on_is_looked_at(change, reason, tmp_path: Path) -> None:
    said = alter_maximum(change, CUBE, tmp_path)
    assert reason in said or (reason == "claims" and "derived" not in said), said


def test_a_list_of_points_has_no_axes(tmp_path: Path) -> None:
    choice = {"grid": Points([[0.1, 0.2], [0.9, 0.3], [0.4, 0.8], [0.5, 0.1]])}
    said = alter_maximum(lambda parts: parts[0].update(axis=0), choice, tmp_path)
    assert said.startswith("cannot be evaluated")


def test_increments_that_the_axes_do_not_dominate_are_refused() -> None:
    # cos(2r) along both axes of a square: 1 − k at the far corner is above twice that of a side.
    near, far = 0.9, -0.9

    class Square(GridByReflections):
        def _at(self, x, y):
            steps = sum(a != b for a, b in zip(x, y, strict=True))
            return [1, exact(near), exact(far)][steps]

    problem = {"dimension": 2, "side": 1.0, "grid": 2, "space_kernel": {"type": "Matern"}}
    entry = {"parts": [{"axis": a, "pairs": [[-1, -1], [0, 0]]} for a in (0, 1)]}
    with (
        mock.patch("proofs_check.recheck.bounds.maximum.domain_of", Square),
        pytest.raises(Refused, match="increments"),
    ):
        recheck_maximum(entry, problem)


def test_the_gain_of_arms_is_that_of_balanced_looks(tmp_path: Path) -> None:
    body = certificate_of(grid=Arms(2), durations=[1.0] * 5)
    assert body["lines"] == [] and {entry["line"] for entry in body["gamma"]} == {None}
    gamma = {entry["m"]: entry["value"] for entry in body["gamma"]}
    s = 1.0 / body["problem"]["noise_variance"]
    assert gamma[5] == pytest.approx(0.5 * (log(1 + 2 * s) + log(1 + 3 * s)), rel=1e-14)
    assert checked(body, tmp_path)["gamma"].accepted
    for entry in body["gamma"]:
        entry["value"] *= 1 - 1e-12
    assert not checked(body, tmp_path)["gamma"].accepted


@pytest.mark.parametrize(
    "choice",
    [
        {},
        {"durations": [2.0]},
        {"durations": [0.0] * 5, "epsilon": 0.0},
        {"durations": [1.0] * 30, "noise_variance": 0.01, "epsilon": 0.001},
        {"kernel": Matern(2.5, 0.3), "grid": Grid(1, 2.0, 9)},
        {"kernel": Matern(1.5, 0.3), "grid": Grid(3, 1.0, 3), "epsilon": 0.9},
        {"kernel": Matern(0.8, 0.5), "grid": Grid(1, 1.0, 1)},
        {"grid": Grid(2, (1.0, 0.5), (2, 4))},
        {"grid": Points([[0.1, 0.2], [0.9, 0.3], [0.4, 0.8], [0.5, 0.1]])},
        CUBE,
        {"grid": Arms(3), "durations": [1.0] * 8},  # γ_m in closed form, m* exactly
        {"grid": Points(LIKE), "kernel": Matern(0.5, 0.5), "durations": [1.0] * 3, **LOUD},
        {"time_kernel": Matern(0.5, 9.0)},
        {"time_kernel": Matern(2.5, 9.0)},
        {"time_kernel": SquaredExponential(5.0)},
        {"delay": 2},
    ],
    ids=lambda choice: "-".join(map(str, choice)) or "default",
)
def test_every_claim_is_derived_again(choice, tmp_path: Path) -> None:
    body = certificate_of(**choice)
    results = checked(body, tmp_path)
    assert len(results) == len(body["claims"]) >= 8
    assert {name: result.reason for name, result in results.items() if not result.accepted} == {}
    named = {"gamma", "gain.refined", "gain.joint_dual", "gain.lower"}
    if "delay" in choice:
        assert not any(map(at_once, results)) and "floor" in results
    else:
        named.add("regret.trivial")
        reason = results["row.schedule"].reason
        assert reason == "at level 1 - 0.001 again, by 20,000 draws of its own"
    assert named <= set(results)
    problem = dict(body["problem"])
    last = sum(map(Fraction, problem.pop("times")))
    assert certified_problem(tmp_path / "bound.json") == {
        **problem,
        "rounds": len(body["problem"]["times"]),
        "total_time": float(last),
        "instants": body["instants"],
        "longest": body["longest"],
        "schedule_delta": body["schedule"]["delta"],
    }
    # Each is as tight as its derivation: nothing better is accepted.
    for claim in body["claims"]:
        if claim["id"] == "row.schedule":
            claim["value"], _ = recheck_schedule(body["schedule"], body["problem"])
        if claim["id"] == "floor":
            claim["value"] = floor_again(body)
        claim["value"] *= 1.0 + (1e-6 if is_lower(claim["id"]) else -1e-6)
    accepted = {name for name, result in checked(body, tmp_path).items() if result.accepted}
    assert accepted == {claim["id"] for claim in body["claims"] if claim["value"] == 0.0}


def floor_again(body) -> float:
    """The checker's own floor: its sum of the first looks is a little larger than the claim's."""
    with enclosure.precision(128):
        found = float(enclosure.ball(recheck_floor(body["floor"], body["problem"])).mid())
    claimed = next(claim["value"] for claim in body["claims"] if claim["id"] == "floor")
    assert claimed <= found <= 1.002 * claimed
    return found


def shrink(body, name: str, factor: float = 1 - 1e-6) -> None:
    claim = next(claim for claim in body["claims"] if claim["id"] == name)
    claim["value"] *= factor


@pytest.fixture(scope="module")
def honest():
    return certificate_of()


def test_no_gain_may_be_below_its_line_or_the_cap(honest, tmp_path: Path) -> None:
    """Each by a millionth, in the lines that are used and in the rounds that the cap holds."""
    kinds = set()
    for place, entry in enumerate(honest["gamma"]):
        body = copy.deepcopy(honest)
        body["gamma"][place]["value"] *= 1 - 1e-6
        body["claims"] = [claim for claim in body["claims"] if claim["id"] == "gamma"]
        result = checked(body, tmp_path)["gamma"]
        assert not result.accepted and f"gamma_{entry['m']} is below" in result.reason
        kinds.add(entry["line"] is None)
    assert False in kinds


def write_forged(body, path: Path) -> None:
    text = json.dumps({**body, "digest": digest(body)}, ensure_ascii=False)
    path.write_text(text, encoding="utf-8")


def test_characters_without_a_code_are_damage(honest, tmp_path: Path) -> None:
    path = tmp_path / "bound.json"
    path.write_text(json.dumps({**honest, "version": "\ud800"}))
    with pytest.raises(InvalidInput, match="digest"):
        recheck_bound(path)


def test_a_flipped_digit_is_named(honest, tmp_path: Path) -> None:
    path = tmp_path / "bound.json"
    path.write_text(text_of(honest), encoding="utf-8")
    text = path.read_text()
    at = text.index('"beta", "value": ') + len('"beta", "value": ')
    for position in (at, len(text) // 2, len(text) // 3):
        while not text[position].isdigit():
            position += 1
        digit = "7" if text[position] != "7" else "3"
        path.write_text(text[:position] + digit + text[position + 1 :])
        with pytest.raises(InvalidInput, match=r"digest|not JSON|not a certificate"):
            recheck_bound(path)
    path.write_text(text[: len(text) // 2])
    with pytest.raises(InvalidInput, match=r"not JSON|too deep"):
        recheck_bound(path)


def test_numbers_survive_the_file(honest, tmp_path: Path) -> None:
    path = tmp_path / "bound.json"
    path.write_text(text_of(honest), encoding="utf-8")
    assert json.loads(path.read_text()) == honest
    with pytest.raises(ValueError, match="JSON compliant"):
        text_of({**honest, "longest": float("inf")})


def test_whoever_knows_the_value_may_claim_a_looser_one(honest, tmp_path: Path) -> None:
    body = copy.deepcopy(honest)
    for block in body["dual"]:
        block["alpha"] = 1.0  # the least that there is, and a worse bound
    shrink(body, "gain.joint_dual", 100.0)
    shrink(body, "regret.joint_dual", 100.0)
    shrink(body, "gain.knots", 1.5)
    shrink(body, "regret.knots", 1.5)
    results = checked(body, tmp_path)
    assert results["gain.knots"].accepted
    assert np.all([result.accepted for result in results.values()])


def test_every_claim_is_announced_before_it_is_checked(honest, tmp_path: Path) -> None:
    place = tmp_path / "bound.json"
    place.write_text(text_of({**honest, "digest": digest(honest)}), encoding="utf-8")
    heard: list[tuple[str, float]] = []
    results = recheck_bound(place, lambda name, share: heard.append((name, share)))
    assert [name for name, _ in heard] == [result.id for result in results]
    assert [share for _, share in heard] == [i / len(results) for i in range(len(results))]


def test_the_instants_are_compared_with_times_that_are_given(tmp_path: Path) -> None:
    body = certificate_of()
    path = tmp_path / "bound.json"
    path.write_text(text_of(body), encoding="utf-8")
    instants = EvaluationTimes.from_durations(IRREGULAR).exact.instants
    assert all(result.accepted for result in recheck_bound(path, instants=instants))
    for other in (instants[:-1], [*instants[:-1], instants[-1] + 1]):
        with pytest.raises(InvalidInput, match="not those of the certificate"):
            recheck_bound(path, instants=other)
    forged = {**body, "instants": "0" * 64}
    path.write_text(text_of({**forged, "digest": digest(forged)}), encoding="utf-8")
    assert not any(result.accepted for result in recheck_bound(path))


def test_a_file_that_asks_for_huge_matrices_is_refused_soon(honest, tmp_path) -> None:
    n, path = 4_600, tmp_path / "bound.json"
    body = copy.deepcopy(honest)
    body["problem"]["times"] = [1.0] * n
    body["instants"] = instants_digest(exact_instants(body["problem"]))
    body["design"] = [0] * n
    body["dual"][0]["end"] = n
    body["floor"]["shares"], body["floor"]["weights"] = [0.5] * n, [[0.0]] * n
    body["knots"]["rounds"], body["knots"]["weights"] = list(range(n)), [[0.0]] * n
    said = {
        "gain.lower": "a design of more than 1200 rounds",
        "gain.joint_dual": "a block of the dual has more than 1000 rounds",
        "gain.knots": "a matrix of 4600 x 4600, and at most 20000000 entries are made",
        "floor": "a matrix of 4600 x 4600, and at most 20000000 entries are made",
    }
    body["claims"] = [claim for claim in body["claims"] if claim["id"] in said]
    write_forged(body, path)
    found = {result.id: result for result in recheck_bound(path)}
    assert {name: found[name].reason for name in said} == said
