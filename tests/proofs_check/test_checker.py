"""What the proved checker is asked: the numbers of a certificate, and what it does not cover."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from math import ceil, e, log, log1p, pi, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.special import gammaln, kve
from scipy.stats import norm

from bounds.domain import Grid, Points
from bounds.drifting_gain.certified import certified_design_gain, certified_dual
from bounds.errors import InvalidInput
from bounds.kernels import Matern
from bounds.problem import Problem
from bounds.times import EvaluationTimes
from ctv import bound, gain
from ctv.show.ledger import ByKernel
from proofs_check.checker.answer import Answered, Checked, ask, claimed
from proofs_check.checker.blocks import _columns
from proofs_check.checker.losses import WIDTH, far_apart, largest_of, shares
from proofs_check.checker.notation import Part, fraction, listed, pair, record, whole, wholes
from proofs_check.checker.program import kept, needed, own_theories
from proofs_check.checker.stated import Family, Stated
from proofs_check.checker.whole import (
    Question,
    box_question,
    design_question,
    floor_question,
    gain_question,
    own_envelope_question,
    own_question,
    regret_question,
    space_question,
    text,
)
from proofs_check.recheck.grid import domain_of
from proofs_check.recheck.outcome import Refused
from proofs_check.recheck.reading import digest
from proofs_check.records.bound_certificate import problem_data
from tests.proofs_check.checker_problems import drawn, evidence, halves
from tests.proofs_check.recheck.test_refusals import at
from tests.proofs_check.recheck.test_shape import SE

EVERY = (regret_question, gain_question, design_question)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of forty rounds on a grid of ten by ten points."""
    found = tmp_path_factory.mktemp("certificate") / "bound.json"
    bound(n=40, total=40, grid=10, epsilon=1e-3, certificate=found)
    return found


@pytest.fixture(scope="module")
def certificate(path: Path) -> Mapping[str, Any]:
    body: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return body


