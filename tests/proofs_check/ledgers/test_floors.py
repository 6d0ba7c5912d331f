"""Claims on floors and ceilings by other means: counterexamples, and what the formulas stand for.

No formula of a claim is evaluated by the claims' language where its numbers are computed again:
integrals come from scipy, matrices from numpy, shares from the library.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import integrate
from scipy.stats import norm

from bounds.kernels import Matern, SquaredExponential
from bounds.regret.ingredients.full_information import variance_left
from bounds.times import EvaluationTimes
from proofs_check.language.arithmetics import floats
from proofs_check.language.claim import Verdict
from proofs_check.language.formula import evaluate, relation
from proofs_check.ledgers import PAPERS
from proofs_check.records.ledger import Ledger
from proofs_check.records.verify import verify

SECTIONS = ("floors", "floors_one_arm", "floors_times", "ceilings", "entropy_margin", "elimination")
CLAIMS = {
    claim.id: claim
    for section in PAPERS["theory"].sections
    if section.name in SECTIONS
    for claim in section.claims
}
REFUTED = tuple(name for name, claim in CLAIMS.items() if claim.expected is Verdict.REFUTED)
M_STAR = math.sqrt(2.0 / math.pi)  # of f and -f

Case = dict[str, Any]
Sides = tuple[float, float]


def share(gram: np.ndarray, known: list[int], at: int, noise: float) -> float:
    """Var g(at) given noisy looks at the known instants, by a dense solve."""
    inner = gram[np.ix_(known, known)] + noise * np.eye(len(known))
    cross = gram[known, at]
    return float(gram[at, at] - cross @ np.linalg.solve(inner, cross)) if known else 1.0


def least_loss(mean: float, spread: float) -> float:
    """E|f| - |mean| for f normal, by quadrature."""
    value, _ = integrate.quad(
        lambda x: abs(x) * norm.pdf(x, mean, spread),
        mean - 9 * spread,
        mean + 9 * spread,
        points=[0.0] if abs(mean) < 9 * spread else None,
        limit=200,
    )
    return float(value) - abs(mean)


def largest_of_two() -> float:
    """E max of two independent standard normal values, by quadrature of its density."""
    return float(integrate.quad(lambda x: 2 * x * norm.pdf(x) * norm.cdf(x), -12, 12)[0])


def third_round(case: Case) -> Sides:
    """The policy that refreshes near ties, its third round by integrals over the first mean."""
    nu, c = float(case["nu"]), float(case["c"])
    p = nu / (1 + nu)
    fresh = M_STAR * (1 - math.sqrt(1 - p))
    near = norm.cdf(c, scale=math.sqrt(1 - p)) - norm.cdf(-c, scale=math.sqrt(1 - p))
    far, _ = integrate.quad(
        lambda mu: 2 * norm.pdf(mu, scale=math.sqrt(1 - p)) * least_loss(mu, math.sqrt(p)),
        c,
        c + 12,
        limit=200,
    )
    return M_STAR * (1 - math.sqrt(1 - nu / (nu + 2))), float(near) * fresh + float(far)


def epochs(case: Case) -> Sides:
    """Regret and floor in units of m*, the floor as a sum over the first 10⁵ rounds and a log."""
    m, n, c = case["m"], case["n"], float(case["c"])
    losses = 1 - np.sqrt(1 - 1 / np.arange(1, 100_001))
    first = min(n, 100_000)
    floor = float(losses[:first].sum()) + (0.5 * math.log(n / first) if n > first else 0.0)
    p = 1 / (1 + m)
    kept = 2 * norm.sf(c, scale=math.sqrt(1 - p))
    return floor, float(losses[:m].sum()) / kept + n * least_loss(c, math.sqrt(p)) / M_STAR


def unsafe(case: Case) -> Sides:
    gram, nu = np.array(case["J"], dtype=float), float(case["nu"])
    c = np.array(case["c"], dtype=float)
    r = gram[:2, 2] - (gram[:2, :2] + nu * np.eye(2)) @ c
    return float(1 - gram[:2, 2] @ c - c @ r), share(gram, [0, 1], 2, nu)


def smooth(case: Case) -> Sides:
    gram, nu = np.array(case["J"], dtype=float), float(case["nu"])
    q = share(gram, [0], 1, nu)
    return 1 - gram[1, 2] ** 2 * (1 - q * nu / (q + nu)), share(gram, [0, 1], 2, nu)


def late(case: Case) -> Sides:
    nu, a, b = (float(case[name]) for name in ("nu", "a", "b"))
    gram = np.array([[1, a, a * b], [a, 1, b], [a * b, b, 1]])
    return share(gram, [0], 2, nu), share(gram, [0, 1], 2, nu)


def loud(case: Case) -> Sides:
    eps, nu = float(case["eps"]), float(case["nu"])
    p = 1.0
    for _ in range(100_000):
        p = 1 - (1 - eps) * (1 - p * nu / (p + nu))
    return math.sqrt(eps * nu), p


def falling(case: Case) -> Sides:
    values, a, h = [float(v) for v in case["f"]], case["a"], float(case["h"])
    total = 0.0
    for x, value in enumerate(values):
        rival = max(v for y, v in enumerate(values) if y != x)
        charge = [u if u <= h else 0.0 for u in (max(0.0, rival - value), max(0.0, value - rival))]
        total += max(0.0, rival - value) - charge[0] if x == a else charge[1]
    return total, max(values) - values[a]


def biased(case: Case) -> Sides:
    """Cost of exploiting where y <= c, against its mean over all y, both times P(y <= c)."""
    c = float(case["c"])
    cost, _ = integrate.quad(lambda y: norm.pdf(y) * (1 / math.sqrt(math.pi) - max(y, 0)), -12, c)
    return float(cost), float(norm.cdf(c)) * (1 / math.sqrt(math.pi) - 1 / math.sqrt(2 * math.pi))


def second_tangent(case: Case) -> Sides:
    z = float(case["z"])
    m, p = norm.pdf(z) / norm.cdf(z), norm.cdf(z)
    h = 1e-6

    def g(q: float) -> float:
        return float(norm.pdf(norm.ppf(q)) ** 2 / q)

    slope = (g(p + h) - g(p - h)) / (2 * h)
    assert slope == pytest.approx(-2 * z * m - m * m, rel=1e-5)
    return 0.0, float(g(p) + slope * (1 - p))


def known_mean(case: Case) -> Sides:
    """The loss of knowing nothing of one draw ±1 but a share t of it, the better point known."""
    d, t = float(case["d"]), float(case["t"])
    signs = np.array([-1.0, 1.0])

    def best(scale: float) -> float:
        return float(np.maximum(d + scale * signs, 0.0).mean())

    return 1 - t, best(2.0) - best(2.0 * t)


def thompson_between_means(case: Case) -> Sides:
    """Regret of one round: values (d+s, -s), the draw with a sign of its own."""
    d, signs = float(case["d"]), np.array([1.0, -1.0])
    values = np.stack([d + signs, -signs])
    played = values[np.argmax(values, axis=0)].mean(axis=1)  # of each draw, over the truth
    most = values.max(axis=0).mean()
    return float(most - played.mean()), float(most - d)


AGAIN: dict[str, Callable[[Case], Sides]] = {
    "theory-f-certificate-unsafe": unsafe,
    "theory-f-recursion-smooth": smooth,
    "theory-f-delay": late,
    "theory-f-rate-loud": loud,
    "theory-f-chosen-round": third_round,
    "theory-f-chosen-times": epochs,
    "theory-f-lattice-rounds": lambda c: (
        sum(min(float(v) for v in c["rho"][2 * k : 2 * k + 2]) for k in range(2)),
        float(c["rho"][c["g0"] - 1] + c["rho"][c["g0"] + c["g1"] - 1]),
    ),
    "theory-f-level-noise": lambda c: (float(c["m"]) ** 2, float(c["m"])),
    "theory-rank-second-negative": lambda c: (
        float(integrate.quad(lambda w: norm.pdf(w) * max(w, float(c["r"]) * w), -12, 12)[0]),
        1 / math.sqrt(2 * math.pi),
    ),
    "theory-g-falling": falling,
    "theory-g-block-played": lambda c: (2 * float(c["w"]) / math.sqrt(math.pi), math.pi**-0.5),
    "theory-t-unclipped": lambda c: (math.pi**-0.5, 2 * float(norm.pdf(float(c["z"])))),
    "theory-t-second-tangents": second_tangent,
    "theory-x-adaptive": biased,
    "theory-x-known-mean-thompson": thompson_between_means,
    "theory-half-range-negative": lambda c: (
        float(np.array([0.5, -0.5]) @ [[1, float(c["r"])], [float(c["r"]), 1]] @ [0.5, -0.5]),
        0.5,
    ),
    "theory-entropy-trace-rankless": lambda c: (
        float(np.trace(np.reshape(np.array(c["M"], dtype=float), (c["n"], -1))) ** 2),
        float(sum(float(v) ** 2 for v in c["M"])),
    ),
    "theory-f-known-mean-same": known_mean,
    "theory-f-told": lambda c: ((1 - math.sqrt(1 - c["p"])) * largest_of_two(), 0.0),
    "theory-mean-maximum-arms-upper": lambda c: (
        float(integrate.quad(lambda t: 1 - norm.cdf(t) ** 2, 0, 12)[0]),
        largest_of_two(),
    ),
    "theory-f-hidden-whole": lambda c: (
        share(np.ones((2, 2)), [0], 1, float(c["nu"]) / float(c["b"])),
        share(np.ones((2, 2)), [0], 1, float(c["nu"])),
    ),
    "theory-g-limit-always": lambda c: (
        float(c["d"]) * float(c["e"]),
        float(c["N"]) * float(c["e"]) ** 2,
    ),
    "theory-t-exploration-played": lambda c: (
        float(c["n"]) - float(c["m"]),
        float(c["w"]) * float(c["s"]),
    ),
    "theory-q-constants-smaller": lambda c: (160 + 160 * 2**0.5 + 4.0, 390.0),
    "theory-q-elimination-any": lambda c: (float(c["g"]) - float(c["f"]), 4 * float(c["a"])),
    "theory-q-exchange-wider": lambda c: (
        (float(c["g"]) - float(c["e"])) - (float(c["f"]) - float(c["d"])),
        4 * float(c["a"]),
    ),
    "theory-q-windows-floor": lambda c: (float(c["x"]) / 2, float(math.floor(float(c["x"])))),
    "theory-margin-ties": lambda c: (float(c["r"] == 1), 0.0),
    "theory-margin-failed-any": lambda c: (
        math.exp(-c["b"]) * math.sqrt(c["b"]),
        math.exp(-c["a"]) * math.sqrt(c["a"]),
    ),
}


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    return verify(REFUTED)


@pytest.mark.parametrize("name", REFUTED)
def test_a_counterexample_holds_by_other_means(ledger: Ledger, name: str) -> None:
    row = ledger[name]
    assert row.verdict is Verdict.REFUTED and row.counterexample is not None
    smaller, larger = AGAIN[name](row.counterexample.case)
    assert smaller > larger


@pytest.mark.parametrize("kernel", [Matern(0.5, 2.0), SquaredExponential(3.0)])
def test_the_formula_of_the_share_is_the_librarys(kernel: Any) -> None:
    """The determinants of the claims, the dense solve and the program say one number."""
    times, noise = [0.5, 1.25, 2.0], 0.3
    gram = np.array(
        [
            [float(kernel.at_distance(abs(s - t))) for s in np.cumsum(times)]
            for t in np.cumsum(times)
        ]
    )
    left = variance_left(EvaluationTimes.from_durations(times), kernel, noise).shares
    case = {"J": gram.tolist(), "nu": noise}
    claim = CLAIMS["theory-f-fewer"]
    formula = relation(claim.expanded(claim.searched)).left
    assert evaluate(formula, floats(), case) == pytest.approx(share(gram, [0, 1], 2, noise))
    assert left[2] == pytest.approx(share(gram, [0, 1], 2, noise), rel=1e-9)


def test_the_posterior_keeps_the_share() -> None:
    """theory-f-gram with dense matrices, more looks and points than its formula has."""
    rng = np.random.default_rng(3)
    for _ in range(40):
        looks, points = int(rng.integers(1, 6)), int(rng.integers(1, 5))
        raw = rng.standard_normal((looks + points, 4))
        space = raw @ raw.T / 8.0
        kappa = float(np.max(np.diag(space)))
        lags = np.abs(np.subtract.outer(*[np.sort(rng.uniform(0, 3, looks + 1))] * 2))
        time, noise = np.exp(-(lags**2)), float(rng.uniform(0.01, 2.0))
        seen = space[:looks, :looks] * time[:looks, :looks] + noise * np.eye(looks)
        cross = space[:looks, looks:] * time[:looks, looks:][:, [0]]
        prior = space[looks:, looks:]
        posterior = prior - cross.T @ np.linalg.solve(seen, cross)
        p = share(time, list(range(looks)), looks, noise / kappa)
        assert np.linalg.eigvalsh(posterior - p * prior).min() > -1e-10
        assert np.linalg.eigvalsh(prior - posterior).min() > -1e-10


def test_the_refreshing_policy_pays_what_the_claim_says() -> None:
    """A simulation of the third round at the claim's own witness."""
    case = CLAIMS["theory-f-chosen-round"].witnesses[0]
    nu, c = float(Fraction(case["nu"])), float(Fraction(case["c"]))
    rng = np.random.default_rng(0)
    size = 400_000
    f = rng.standard_normal(size)
    look = f + math.sqrt(nu) * rng.standard_normal(size)
    mean = look / (1 + nu)
    tied = np.abs(mean) < c
    f = np.where(tied, rng.standard_normal(size), f)
    look = np.where(tied, f + math.sqrt(nu) * rng.standard_normal(size), look)
    cost = np.abs(f) - f * np.sign(look)
    floor, paid = third_round({"nu": nu, "c": c})
    assert cost.mean() == pytest.approx(paid, abs=5 * cost.std() / math.sqrt(size))
    assert paid < floor
