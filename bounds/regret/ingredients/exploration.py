"""Constant exploration: E R_n for the policy that maximises μ + √b·σ with one b for all rounds.

Evaluation times fixed beforehand, a finite domain D, x_i a maximiser of μ + √b·σ at τ_i. Then

    E R_n/n ≤ √b·S̄ + N₀ G(√b) + (|D| − N₀) T(b)

with S̄ ≥ Σσ_{i−1}(x_i,τ_i)/n for every design, G(z) = ϕ(z) − z(1−Φ(z)), N₀ the points without a
predecessor (1 on a grid), and T(b) = sup E(X − Y₊)₊ over X ~ N(−√b p, p²), Y ~ N(−√b q, q²) with
p, q ∈ [0, 1] and Var(X − Y) ≤ min(d², (p+q)²), d² = 2(1 − k_space(neighbours))
(docs/theory.md#constant-exploration).

Proof. With U = μ + √b σ, f* ≤ U(x_i) + max_x (f − U)(x)₊, and the last term is telescoped from 0
with one grid neighbour before each point. X = f(x) − U(x), Y the same of the neighbour; their
increment has a posterior variance of at most d², and E(X − Y₊)₊ grows with it (Slepian).

T is homogeneous: with r = q/p it is p·H(r, ρ), H(r, ρ) = E(A − r B₊)₊ for A, B ~ N(−√b, 1) of
correlation ρ = (1 + r² − (d/p)²)/(2r), or −1 where d ≥ p + q. H falls in r and in ρ, so
p₁·H(r₀, least ρ) bounds a whole box of (p, r); boxes are halved until the largest bound is near
the largest value found. T is at most d·G(−√b) too. H itself is bounded above by chords: given B it
is convex on either side of B = 0.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import isqrt, log2, pi, sqrt

import numpy as np
from scipy import special

from bounds import enclosure
from bounds.arithmetic import BALLS, DOUBLES
from bounds.arrays import FloatArray
from bounds.enclosure import matrices
from bounds.enclosure.doubles import U, require_doubles
from bounds.enclosure.normal import mean_excess_up
from bounds.errors import InvalidInput
from bounds.formulas import tail_mean
from bounds.numerics.least import least_between
from bounds.problem import Problem

TOLERANCE = 0.15
"""Relative distance of the proved supremum from the largest value found, at which to stop."""

MOST_BOXES = 4_000
_WORTH = 0.005  # share of the bound for whose sake T is not searched further
_REACH = 12.0  # P(|Z| > 12) is below 4e-33
_BITS = 64
_LARGEST_ROOT = 12.0
_FINE, _COARSE = (40, 60), (12, 24)  # meshes of p and q/p: to report, and to choose b by
_LEGENDRE = np.polynomial.legendre.leggauss(40)


@dataclass(frozen=True)
class IncrementSupremum:
    """T(b) ≤ upper, proved by enclosure; `found` ≤ T(b) up to floating point.

    Attributes
    ----------
    b, distance : the b and the d of T
    upper : outward rounded upper bound on the supremum
    found, p, q : the largest value met, in floating point, and where
    boxes : how many boxes the proof takes
    """

    b: float
    distance: float
    upper: float
    found: float
    p: float
    q: float
    boxes: int
    certified: bool = True


@dataclass(frozen=True)
class Exploration:
    """The b of constant exploration √b, and what is proved of T(b); None for one point."""

    b: float
    supremum: IncrementSupremum | None


def neighbour_distance(problem: Problem) -> float:
    """d = √(2(1 − k_space(h))), the largest over a tree of neighbours; 0 for a single point."""
    gaps = problem.domain.links()
    if len(gaps) == 0:
        return 0.0
    apart = float(np.max(problem.space_kernel.complement(gaps)))
    # Outward by more than the rounding of the kernel.
    return sqrt(2.0 * apart) * (1.0 + 1e-12)


def best_exploration(
    problem: Problem, mean_deviation: float, b: float | None = None
) -> Exploration:
    """T(b) at the given b, or at the one that makes √b·S̄ + N₀G(√b) + (|D| − N₀)T(b) small.

    Parameters
    ----------
    problem : domain and space kernel matter
    mean_deviation : S̄ ≥ Σσ_{i−1}(x_i,τ_i)/n for every design (`noise_inflation.deviation_bound`)
    b : ≥ 0

    Raises InvalidInput for a b or S̄ outside its domain. Some seconds, those of
    `increment_supremum`, which is cut short where T no longer matters.
    """
    if not 0.0 <= mean_deviation <= 1.0:
        raise InvalidInput("mean deviation", mean_deviation, "give a number in [0, 1]")
    if b is not None and not 0.0 <= b <= _LARGEST_ROOT**2:
        raise InvalidInput("b", b, f"give a number in [0, {_LARGEST_ROOT**2:g}]")
    size, d = problem.domain.size, neighbour_distance(problem)

    def rough(root: float) -> float:
        rest = (size - 1) * _largest(root, d, _COARSE)[0] if size > 1 else 0.0
        return root * mean_deviation + float(tail_mean(DOUBLES, root)) + rest

    if b is None:
        root, _ = least_between(rough, 0.0, _LARGEST_ROOT, 1e-2)
    else:
        root = sqrt(b)
    if size == 1:
        return Exploration(root * root, None)
    without = root * mean_deviation + float(tail_mean(DOUBLES, root))
    return Exploration(
        root * root, increment_supremum(root * root, d, enough=_WORTH * without / (size - 1))
    )


def increment_supremum(
    b: float, distance: float, tolerance: float = TOLERANCE, *, enough: float = 0.0
) -> IncrementSupremum:
    """An upper bound on T(b), proved by enclosures over boxes that cover all p and q.

    Parameters
    ----------
    b : ≥ 0
    distance : d > 0
    tolerance : > 0, at which relative distance from the largest value found to stop; whatever the
        tolerance and the number of boxes, the result is an upper bound
    enough : an upper bound as small as this needs no more search

    Cost: some 4 ms a box, at most 4,001 boxes; from 0.2 s at d = 0.5 to 10 s at d = 1e-4.

    >>> supremum = increment_supremum(4.0, 0.5, tolerance=0.3)
    >>> supremum.found <= supremum.upper <= 1.3 * supremum.found
    True
    """
    if not (distance > 0 and tolerance > 0):
        raise InvalidInput("distance, tolerance", (distance, tolerance), "give positive numbers")
    root = sqrt(b)
    largest, p, q = _largest(root, distance)
    # 1 − ρ², which is of the order of d², keeps its leading digits.
    with enclosure.precision(_BITS + max(0, int(-2.0 * log2(distance)))):
        chords = _Chords(root)
        ceiling, direct = chords.alone(), chords.difference(distance)
        goal = max(largest * (1.0 + tolerance), enough)
        # p·G(√b) bounds T for small p outright.
        least = min(max(largest * (1.0 + 0.5 * tolerance), enough) / ceiling, 1.0)
        heap: list[tuple[float, tuple[float, float, float, float]]] = []
        settled, boxes = least * ceiling * (1.0 + 1e-15), 1
        # Slices of p in geometric steps, so that d/p hardly varies inside one.
        edges = np.geomspace(least, 1.0, 9) if least < 1.0 and direct > goal else np.array([])
        for low, high in pairwise(edges):
            top = min(1.0 + distance / low, 1.0 / low)
            box = (float(low), float(min(high * (1 + 1e-15), 1.0)), 0.0, float(top * (1 + 1e-15)))
            heapq.heappush(heap, (-chords.bound(box, distance), box))
        while heap and -heap[0][0] > goal and boxes < MOST_BOXES:
            _, (p0, p1, r0, r1) = heapq.heappop(heap)
            scale = distance / p0
            if (r1 - r0) / min(scale, 1.0) > 2.0 * (p1 - p0) / p0:
                middle = 0.5 * (r0 + r1)
                halves = [(p0, p1, r0, middle), (p0, p1, middle, r1)]
            else:
                middle = 0.5 * (p0 + p1)
                halves = [(p0, middle, r0, r1), (middle, p1, r0, r1)]
            for box in halves:
                boxes += 1
                heapq.heappush(heap, (-chords.bound(box, distance), box))
        upper = direct if direct <= goal else max(settled, -heap[0][0] if heap else 0.0)
        upper = min(upper, direct)
    # The mesh is a quadrature, which may be above by more than the bound.
    return IncrementSupremum(b, distance, upper, min(largest, upper), p, q, boxes)


class _Chords:
    """Upper bounds on H(r, ρ) for one √b, in outward rounded arithmetic.

    H = ∫ ϕ(z) w·g((ρz − β − r(z−β)₊)/w) dz, β = √b, w² = 1 − ρ², g(x) = xΦ(x) + ϕ(x). The second
    factor is convex in z below and above β, hence below its chords, whose integrals against ϕ are
    sums of its values at the nodes with weights ≥ 0, balls around Φ and ϕ at the ends of a cell.
    Beyond ±12 Cauchy–Schwarz leaves less than 1e-15. As g rises and only upper bounds are wanted,
    the values are doubles rounded up: their sum is some 1e-15 of itself above that of balls.
    """

    def __init__(self, root: float) -> None:
        require_doubles()
        fine = np.concatenate([np.arange(-60, 61) * 0.02, np.arange(4, 17) * 0.3125 - 0.05])
        cells = {-_REACH, _REACH, root, *(root + fine), *np.arange(-_REACH, _REACH, 0.5)}
        self.root = Fraction(root)
        nodes = sorted(float(z) for z in cells if abs(z) <= _REACH)
        self._nodes = np.array(nodes)
        self._before = self._nodes <= root
        normal = 1 / enclosure.sqrt(2 * enclosure.pi())
        exact = [enclosure.ball(enclosure.exact_double(z)) for z in nodes]
        cdf = [enclosure.normal_cdf(z) for z in exact]
        density = [enclosure.exp(-z * z / 2) * normal for z in exact]
        weights = [enclosure.ball(0) for _ in nodes]
        for j, (low, high) in enumerate(pairwise(exact)):
            mass, moment = cdf[j + 1] - cdf[j], density[j] - density[j + 1]
            width = high - low
            weights[j] += (high * mass - moment) / width
            weights[j + 1] += (moment - low * mass) / width
        # The integral of a hat against ϕ: nothing below 0 is lost.
        self._weights = np.maximum([matrices.upward(weight) for weight in weights], 0.0)
        far = enclosure.normal_cdf(-enclosure.exact(Fraction(_REACH)))
        self._tail = matrices.upward(2 * enclosure.sqrt(2 * far))

    def alone(self) -> float:
        """G(√b), rounded up."""
        return _upper(tail_mean(BALLS, enclosure.ball(enclosure.exact(self.root))))

    def difference(self, distance: float) -> float:
        """d·G(−√b), rounded up: T is at most E(X − Y)₊, and E(X − Y) at most d√b."""
        mean = tail_mean(BALLS, -enclosure.ball(enclosure.exact(self.root)))
        return _upper(enclosure.exact(Fraction(distance)) * mean)

    def bound(self, box: tuple[float, float, float, float], distance: float) -> float:
        """An upper bound on T over p ∈ [p0, p1], q/p ∈ [r0, r1]; −1 where no such pair exists."""
        p0, _, r0, r1 = (Fraction(end) for end in box)
        d = Fraction(distance)
        if r1 < 1 - d / p0 or r0 > 1 + d / p0:  # |p − q| > d all over the box
            return -1.0
        least = self._least_correlation(p0, r0, r1, d)
        if least >= 1:
            return 0.0
        return float(np.nextafter(box[1] * self._height(r0, least), np.inf))

    def _least_correlation(self, p0: Fraction, r0: Fraction, r1: Fraction, d: Fraction) -> Fraction:
        """A rational number below ρ on the whole box; ρ grows with p, so p0 is the worst."""
        gap = (d / p0) ** 2
        if r0 == 0 or p0 * (1 + r0) <= d:
            return Fraction(-1)
        at = [(1 + r * r - gap) / (2 * r) for r in (r0, r1)]
        # Rounded down by a small part of 1 − ρ, which is of the order of (d/p)² and may be tiny.
        parts = int(10**9 / min(gap, Fraction(1))) + 1
        if gap < 1 and r0 * r0 < 1 - gap < r1 * r1:
            at.append(Fraction(isqrt(int((1 - gap) * parts**2)), parts))
        return max(min(at).limit_denominator(parts) - Fraction(1, parts), Fraction(-1))

    def _height(self, r: Fraction, rho: Fraction) -> float:
        if rho == -1:
            # A = −2β − B: A and B are never both positive for β ≥ 0, so Y₊ does not help.
            return self.alone()
        z, before, root = self._nodes, self._before, self.root
        width = float(enclosure.sqrt(1 - rho * rho))
        # ρz − β − r(z−β)₊ as slope·z + start, both exact, each rounded once: three roundings in
        # all of numbers of at most that size, and one for w and one for the quotient.
        slope = np.where(before, float(rho), float(rho - r))
        start = np.where(before, float(-root), float(r * root - root))
        linear = slope * z
        size = np.abs(linear) + np.abs(start)
        x = (linear + start) / width
        x = x + (10.0 * U / width) * size + 2.0**-1000
        up = float(self._weights @ mean_excess_up(x)) * (1.0 + (len(z) + 16) * U)
        return (self._tail + width * (1.0 + 8.0 * U) * up) * (1.0 + 8.0 * U)


def _upper(value: enclosure.Number) -> float:
    """A float at least as large as the enclosed number."""
    return float(np.nextafter(float(enclosure.endpoints(value)[1]), np.inf))


def _correlation(r: FloatArray, gap: float | FloatArray) -> FloatArray:
    """ρ(r) at d/p = gap; −1 where d ≥ p + q."""
    positive = np.maximum(r, 1e-300)
    rho = (1.0 + r * r - np.square(gap)) / (2.0 * positive)
    return np.asarray(np.where(1.0 + r <= gap, -1.0, np.clip(rho, -1.0, 1.0)))


def _heights(r: FloatArray, rho: FloatArray, root: float) -> FloatArray:
    """H(r, ρ) by Gauss–Legendre on either side of the kink."""
    nodes, weights = _LEGENDRE
    width = np.sqrt(np.maximum(1.0 - rho * rho, 1e-30))[..., None]
    total = np.zeros(np.shape(r))
    for low, high in pairwise((min(-9.0, root - 2.0), root - 1.0, root, root + 1.0, root + 9.0)):
        z = low + 0.5 * (high - low) * (nodes + 1.0)
        x = (rho[..., None] * z - root - r[..., None] * np.maximum(z - root, 0.0)) / width
        gain = x * special.ndtr(x) + np.exp(-0.5 * x * x) / sqrt(2.0 * pi)
        density = np.exp(-0.5 * z * z) / sqrt(2.0 * pi) * 0.5 * (high - low) * weights
        total = total + (width * gain) @ density
    # A = −2√b − B leaves no room for both to be positive.
    return np.where(rho <= -1.0, float(tail_mean(DOUBLES, root)), total)


def _largest(
    root: float, distance: float, mesh: tuple[int, int] = _FINE
) -> tuple[float, float, float]:
    """The largest T over a mesh of p and r, and where; floating point, a lower bound on sup T."""
    p = np.geomspace(min(0.5 * distance, 1.0) * 0.5, 1.0, mesh[0])[:, None]
    gap = distance / p
    share = np.linspace(0.0, 1.0, mesh[1])[None, :]
    low, high = np.maximum(1.0 - gap, 0.0), np.minimum(1.0 + gap, 1.0 / p)
    r = low + (high - low) * share
    values = p * _heights(r, _correlation(r, gap), root)
    i, j = np.unravel_index(int(np.argmax(values)), values.shape)
    return float(values[i, j]), float(p[i, 0]), float(p[i, 0] * r[i, j])