def of_problem(certificate: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    return {**certificate, "problem": {**certificate["problem"], **changes}}


def matern(nu: float, lengthscale: float = 0.2) -> dict[str, Any]:
    return {"type": "Matern", "lengthscale": lengthscale, "nu": nu}


def _claimed(certificate: Mapping[str, Any], name: str) -> float:
    return next(float(claim["value"]) for claim in certificate["claims"] if claim["id"] == name)


@pytest.mark.parametrize(
    ("question", "name", "sign"),
    [
        (regret_question, "row.envelope", 1),
        (gain_question, "gain.joint_dual", 1),
        (design_question, "gain.lower", -1),
        (space_question, "gamma", 1),
    ],
)
def test_the_least_claim_is_what_the_certificate_states(
    certificate: Mapping[str, Any], question: Callable[..., Question], name: str, sign: int
) -> None:
    """Two roads to one number: balls there, whole numbers here, a little weaker."""
    stated = _claimed(certificate, name)
    weaker = sign * (float(question(certificate).claim) / stated - 1)
    assert -1e-8 <= weaker <= 1e-7


@pytest.mark.parametrize("seed", range(6))
def test_drawn_problems_have_the_certified_gains(seed: int) -> None:
    """Every kernel and domain of the checker, against balls that know nothing of it."""
    problem = drawn(seed, rounds=20)
    body, dual, design = evidence(problem)
    above = certified_dual(problem, dual)
    assert above.certified
    assert float(gain_question(body).claim) == pytest.approx(above.value, rel=1e-6)
    below = certified_design_gain(problem, np.asarray(design.indices))
    assert float(design_question(body).claim) == pytest.approx(float(below), rel=1e-6)
    assert design_question(body).claim < gain_question(body).claim


def test_a_question_is_about_what_is_stated(certificate: Mapping[str, Any]) -> None:
    """Weaker as far as the evidence needs, by at most a millionth, and never stronger."""
    for question, lower in ((gain_question(certificate), 1), (design_question(certificate), -1)):
        exact = question.claim
        assert claimed(question, float(exact * (1 + Fraction(lower, 10**3)))).claim != exact
        slightly = float(exact * (1 - Fraction(lower, 10**8)))
        assert claimed(question, slightly).claim == exact
        far = float(exact * (1 - Fraction(lower, 10**3)))
        asked = claimed(question, far).claim
        assert lower * (exact - asked) > 0
        assert abs(asked / Fraction(repr(far)) - 1) == Fraction(1, 10**6)


def test_the_majorant_is_one_on_the_whole_interval(certificate: Mapping[str, Any]) -> None:
    question = regret_question(certificate)
    numbers = question.evidence.words
    t = Fraction(numbers[0], numbers[1])
    gain, contact, constant, factor = (
        Fraction(numbers[at], numbers[at + 1])
        for at in range(len(numbers) - 9, len(numbers) - 1, 2)
    )
    w = np.linspace(0, 1, 100_001)
    above = float(constant) + float(factor) * 0.5 * np.log1p(float(t) * w**2) - w
    assert above.min() >= 0
    assert above[int(float(contact) * 100_000)] < 1e-4
    n, delta, points = 40, 0.1, 100
    beta = 2 * log(points * pi**2 * n**2 / (6 * delta))
    most = 2 * sqrt(beta) * (n * float(constant) + float(factor * gain))
    assert float(question.claim) == pytest.approx(most, rel=1e-6)


def test_several_duals_add_up() -> None:
    problem = drawn(6)
    body, both = evidence(problem)[0], halves(problem)
    parts = gain_question({**body, "dual": both})
    assert parts.claim > gain_question(body).claim
    assert parts.claim < Fraction(6, 5) * gain_question(body).claim
    with pytest.raises(InvalidInput, match="blocks have to follow"):
        gain_question({**body, "dual": both[::-1]})
    with pytest.raises(InvalidInput, match="of all rounds"):
        gain_question({**body, "dual": both[:1]})


coordinates = st.decimals(-9, 9, places=3).map(float)


@settings(max_examples=40)
@given(st.lists(st.tuples(coordinates, coordinates), min_size=2, max_size=6, unique=True))
@example([(0.0, 0.0), (0.0, 0.0001)])
@example([(1e-17, 1.0), (3.0, 0.1)])
def test_whole_coordinates_have_the_distances_of_the_points(
    rows: list[tuple[float, float]],
) -> None:
    problem = Problem(
        EvaluationTimes.from_durations([1.0]),
        domain=Points(rows),
        space_kernel=Matern(1.5, 0.3),
        epsilon=0.01,
    )
    stated = Stated.of({"problem": problem_data(problem)})
    found = domain_of(problem_data(problem)).gram(range(len(rows)), range(len(rows)))
    exact = np.array([[float(ball) for ball in row] for row in found])
    assert np.allclose(stated.over_space(stated.places, stated.places), exact, rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    "grid", [Grid(1, 2.0, 5), Grid(2, (1.0, 2.5), (4, 3)), Grid(2, 1.0, 4), Grid(4, 1.0, 2)]
)
def test_reflections_are_those_of_the_second_code(grid: Grid) -> None:
    problem = Problem(EvaluationTimes.from_durations([1.0]), domain=grid, epsilon=0.01)
    data = problem_data(problem)
    stated, other = Stated.of({"problem": data}), domain_of(data)
    assert stated.orthant == other.orthant
    for flip in stated.flips:
        ours = stated.over_space(
            [stated.places[0]], [stated.flipped(i, flip) for i in stated.orthant]
        )
        theirs = other.gram([0], other.orthant, flip)
        assert np.allclose(ours, [[float(ball) for ball in row] for row in theirs], atol=1e-9)


def test_program_and_assistant_read_the_same_numbers() -> None:
    part = record(a=fraction(Fraction(-3, 4)), b=listed([wholes([1, 2]), wholes([])]))
    assert part == Part(
        (-3, 4, 2, 2, 1, 2, 0), "{| a := (-3, 4%positive); b := [[(1); (2)]; []] |}"
    )
    assert pair(whole(5), whole(6)) == Part((5, 6), "((5), (6))")


def test_the_numbers_of_a_theory_are_those_of_the_program(
    certificate: Mapping[str, Any],
) -> None:
    question = gain_question(certificate)
    numbers = re.findall(r"-?\d+", question.theory().partition("Definition given")[2])
    asked = set(map(int, text([question]).split()))
    assert asked >= {int(number) for number in numbers} - {0, 53}
    assert text([question, question]).split()[len(question.problem.words)] == "2"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("space_kernel", matern(1.7)),
        ("space_kernel", {"type": "Hyperbolic", "scale": 1.0}),
        ("time_kernel", matern(5.0)),
        ("time_kernel", matern(51.5)),
    ],
)
def test_what_is_not_covered_is_refused_by_name(
    certificate: Mapping[str, Any], key: str, value: object
) -> None:
    for question in EVERY:
        with pytest.raises(InvalidInput, match=f"kernel: {key}"):
            question(of_problem(certificate, **{key: value}))


