"""The lower bound by prices of a certificate, derived again; forged ones are refused."""

import copy
import json
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy import integrate, stats

import ctv as toolkit
from bounds import enclosure
from bounds.domain import Arms
from bounds.kernels import Matern, SquaredExponential
from bounds.problem import Problem
from bounds.regret.lower.certificate import MOST_BALLS, price_certificate
from bounds.regret.rows import floors
from bounds.times import EvaluationTimes
from proofs_check.recheck.bounds.bound import recheck_bound
from proofs_check.recheck.bounds.prices import recheck_prices
from proofs_check.recheck.outcome import Refused
from proofs_check.recheck.reading import digest
from proofs_check.records.bound_certificate import problem_data
from tests.proofs_check.recheck.test_refusals import at

MANY = EvaluationTimes.from_durations([1.0] * 20)


def problem_of(times=MANY, arms=5, **given) -> Problem:
    return Problem(times, **{"epsilon": 0.75, "domain": Arms(arms), **given})


def derived(certificate, problem) -> float:
    return float(
        enclosure.endpoints(enclosure.ball(recheck_prices(certificate, problem_data(problem))))[0]
    )


@pytest.mark.parametrize(
    "problem",
    [
        problem_of(),
        problem_of(arms=20, epsilon=0.19),
        problem_of(arms=2, epsilon=0.9),
        problem_of(EvaluationTimes.from_durations([1.0, 0.0, 0.0, 2.0, 1e4, 0.5]), epsilon=0.2),
        problem_of(time_kernel=Matern(0.5, 2.0)),
        problem_of(EvaluationTimes.from_durations([3.0])),
    ],
    ids=["fast", "many", "two", "uneven", "exponential", "one round"],
)
def test_prices_are_derived_again(problem) -> None:
    certificate = price_certificate(problem)
    assert certificate is not None
    again = derived(certificate, problem)
    # By other sums of other balls, nearly to the last digits that are claimed.
    assert certificate["value"] <= again <= certificate["value"] + 2e-7 * problem.n
    row = {each.name: each for each in floors(problem)}["prices"]
    assert certificate["value"] <= row.value + 1e-9 or len(certificate["knots"]) > 121


def test_two_rounds_by_an_integral() -> None:
    """K arms, two rounds: V = max over looks by quadrature, so nothing above is accepted."""
    phi, arms = 0.6, 3
    problem = problem_of(EvaluationTimes.from_durations([1.0, 1.0]), arms, epsilon=1 - phi**2)
    certificate = price_certificate(problem)
    first, second = certificate["prices"]
    spread, normal = sqrt(1 - phi**2), stats.norm

    def later(u: float) -> float:
        d = phi * u - second
        return max(d, 0.0)  # a look's own value is known only in the mean: phi·u − λ

    both, _ = integrate.quad(lambda u: normal.pdf(u) * later(u), -8, 8, points=[second / phi])
    value = max(0.0, -first + both, -second)
    mean = 3 / (2 * sqrt(np.pi))
    exact = 2 * mean - first - second - arms * value
    again = derived(certificate, problem)
    assert certificate["value"] <= again <= exact + 1e-12
    assert exact - again < 2e-3
    assert spread < 1


@pytest.mark.parametrize(
    "change",
    [
        {"prices": lambda p: [q + 0.3 for q in p]},
        {"prices": lambda p: [q - 0.3 for q in p]},
        {"prices": lambda p: [*p[:-1], p[-1] + 1e-3]},
        {"knots": lambda k: k[::8]},
        {"knots": lambda k: [u / 4 for u in k]},
    ],
)
def test_a_bettered_bound_is_refused(change) -> None:
    problem = problem_of()
    certificate = copy.deepcopy(price_certificate(problem))
    value = certificate["value"]
    for key, better in change.items():
        certificate[key] = better(certificate[key])
    again = derived(certificate, problem)
    assert again < value  # so that the claim, left as it was, is above it


def test_prices_of_the_first_rounds_prove_what_they_prove_alone() -> None:
    """Two arms at 0.9: one round alone proves more than the prices found for twenty."""
    problem = problem_of(arms=2, epsilon=0.19)
    certificate = price_certificate(problem)
    assert len(certificate["prices"]) < 20
    alone = problem_of(
        EvaluationTimes.from_durations([1.0] * len(certificate["prices"])), 2, epsilon=0.19
    )
    assert certificate["value"] <= derived(certificate, problem) == derived(certificate, alone)


@pytest.mark.parametrize(
    ("change", "about"),
    [
        ({"prices": [0.3] * 21}, "one price"),
        ({"prices": []}, "one price"),
        ({"prices": [1e9] * 20}, "beyond"),
        ({"knots": [0.0]}, "increase"),
        ({"knots": [0.0, 1.0, 1.0]}, "increase"),
        ({"knots": list(range(401))}, "increase"),
    ],
)
def test_what_is_no_evidence_is_refused(change, about) -> None:
    problem = problem_of()
    with pytest.raises(Refused, match=about):
        derived({**price_certificate(problem), **change}, problem)


@pytest.mark.parametrize(
    ("given", "about"),
    [
        ({"time_kernel": SquaredExponential(2.0)}, "exponential kernel"),
        ({"time_kernel": Matern(1.5, 2.0)}, "exponential kernel"),
        ({"domain": Arms(1)}, "two arms"),
    ],
)
def test_another_problem_is_refused(given, about) -> None:
    with pytest.raises(Refused, match=about):
        derived(price_certificate(problem_of()), problem_of(**given))
    other = problem_data(Problem(MANY))
    with pytest.raises(Refused, match="independent arms"):
        recheck_prices(price_certificate(problem_of()), other)


def test_too_many_waits() -> None:
    uneven = EvaluationTimes.from_durations(np.sqrt(np.arange(1.0, 121.0)))
    assert price_certificate(problem_of(uneven)) is None
    assert price_certificate(Problem(MANY)) is None
    few = {"prices": [0.0] * 120, "knots": np.linspace(-4, 4, 81).tolist()}
    with pytest.raises(Refused, match="waits"):
        recheck_prices(few, problem_data(problem_of(uneven)))
    assert MOST_BALLS < 12_000_000


def test_the_file_carries_them(tmp_path: Path) -> None:
    """`ctv bound --certificate`, accepted by the recheck; a millionth above its number is not."""
    path, times = tmp_path / "bound.json", EvaluationTimes.from_durations([1.0] * 12)
    toolkit.bound(times, domain="arms:5", epsilon=0.75, certificate=path)
    accepted = {one["id"]: one for one in toolkit.verify(path).to_dict()["recheck"]}
    assert accepted["floor.prices"]["accepted"] is True
    body = json.loads(path.read_text(encoding="utf-8"))
    row = {each.name: each for each in floors(problem_of(times))}["prices"]
    (claim,) = body["claims"] = [c for c in body["claims"] if c["id"] == "floor.prices"]
    assert claim["value"] == pytest.approx(row.value, rel=2e-3)
    again = derived(body["prices"], problem_of(times))
    for place, value in (
        ("claims.0.value", (1 + 1e-6) * again),
        ("claims.0.value", 3.0 * claim["value"]),
        ("prices", None),
        ("prices.prices", [0.2] * 12),
        ("problem.time_kernel.epsilon", 0.5),
    ):
        forged = copy.deepcopy(body)
        at(forged, place, value)
        path.write_text(json.dumps({**forged, "digest": digest(forged)}), encoding="utf-8")
        assert [one.accepted for one in recheck_bound(path)] == [False], place
