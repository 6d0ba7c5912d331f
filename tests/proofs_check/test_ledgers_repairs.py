"""The repairs and the theorems of docs/theory.md, tried on matrices, grids and simulated rounds."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import pytest
import sympy

from bounds.partitions.uniformity import uniformity_of_uniform
from bounds.rates.exponents import symbolic_regimes
from proofs_check.ledgers import CLAIMS, opened


def second_formula(i: int, x: float) -> float:
    return x * (x**3 / 2 - 4 * i * x**2 / 3 + (i * i - 0.5) * x + i / 3)


def gram(kernel: str, points: np.ndarray) -> np.ndarray:
    gaps = np.abs(np.subtract.outer(points, points))
    return np.exp(-gaps) if kernel == "exponential" else np.exp(-(gaps**2))


def log_det(matrix: np.ndarray) -> float:
    return float(np.linalg.slogdet(np.eye(len(matrix)) + matrix)[1])


def psi(a: np.ndarray) -> float:
    return float(np.sum(np.log(a) + 1 / a - 1))


@pytest.mark.parametrize("i", [1, 2, 5, 12])
def test_second_formula_is_an_upper_bound(i: int) -> None:
    for x in np.linspace(0.05, i, 60):
        exact = uniformity_of_uniform(i, 1.0, float(x) ** 2)
        assert exact <= second_formula(i, float(x)) + 1e-9 * (1 + exact)


@pytest.mark.parametrize("xi", [1.0, 1.5, 2.0, 3.7])
@pytest.mark.parametrize("d", [1, 2])
def test_cell_centres_are_few_and_close(xi: float, d: int) -> None:
    cells = int(xi)
    axis = (np.arange(cells) + 0.5) / cells
    centres = np.array(list(product(axis, repeat=d)))
    assert len(centres) <= xi**d
    points = np.array(list(product(np.linspace(0, 1, 21), repeat=d)))
    distances = np.abs(points[:, None] - centres[None]).sum(axis=2).min(axis=1)
    assert distances.max() <= d / xi + 1e-12


@pytest.mark.parametrize("seed", range(20))
def test_block_bounds_on_gram_matrices(seed: int) -> None:
    """Lemma 13 repaired and Theorem A, against the gain of one block."""
    rng = np.random.default_rng(seed)
    n, s = int(rng.integers(1, 7)), float(10 ** rng.uniform(-2, 3))
    times = np.sort(rng.exponential(rng.choice([0.01, 1.0, 10.0]), n))
    slope = float(rng.uniform(0.01, 3))
    space = gram(str(rng.choice(["exponential", "se"])), rng.uniform(0, 2, n))
    gaps = np.abs(np.subtract.outer(times, times))
    joint = space * np.exp(-slope * gaps)
    drift = np.sum(np.minimum(1, slope * gaps) ** 2)
    gain, alone = log_det(s * joint), log_det(s * space)
    assert gain <= alone + n * np.log1p(s * np.sqrt(drift / n)) + 1e-9
    centre = float(rng.uniform(0, times[-1] + 1))
    deficit = 1 - np.exp(-2 * slope * np.abs(times - centre))
    assert gain <= alone + np.sum(np.log1p(s * deficit)) + 1e-9
    own = min(float(np.sum(np.log1p(s * (1 - np.exp(-2 * slope * row))))) for row in gaps)
    assert own <= n * np.log1p(s * np.sqrt(drift / n)) + 1e-9


@pytest.mark.parametrize("seed", range(30))
def test_theorem_c_on_simulated_rounds(seed: int) -> None:
    """Any posterior, any evaluation times, any f that the events E1 and E3 allow."""
    rng = np.random.default_rng(seed)
    for _ in range(400):
        size = int(rng.integers(2, 5))
        mean, known = rng.uniform(-2, 2, size), rng.uniform(0, 1, size) ** rng.choice([0.1, 1])
        rho = rng.uniform(0, 1, size) ** rng.choice([0.05, 1, 5])
        chosen = int(np.argmax(rho * mean + np.sqrt(1 - known * rho**2)))
        r = rho[chosen]
        middle, deviation = r * mean, np.sqrt(1 - known * r**2)
        low, high = np.maximum(-1, middle - deviation), np.minimum(1, middle + deviation)
        if np.any(low > high):
            continue
        regret = np.delete(high, chosen).max() - low[chosen]
        assert regret <= 3.067 * deviation[chosen] + 1e-9
        assert regret <= 3.064 * deviation[chosen] + 1e-9


@pytest.mark.parametrize("seed", range(20))
def test_certificate_against_every_design(seed: int) -> None:
    """Lemma R and its kernel form, with random R, against the best of all designs."""
    rng = np.random.default_rng(seed)
    points = rng.uniform(0, 1, 5)
    space, n, s = gram("se", points), 3, float(10 ** rng.uniform(-1, 2))
    best = max(
        log_det(s * space[np.ix_(design, design)])
        for design in map(list, combinations_with_replacement(range(5), n))
    )
    k, alpha = int(rng.integers(0, n + 1)), 1 + float(rng.exponential(2))
    mixing = rng.normal(size=(5, k)) * np.sqrt(s)
    inner = alpha * np.eye(k) + mixing.T @ space @ mixing
    seen = mixing.T @ space
    rest = 1 - np.sum(seen * np.linalg.solve(inner, seen), axis=0) if k else np.ones(5)
    eigenvalues = np.linalg.eigvalsh(inner) if k else np.ones(0)
    bound = psi(eigenvalues) + (n - k) * psi(np.array([alpha])) + s * n / alpha * rest.max()
    assert best <= bound + 1e-9


def test_second_derivatives_of_the_kernels() -> None:
    """The constants 1, 5/3, 3 of the first order and 3, 25 of the second, at lengthscale 1."""
    r = sympy.Symbol("r", positive=True)
    kernels = {
        "se": sympy.exp(-(r**2) / 2),
        "matern52": (1 + sympy.sqrt(5) * r + 5 * r**2 / 3) * sympy.exp(-sympy.sqrt(5) * r),
        "matern32": (1 + sympy.sqrt(3) * r) * sympy.exp(-sympy.sqrt(3) * r),
    }
    second = {name: -sympy.diff(k, r, 2).subs(r, 0) for name, k in kernels.items()}
    assert [sympy.simplify(v) for v in second.values()] == [1, sympy.Rational(5, 3), 3]
    assert sympy.diff(kernels["se"], r, 4).subs(r, 0) == 3
    assert sympy.simplify(sympy.diff(kernels["matern52"], r, 4).subs(r, 0)) == 25


def test_reflection_bound_on_simulated_paths() -> None:
    """Event E3 of Theorem C: Ornstein-Uhlenbeck paths on a grid leave u no more often than said."""
    rng = np.random.default_rng(0)
    rate, total, level, steps, paths = 1.0, 1.0, 3.5, 400, 20_000
    a = np.exp(-rate * total / steps)
    f = rng.normal(size=paths)
    worst = np.abs(f)
    for _ in range(steps):
        f = a * f + np.sqrt(1 - a * a) * rng.normal(size=paths)
        worst = np.maximum(worst, np.abs(f))
    allowed = 2 * np.e * np.ceil(rate * total * level**2) * np.exp(-(level**2) / 2)
    assert 0 < np.mean(worst > level) <= allowed < 1


BY_ID = {claim.id: claim for claim in CLAIMS}


@pytest.mark.parametrize(
    ("theorem", "bound"), [("theorem-1", "theorem1"), ("theorem-a", "refined")]
)
def test_the_regimes_are_the_derived_ones(theorem: str, bound: str) -> None:
    """The regimes that the ledger proves are those that `bounds.rates` derives."""
    kappa = sympy.Symbol("kappa")
    regimes = symbolic_regimes(bound).regimes
    names = ("static", "balanced", "fresh")
    assert len(regimes) == len(names)
    for regime, name in zip(regimes, names, strict=True):
        value = BY_ID[f"{theorem}-regime-{name}"].formula.rsplit("==", 1)[1]
        difference = sympy.sympify(value) - sympy.sympify(regime.exponent.at(kappa))
        c = [symbol for symbol in difference.free_symbols if str(symbol) == "c"]
        plain = difference.subs({symbol: sympy.Symbol("c") for symbol in c})
        assert sympy.simplify(plain) == 0, name


def test_the_printed_gain_fails_at_small_noise() -> None:
    printed = opened(["docs/ledgers/bogunovic2016"]).known["tv-gain-printed"]
    case = printed.witnesses[0]
    n, length, ratio, v = case["n"], case["N"], 1 / Fraction(case["v"]), Fraction(case["w"])
    lags = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
    gain = 0.5 * np.linalg.slogdet(np.eye(n) + float(ratio) * float(v) ** lags)[1]
    drift = length**3 * float(1 - v**2)
    printed = (n / length + 1) * (0.5 * np.log1p(float(ratio) * length) + drift)
    assert gain > printed + 0.1