def _least_line(t: float, rounds: int, gain: float) -> float:
    """min n·c0 + c1·gain over w <= c0 + c1 ½log(1 + t w²), tried at many c1 and many w."""
    w = np.linspace(0, 1, 4_001)
    told = 0.5 * np.log1p(t * w**2)
    slopes = np.concatenate([[0.0], np.geomspace(1e-3, 1e3, 4_001)])
    return float(min(rounds * np.max(w - slope * told) + slope * gain for slope in slopes))


@pytest.mark.parametrize("delay", [0, 1, 2, 7, 1_000])
def test_late_regret_counts_the_gain_once_more_for_each_round_of_delay(
    certificate: Mapping[str, Any], delay: int
) -> None:
    """Against lines that are tried; never more than deviations of 1 in each round."""
    question, n = regret_question(of_problem(certificate, delay=delay)), 40
    numbers = question.evidence.words
    t, gain = numbers[0] / numbers[1], numbers[-9] / numbers[-8]
    assert numbers[-1] == min(delay, n)
    width = 2 * sqrt(2 * log(100 * pi**2 * n**2 / (6 * 0.1)))
    least = width * _least_line(t, n, (1 + min(delay, n)) * gain)
    assert float(question.claim) == pytest.approx(least, rel=1e-3)
    assert question.claim <= Fraction(width * n) + 1
    sooner = regret_question(of_problem(certificate, delay=max(delay - 1, 0)))
    assert sooner.claim <= question.claim


@pytest.mark.parametrize("delay", [0, 1, 3, 10])
@pytest.mark.parametrize("seed", range(6))
def test_what_late_rounds_tell_is_at_most_a_gain_for_each_round_of_delay(
    seed: int, delay: int
) -> None:
    """By the posterior variance of each round given the results that are known."""
    stated = Stated.of({"problem": problem_data(drawn(seed))})
    n, ratio = len(stated.times), float(stated.ratio)
    at = [
        stated.places[i] for i in np.random.default_rng(seed).integers(len(stated.places), size=n)
    ]
    joint = stated.over_space(at, at) * stated.over_time()
    told = 0.0
    for i in range(n):
        known = max(i - delay, 0)
        seen, row = np.eye(known) + ratio * joint[:known, :known], joint[i, :known]
        told += 0.5 * log(1 + ratio * (joint[i, i] - ratio * row @ np.linalg.solve(seen, row)))
    gain = 0.5 * np.linalg.slogdet(np.eye(n) + ratio * joint)[1]
    assert gain * (1 - 1e-9) <= told <= (1 + delay) * gain * (1 + 1e-9)


@pytest.mark.parametrize("order", [0, 1, 2, 3, 4, 5, 10, 50])
def test_matern_kernels_are_those_of_the_bessel_functions(order: int) -> None:
    """By the recursion of the polynomials, and by the definition: 2^{1-ν}/Γ(ν)·s^ν·K_ν(s)."""
    root, nu = np.linspace(1e-3, 30, 400), order + 0.5
    bessel = np.exp((1 - nu) * log(2) - gammaln(nu) + nu * np.log(root) + np.log(kve(nu, root)))
    found = Family("Matern", order).correlation(root**2)
    assert found == pytest.approx(bessel * np.exp(-root), rel=1e-9)
    assert Family("Matern", order).correlation(np.array([0.0, 1e300])).tolist() == [1.0, 0.0]


SMOOTH = [Family("SquaredExponential"), *(Family("Matern", order) for order in (1, 2, 3, 7, 50))]


@pytest.mark.parametrize("family", SMOOTH, ids=str)
def test_interpolation_misses_no_more_than_is_said(family: Family) -> None:
    """The norm of a point less the mean of two, by the kernel; and no hundred times more is said.

    Near 0 the norm is lost in rounding.
    """
    share = np.linspace(0, 1, 201)
    for z in np.geomspace(1e-2, 50, 40):
        said = family.missed(z)
        left, right = family.correlation(z * share**2), family.correlation(z * (1 - share) ** 2)
        both = (
            1
            + (1 - share) ** 2
            + share**2
            + 2 * share * (1 - share) * family.correlation(np.array([z]))
        )
        norm = both - 2 * (1 - share) * left - 2 * share * right
        assert norm.max() <= said**2 + 1e-14
        assert z > 1 or said**2 <= 4 * norm.max() + 1e-12


def test_no_slope_is_no_interpolation() -> None:
    assert Family("Independent").missed(1.0) is None
    assert Family("Matern", 0).missed(1.0) is None


@pytest.mark.parametrize(
    ("kernel", "length"), [("se", 0.7), ("matern32", 3.0), ("matern52", 0.7), ("matern:5.5", 0.7)]
)
def test_the_box_is_bounded_by_its_grid_and_what_is_missed(
    kernel: str, length: float, tmp_path: Path
) -> None:
    """Against points drawn in the box, and against the certified gain of the grid and the box."""
    file = tmp_path / "bound.json"
    bound(n=15, grid=9, dimension=2, kernel=kernel, lengthscale=length, certificate=file)
    body = json.loads(file.read_text(encoding="utf-8"))
    question, on_grid = box_question(body), space_question(body)
    assert question.claim > on_grid.claim > Fraction(_claimed(body, "gamma")) - Fraction(1, 10**6)
    assert float(question.claim) < 1.5 * float(on_grid.claim)
    if kernel != "matern:5.5":
        known = gain(m="15", grid=9, dimension=2, kernel=kernel, lengthscale=length, domain="box")
        assert float(question.claim) > known.lower[0]
        assert float(question.claim) > known.upper[0] * (1 - 1e-9)
    stated, line = Stated.of(body), body["lines"][body["gamma"][-1]["line"]]
    missed = stated.missed
    at = [stated.flipped(i, flip) for flip in stated.flips for i in line["points"]]
    modes, _ = _columns(stated.flips, {"points": line["points"], "space_modes": line["factors"]})
    matrix = modes @ stated.over_space(at, at) @ modes.T + line["alpha"] * np.eye(len(modes))

    def most_left(points: Sequence[Any]) -> float:
        cross = modes @ stated.over_space(at, points)
        return float(np.sqrt(1 - np.sum(cross * np.linalg.solve(matrix, cross), axis=0).min()))

    far = max(max(place) for place in stated.places)
    inside = np.random.default_rng(1).uniform(0, far, size=(4_000, 2))
    assert most_left(inside.tolist()) <= most_left(stated.places) + missed


def _on_grid(side: Any, count: Any) -> dict[str, Any]:
    grid = {"type": "Grid", "dimension": 2, "side": side, "points_per_axis": count}
    return {"problem": {"domain": grid}}


ARMS: dict[str, Any] = {"problem": {"space_kernel": {"type": "Independent"}}}
OWN_TIMES = (own_question, own_envelope_question)
UNKNOWN: list[tuple[dict[str, Any], tuple[Callable[..., Question | None], ...]]] = [
    ({"problem": {"space_kernel": matern(0.5, 3.0)}}, (box_question,)),
    ({"problem": {"space_kernel": SE | {"lengthscale": 0.1}}}, (box_question,)),
    (
        {"problem": {"domain": {"type": "Points", "rows": [[0.0, 0.0], [0.1, 0.3]]}}},
        (box_question,),
    ),
    # One point along an axis is the midpoint of a side that no step shows.
    (_on_grid([1.0, 1.0], [9, 1]), (box_question,)),
    (_on_grid(1.0, 1), (box_question,)),
    # The gamma of arms counts looks, and no theorem of the checker does.
    (ARMS, (box_question, space_question)),
    ({"gamma": []}, (box_question, space_question)),
    (ARMS | {"gamma": []}, (box_question, space_question)),
    # Own times: smooth clocks, late results, no longest time.
    ({"problem": {"time_kernel": matern(1.5, 50.0)}}, OWN_TIMES),
    ({"problem": {"delay": 2}}, OWN_TIMES),
    ({"longest": None}, OWN_TIMES),
]


@pytest.mark.parametrize(("changes", "questions"), UNKNOWN)
def test_nothing_is_asked_where_nothing_is_known(
    certificate: Mapping[str, Any], changes: dict[str, Any], questions: tuple[Callable, ...]
) -> None:
    """Of a kernel so wide that the box is asked about, too."""
    known = of_problem(certificate, space_kernel=SE | {"lengthscale": 3.0})
    other = {**known, **changes, "problem": {**known["problem"], **changes.get("problem", {})}}
    for question in questions:
        assert question(known)
        assert question(other) is None


def _own_numbers(question: Question) -> tuple[Fraction, int, Fraction]:
    """The longest time, the windows and the weight of the last round."""
    numbers = question.evidence.words
    return Fraction(*numbers[:2]), numbers[2], Fraction(*numbers[3:5])


@pytest.mark.parametrize("epsilon", [0.0, 1e-3, 0.3])
def test_own_times_have_the_weights_of_theorem_c(
    certificate: Mapping[str, Any], epsilon: float
) -> None:
    """Its two conditions in the last round, and hardly more; no deviation counts more than 1."""
    drifting = {"type": "Forgetting", "epsilon": epsilon}
    question = own_question(of_problem(certificate, time_kernel=drifting))
    longest, windows, widest = _own_numbers(question)
    n, slope = 40, -0.5 * log1p(-epsilon)

    def needed(weight: float) -> float:
        cells = max(1, ceil(slope * n * float(longest) * weight))
        return 2 * log(4 * e * 100 * cells * pi**2 * n**2 / (6 * 0.1))

    assert longest == 1
    assert slope * n * float(longest * widest) <= windows
    assert needed(float(widest)) <= widest
    assert needed(float(widest) * (1 - 1e-6)) > widest * (1 - Fraction(1, 10**6))
    assert float(question.claim) == pytest.approx(3.064 * sqrt(widest) * n, rel=1e-8)
    if epsilon == certificate["problem"]["epsilon"]:
        assert float(widest) == pytest.approx(_claimed(certificate, "point_times.beta"), rel=1e-7)
        assert question.claim < Fraction(_claimed(certificate, "point_times.regret"))


def test_own_times_by_the_gain_lose_what_fixed_times_do_but_for_the_theorem(
    certificate: Mapping[str, Any],
) -> None:
    """By the weight and 3.064 in place of 2, of the same road: where all rounds take as long."""
    fixed, own = regret_question(certificate), own_envelope_question(certificate)
    assert own.evidence.words[6:] == fixed.evidence.words
    _, _, widest = _own_numbers(own)
    width = 2 * sqrt(2 * log(100 * pi**2 * 40**2 / (6 * 0.1)))
    assert float(own.claim / fixed.claim) == pytest.approx(3.064 * sqrt(widest) / width, rel=1e-6)
    assert own.claim < own_question(certificate).claim  # type: ignore[union-attr]
    times = certificate["problem"]["times"]
    uneven = of_problem(certificate, times=[0.5, *times[1:]])
    assert own_envelope_question(uneven) is None
    assert own_question(uneven) is not None
    assert own_question(of_problem(certificate, time_kernel=matern(0.5, 50.0)))
    with pytest.raises(InvalidInput, match="a round of the file takes longer"):
        own_question({**certificate, "longest": times[0] / 2})


@pytest.mark.parametrize("seed", range(8))
def test_no_run_gains_more_than_one_whose_rounds_take_the_longest_time(seed: int) -> None:
    rng = np.random.default_rng(seed)
    stated = Stated.of({"problem": problem_data(drawn(seed))})
    n, longest, slope = 30, 2.0, float(rng.choice([0.0, 1e-3, 0.1, 3.0]))
    at = [stated.places[i] for i in rng.integers(len(stated.places), size=n)]
    space = stated.over_space(at, at)

    def gain(durations: np.ndarray) -> float:
        times = np.cumsum(durations)
        joint = space * np.exp(-slope * np.abs(times[:, None] - times[None, :]))
        return 0.5 * float(np.linalg.slogdet(np.eye(n) + float(stated.ratio) * joint)[1])

    most = gain(np.full(n, longest))
    for _ in range(20):
        assert gain(longest * rng.random(n) ** rng.integers(1, 9)) <= most * (1 + 1e-9)


def test_late_results_leave_the_gain_and_the_floor(certificate: Mapping[str, Any]) -> None:
    """The gain of points does not ask when results come; the floor grows with the delay."""
    late = of_problem(certificate, delay=3)
    for question in (gain_question, design_question, space_question):
        assert question(late) == question(certificate)
    at_once, later = floor_question(certificate), floor_question(late)
    assert 4 * at_once.claim > later.claim > 2 * at_once.claim
    own = of_problem(late, time_kernel=matern(2.5, 50.0))
    assert floor_question(own) == floor_question(of_problem(own, delay=0))


@pytest.mark.parametrize("delay", [0, 1, 4, 100])
def test_late_shares_are_those_of_the_rounds_that_are_known(delay: int) -> None:
    """By the recursion and by solving for the weights of the rounds that are known."""
    stated = replace(Stated.of({"problem": problem_data(drawn(1))}), clock=Fraction(1, 50))
    lags, noise = stated.over_time(), 1 / float(stated.ratio)
    found, _ = shares(stated, delay)
    for i, share in enumerate(found):
        known = max(i - delay, 0)
        seen = lags[:known, :known] + noise * np.eye(known)
        left = 1 - lags[i, :known] @ np.linalg.solve(seen, lags[i, :known])
        assert share == pytest.approx(left, abs=1e-9)


def _mean_of_largest(count: int) -> float:
    """By another rule: ∫ x d(Φᵐ), integrated by parts, from SciPy's distribution function."""
    x = np.linspace(-12, 12, 200_001)
    below = norm.cdf(x) ** count
    return float(12 - np.trapezoid(below, x))


@pytest.mark.parametrize("count", [2, 3, 10, 64, 200])
def test_levels_are_below_the_mean_of_the_largest_by_half_a_width(count: int) -> None:
    short = _mean_of_largest(count) - largest_of(count)
    assert 0 <= short <= 0.501 * WIDTH + 2e-6 * count


@pytest.mark.parametrize("seed", range(14))
def test_points_that_are_far_apart_have_so_much_of_the_identity(seed: int) -> None:
    stated = Stated.of({"problem": problem_data(drawn(seed))})
    points, own, root = far_apart(stated)
    assert len(set(points)) == len(points) or not points
    if points:
        at = [stated.places[i] for i in points]
        rest = stated.over_space(at, at) - own * np.eye(len(at)) - root @ root.T
        assert np.all(np.diag(rest) >= np.abs(rest).sum(1) - np.abs(np.diag(rest)))


def test_a_floor_is_below_that_of_the_certificate_and_above_two_points(
    certificate: Mapping[str, Any],
) -> None:
    """m* of two points is at most 1/√π, that of the certificate is Slepian's or larger."""
    question = floor_question(certificate)
    left, weights = shares(Stated.of(certificate))
    assert weights is None
    assert left == pytest.approx(certificate["floor"]["shares"], abs=1e-9)
    lost = float(np.sum(1 - np.sqrt(1 - left)))
    assert lost / sqrt(pi) < float(question.claim) < certificate["floor"]["maximum"]["value"] * lost
    assert float(question.claim) <= _claimed(certificate, "floor")
    assert claimed(question, 1e-3).claim == Fraction("0.001")
    assert claimed(question, 1e3).claim == question.claim


def test_weights_leave_what_the_recursion_does() -> None:
    """A clock that forgets, once by its recursion and once by weights for all rounds before."""
    drifting = replace(Stated.of({"problem": problem_data(drawn(1))}), clock=Fraction(1, 50))
    recursion, none = shares(drifting)
    assert none is None
    _, left = drifting.weights(drifting.over_time())
    assert left == pytest.approx(recursion, abs=1e-9)


def test_a_certificate_without_its_dual_is_refused(certificate: Mapping[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="dual"):
        regret_question({**certificate, "inflated": None, "dual": None})
    with pytest.raises(InvalidInput, match="design"):
        design_question({**certificate, "design": None})
    loose = regret_question({**certificate, "inflated": None})
    assert regret_question(certificate).claim < loose.claim


MATERN = matern(3.5)
WIDE = {"type": "Grid", "dimension": 2, "side": 9.0, "points_per_axis": 99}
ANEW, NO_KEY = "write the certificate anew", "its problem has"
HOSTILE: list[tuple[dict[str, Any], str | None]] = [
    # A place of the file ↦ a value; and what the one line says.
    ({"inflated.dual.0.points": "none"}, "its points is no list"),
    ({"inflated.dual.0.time_modes": [1.0]}, ANEW),
    ({"design": [10**6] * 40}, ANEW),
    ({"lines.0.points": [10**6]}, ANEW),
    *(({"problem.grid": count}, ANEW) for count in (0, 201)),
    ({"problem.noise_variance": 0.0}, ANEW),
    ({"longest": 1e308}, ANEW),
    ({"problem.times": [1.0] * 2_001}, "asked up to"),
    *(
        ({"problem.space_kernel": {**MATERN, "nu": n}}, None)
        for n in ("3.5", [3.5], 1e308, 10**400)
    ),
    ({"problem.time_kernel": {**MATERN, "nu": -3.5}}, None),
    ({"problem.space_kernel": {**MATERN, "nu": 1e6 + 0.5}}, None),
    *(({"problem.space_kernel": {**MATERN, "lengthscale": r}}, None) for r in (0, 1e-300)),
    *(({"problem.delay": delay}, None) for delay in (-1, 1.5, "2", None)),
    ({"problem.noise_variance": 1e-300}, None),
    # A key that nobody reads is refused.
    ({"problem.domain": WIDE}, NO_KEY),
    ({"problem.nugget": 0.5}, NO_KEY),
    ({"problem.noise": 1e-9}, NO_KEY),
]


@pytest.mark.parametrize(("edits", "said"), HOSTILE, ids=str)
def test_what_is_damaged_hostile_or_too_long_is_one_line(
    certificate: Mapping[str, Any], tmp_path: Path, edits: dict[str, Any], said: str | None
) -> None:
    other = deepcopy(dict(certificate))
    for place, value in edits.items():
        at(other, place, value)
    file = tmp_path / "hostile.json"
    file.write_text(json.dumps({**other, "digest": digest(other)}), encoding="utf-8")
    with pytest.raises(InvalidInput, match=said) as told:
        ask(file)
    assert "\n" not in str(told.value)


def test_a_file_with_another_digest_is_refused(certificate, tmp_path: Path) -> None:
    file = tmp_path / "damaged.json"
    file.write_text(json.dumps({**certificate, "version": "x"}), encoding="utf-8")
    with pytest.raises(InvalidInput, match="digest"):
        ask(file)


def test_a_dual_of_hours_is_refused_beforehand(certificate: Mapping[str, Any]) -> None:
    """As many modes of time as rounds: the work would be their square for each point and round."""
    n = 400
    dual = {
        "start": 0,
        "end": n,
        "alpha": 1.5,
        "points": [0],
        "time_modes": np.eye(n).tolist(),
        "space_modes": [[[1.0]], [[]], [[]], [[]]],
        "gains": [[[1.0]] * n, *[[[]] * n] * 3],
    }
    with pytest.raises(InvalidInput, match=r"would take some \d+\.\d hours"):
        gain_question(of_problem(certificate, times=[1.0] * n, grid=60) | {"dual": [dual]})
    more = {**dual, "end": 2, "time_modes": [[1.0, 0.0, 1.0]] * 2, "gains": [[[1.0]] * 3]}
    more["gains"] += [[[]] * 3] * 3
    with pytest.raises(Refused, match="more gains than rounds"):
        gain_question(of_problem(certificate, times=[1.0] * 2) | {"dual": [more]})


def test_what_no_feature_uses_is_left_out(certificate: Mapping[str, Any]) -> None:
    (dual,) = certificate["dual"]
    gains = [[*rows, [0.0] * len(rows[0])] for rows in dual["gains"]]
    modes = [[*row, 1.0] for row in dual["time_modes"]]
    padded = {**certificate, "dual": [{**dual, "time_modes": modes, "gains": gains}]}
    assert gain_question(padded) == gain_question(certificate)


def test_the_rate_is_that_of_the_kernel(certificate: Mapping[str, Any]) -> None:
    """Else a file of a fast process would be asked about as one of the slow ε beside it."""
    other = deepcopy(dict(certificate))
    other["problem"]["epsilon"] = 1e-9
    assert regret_question(other) == regret_question(certificate)
    other["problem"]["time_kernel"]["epsilon"] = 0.3
    assert regret_question(other).claim > 1.01 * regret_question(certificate).claim


def test_instants_are_durations_added_up(certificate: Mapping[str, Any]) -> None:
    instants = list(accumulate(certificate["problem"]["times"]))
    other = of_problem(certificate, given="times", times=instants)
    assert gain_question(other) == gain_question(certificate)


def test_the_screen_says_who_accepts_what() -> None:
    accepted, refused = "It accepts:", "It refuses:"
    answers = {
        Answered("row.envelope", True, 10.5, 10.5): "extracted from Coq accepts: regret of",
        Answered("gain.joint_dual", True, 3.25, 3.2): f"{accepted} the gain of any points",
        Answered("gain.lower", False, 3.1, 3.1): f"{refused} there are points with a gain",
        Answered("gamma", True, 2.5, 2.5): f"{accepted} if it did not move, the",
        Answered("gamma.box", True, 2.75, None): f"{accepted} and of any points of the whole box",
        Answered("floor", True, 1.5, 4.0): "of at least 1.5, by m*",
        Answered("point_times.regret", True, 50.5, 50.5): f"{accepted} where each point has an",
        Answered("point_times.envelope", False, 40.5, None): f"{refused} where each point has an",
    }
    shown = ByKernel(Checked(False, "extracted", tuple(answers), 7, 0.1, 0, 2.5, 1.0))
    said = " ".join(map(str, shown.screen().first))
    for answer, words in answers.items():
        assert words in said and f"{answer.claim:g}" in said
    assert "The certificate states 4.0: a larger m* and the start-up part are not in" in said
    assert "theorems are headline_sound" in said
    late = " ".join(map(str, ByKernel(replace(shown.checked, delay=2)).screen().first))
    assert "with results 2 rounds late" in late and "theorems are late_headline_sound" in late
    assert shown.exit_code() == 1
    assert shown.parts()["kernel"]["claims"][1]["stated"] == 3.2
    assert "Coq's kernel accepts" in ByKernel(replace(shown.checked, by="prover")).headline()


def test_the_program_lies_in_the_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Wherever receipts are kept, of which tests keep none."""
    monkeypatch.delenv("CTV_CHECKER", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert kept().parent == tmp_path / "ctv-bounds" / "checker"
    monkeypatch.setenv("CTV_CHECKER", str(tmp_path / "own"))
    assert kept().parent == tmp_path / "own"


def test_the_theories_that_the_checker_needs_are_found() -> None:
    names = {path.stem for path in needed()}
    assert {"definitions", "gains", "duality", "outcomes", "any_space"} <= names
    assert "statements" not in names
    assert not names & {path.stem for path in own_theories()}


def test_the_page_of_trust_names_definitions_that_stand_there() -> None:
    """Each file that it lists holds the words beside it, and no proof where it says so."""
    root = Path(__file__).resolve().parents[2]
    page = (root / "docs" / "trust.md").read_text(encoding="utf-8")
    every = {path.name: path for path in (root / "proofs_check").rglob("*.v")}
    listed_there = page.partition("hold no proof:")[2].partition("Beside them")[0]
    files = re.findall(r"`(\w+\.v)`: ([^;.]*)", listed_there)
    assert {name for name, _ in files} >= {"definitions.v", "outcomes.v", "problems.v"}
    for name, words in files:
        source = every[name].read_text(encoding="utf-8")
        for word in re.findall(r"`(\w+)`", words):
            assert re.search(rf"^(Definition|Fixpoint|Record|Inductive) {word}\b", source, re.M), (
                name,
                word,
            )
    assert "Lemma" not in every["outcomes.v"].read_text(encoding="utf-8")
