"""Gains of designs and of certificates evaluated in ball arithmetic, rounded outward.

What floating point found (points, factors, weights) is taken as exact; only what is claimed of it
is computed again, so a certificate holds whatever errors were made in finding it. The grid is
that of the exact points i·side/(q−1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from bounds import enclosure
from bounds.arrays import BallArray, FloatArray, IntArray
from bounds.domain import Domain
from bounds.enclosure import Lower, LowerArray, Number, matrices
from bounds.enclosure.doubles import (
    Doubles,
    Whitened,
    product_residual,
    require_doubles,
    sum_up,
)
from bounds.errors import InvalidInput, NoEnclosure
from bounds.kernels import Kernel
from bounds.noise import NoiseLevel
from bounds.progress import Share, unwatched
from bounds.static_gain.balanced import balanced_gains, is_independent
from bounds.static_gain.dual import GainCertificate
from bounds.static_gain.upper_curve import GainCurve, combine

if TYPE_CHECKING:
    from bounds.static_gain.designs import GainDesigns

_BALL_PRODUCTS_PER_SECOND = 2.5e7

_LONGEST_PREFIX = 400

_CLOSE = 1e-9
"""Radius, of log det in nats and of V in units of σ²α, up to which intervals in doubles will do."""

_CLOSE_WITHOUT_BALLS = 1e-6
"""The same for more points than balls are afforded for."""

MOST_POINTS, MOST_IN_DOUBLES = 1_200, 2_500
"""Points of a design up to which its gain is enclosed: some 10 s and 200 MB at the most by balls,
some 5 s and 1 GB by intervals in doubles."""


class GridDoubles:
    """The kernel of a domain as intervals in doubles, by parity."""

    def __init__(self, kernel: Kernel, grid: Domain) -> None:
        require_doubles()
        self.layout = grid.restricted(kernel)
        self._longest: tuple[IntArray, list[Doubles]] = (np.zeros(0, dtype=np.int64), [])

    def gram(self, rows: IntArray, columns: IntArray) -> Doubles:
        """(a, b) intervals around k(x, y) for points `rows` and `columns`."""
        return self.layout.enclosed_doubles(rows, columns)

    def cross(self, points: IntArray) -> list[Doubles]:
        """(P, N₀) k_e(z, x) for each parity, x over the orthant; as `GridBalls.cross`."""
        longest, grams = self._longest
        if len(points) > len(longest) or not np.array_equal(points, longest[: len(points)]):
            layout, grams = self.layout, []
            images = [self.gram(points, image[layout.orthant]) for image in layout.reflections]
            for signs in layout.characters:
                total = images[0] if signs[0] > 0 else Doubles.exact(0.0) - images[0]
                for sign, gram in zip(signs[1:], images[1:], strict=True):
                    total = total + gram if sign > 0 else total - gram
                grams.append(total.scaled(1.0 / len(images)))  # 2^a images
            self._longest = points, grams
        return [gram[: len(points)] for gram in grams]


@lru_cache(maxsize=2)
def _grid_doubles(kernel: Kernel, grid: Domain) -> GridDoubles:
    return GridDoubles(kernel, grid)


def grid_doubles(kernel: Kernel, grid: Domain) -> GridDoubles:
    """The same object for the same kernel and domain: certificates share what they read."""
    try:
        return _grid_doubles(kernel, grid)
    except TypeError:  # a kernel of one's own that has no hash
        return GridDoubles(kernel, grid)


class GridBalls:
    """The kernel of a domain in balls, by parity, addressed like `FiniteKernel`."""

    def __init__(self, kernel: Kernel, grid: Domain) -> None:
        self.doubles = grid_doubles(kernel, grid)
        self.layout = self.doubles.layout
        self.kernel, self.grid = self.layout.kernel, grid
        self._longest: tuple[IntArray, list[BallArray]] = (np.zeros(0, dtype=np.int64), [])

    def gram(self, rows: IntArray, columns: IntArray) -> BallArray:
        """(a, b) balls around k(x, y) for points `rows` and `columns`."""
        with matrices.working_precision():
            return self.layout.enclosed_gram(rows, columns)

    def parity_grams(self, rows: IntArray, columns: IntArray) -> list[BallArray]:
        """(a, b) balls around k_e(x, y) for each parity e."""
        layout = self.layout
        by_reflection = [self.gram(rows, image[columns]) for image in layout.reflections]
        grams = []
        for signs in layout.characters:
            total = np.zeros_like(by_reflection[0])
            for sign, gram in zip(signs, by_reflection, strict=True):
                total = total + gram if sign > 0 else total - gram
            grams.append(total / len(by_reflection))
        return grams

    def cross(self, points: IntArray) -> list[BallArray]:
        """(P, N₀) k_e(z, x) for each parity, x over the orthant.

        The certificates of one path share their first points: the rows of the longest list yet
        serve every list that it begins with.
        """
        longest, grams = self._longest
        if len(points) > len(longest) or not np.array_equal(points, longest[: len(points)]):
            with matrices.working_precision():
                grams = self.parity_grams(points, self.layout.orthant)
            self._longest = points, grams
        return [gram[: len(points)] for gram in grams]


def certified_curve(
    kernel: Kernel,
    grid: Domain,
    curve: GainCurve,
    advance: Share = unwatched,
    *,
    at: Sequence[int] | None = None,
) -> GainCurve:
    """The curve that the cap and those certificates prove that won in `curve`.

    Those that won at the numbers of rounds `at`, by default anywhere; elsewhere it is the looser.

    Every line is evaluated in balls by `certified_line`; the result is certified. Without an
    enclosure of the kernel it is `curve` as it was, and so is one that is certified already.
    Cost: one `certified_line` for each certificate that wins, some seconds in all.

    >>> from bounds.domain import Grid
    >>> from bounds.static_gain.upper_curve import space_gain_upper
    >>> from bounds.kernels import SquaredExponential
    >>> kernel, grid = SquaredExponential(0.2), Grid(1, 1.0, 10)
    >>> curve = certified_curve(kernel, grid, space_gain_upper(kernel, grid, 0.01, 40))
    >>> curve.certified
    True
    """
    if curve.certified:
        return curve
    if not curve.certificates:
        raise InvalidInput("gamma", "given", "a curve without certificates cannot be certified")
    noise_variance = curve.certificates[0].noise_variance
    sources = curve.sources if at is None else curve.sources[np.array(at, dtype=np.int64)]
    winners = sorted({int(i) for i in sources if i > 0})
    balls = GridBalls(kernel, grid)
    certified = []
    for done, i in enumerate(winners):  # the certificate with the most points comes first
        advance(done / len(winners))
        try:
            certified.append(certified_line(balls, curve.certificates[i - 1]))
        except NoEnclosure:
            return curve
    with enclosure.precision(matrices.WORKING_BITS):
        cap = matrices.upward(NoiseLevel(noise_variance).enclosed_gain_cap())
    return combine(tuple(certified), cap, curve.n, certified=True)


def certification_seconds(curve: GainCurve, grid: Domain) -> float:
    """About how long `certified_curve` takes, within a factor of 2 on one core of 2024.

    Σ over the lines that win, of k(P² + 2PN₀ + kN₀) products of balls, and N₀P reads of the table
    for each parity.
    """
    reached = grid.size / grid.symmetries
    total = 0.0
    for i in sorted({int(i) for i in curve.sources if i > 0}):
        P = len(curve.certificates[i - 1].points)
        for factor in curve.certificates[i - 1].factors:
            k = factor.shape[1]
            total += k * (P * P + 2.0 * P * reached + k * reached)
    return total / _BALL_PRODUCTS_PER_SECOND


def certified_line(balls: GridBalls, certificate: GainCertificate) -> GainCertificate:
    """The same points, factors and α with V, intercept and slope rounded outward.

    Proof and statement: docs/theory.md#gain-certificate.

    Formula as in `gain_certificate.certify`. Raises InvalidInput where αI+H is not certainly
    positive definite, which cannot happen for a positive definite kernel and α ≥ 1.
    Cost O(P²k + N₀Pk) operations on balls for each parity.
    """
    with enclosure.precision(matrices.WORKING_BITS):
        orthant = balls.layout.orthant
        points = certificate.points
        largest = _largest_variances(balls, certificate)
        residual = np.full(len(largest), enclosure.ball(1))
        logs = enclosure.ball(0)
        if certificate.rank:
            at = np.searchsorted(orthant, points)
            if not np.array_equal(orthant[np.minimum(at, len(orthant) - 1)], points):
                raise InvalidInput("points", "outside", "take them from one orthant of the grid")
            columns = np.concatenate((points, orthant[largest]))
            grams = balls.parity_grams(points, columns)
            for R, k_zx in zip(certificate.factors, grams, strict=True):
                if R.shape[1] == 0:
                    continue
                P = len(points)
                log_term, explained = _parity_terms(R, k_zx[:, :P], k_zx[:, P:], certificate.alpha)
                logs += log_term
                residual -= explained
        # v ≤ k(x, x) = 1 everywhere, also where no enclosure was found (NaN).
        upper = float(matrices.upward_array(residual).max())
        supremum = max(0.0, upper) if upper <= 1.0 else 1.0
        return line_from_supremum(replace(certificate, supremum=supremum), logs)


def _largest_variances(balls: GridBalls, certificate: GainCertificate) -> IntArray:
    """Places in the orthant outside which v(x) is certainly below its largest value.

    By intervals in doubles, which cost a hundredth of balls; all places where they prove nothing.
    """
    orthant, points = balls.layout.orthant, certificate.points
    every = np.arange(len(orthant))
    if not certificate.rank:
        return every[:1]  # v = 1 everywhere
    at = np.searchsorted(orthant, points)
    if not np.array_equal(orthant[np.minimum(at, len(orthant) - 1)], points):
        return every
    low, high = np.zeros(len(orthant)), np.zeros(len(orthant))
    for R, k_zx in zip(certificate.factors, balls.doubles.cross(points), strict=True):
        k = R.shape[1]
        if k == 0:
            continue
        b = Doubles.exact(R.T) @ k_zx
        H = b[:, at] @ Doubles.exact(R)
        whitened = Whitened.of(H + Doubles.exact(np.diag(np.full(k, certificate.alpha))))
        if whitened is None:
            return every
        least, most = whitened.quadratic(b)
        low, high = low + least, high + most
    # v is largest where what is explained is least; each sum has at most 2³ roundings.
    near = ~(low * (1.0 - 2.0**-49) > high.min() * (1.0 + 2.0**-49))
    return np.flatnonzero(near)


def line_from_supremum(certificate: GainCertificate, logs: Number) -> GainCertificate:
    """Intercept and slope, rounded upward, from V and Σ_e [log det(αI+H_e) + tr(αI+H_e)⁻¹ − k_e].

    To be called with the working precision in force.
    """
    alpha = enclosure.ball(enclosure.exact_double(certificate.alpha))
    variance = enclosure.ball(enclosure.exact_double(certificate.noise_variance))
    V = enclosure.ball(enclosure.exact_double(certificate.supremum))
    psi = alpha.log() + 1 / alpha - 1
    return replace(
        certificate,
        intercept=matrices.upward((logs - certificate.rank * psi) / 2),
        slope=matrices.upward((psi + V / (variance * alpha)) / 2),
        margin=(0.0, 0.0),
        certified=True,
    )


def _parity_terms(
    R: FloatArray, K: BallArray, k_zx: BallArray, alpha: float
) -> tuple[Number, BallArray]:
    """log det(αI+H) + tr(αI+H)⁻¹ − k, and b(x)ᵀ(αI+H)⁻¹b(x) over the orthant, for one parity."""
    k = R.shape[1]
    factor = matrices.ball_matrix(R)
    transposed = factor.transpose()
    A = matrices.identity(k, alpha) + transposed * matrices.ball_matrix(K) * factor
    determinant = A.det()
    if not determinant > 0:
        raise InvalidInput("gram", "singular", "the kernel matrix is not positive definite")
    inverse = A.inv()
    b = transposed * matrices.ball_matrix(k_zx)
    explained = (matrices.entries(b) * matrices.entries(inverse * b)).sum(axis=0)
    return determinant.log() + inverse.trace() - k, explained


def certified_gains(gram: BallArray, noise_variance: float) -> LowerArray:
    """Lower bounds on ½ log det(I + K_m/σ²) of the leading m×m blocks, m = 0..P. Shape (P+1,).

    With a floating point factor L of σ²I + K and E = σ²I + K − LLᵀ enclosed, η = ‖E‖_F/σ²:
    log det(σ²I+K_m) ≥ 2 Σ_{i≤m} log L_ii − m log(1+η), since σ²I + K_m ⪰ σ²I.

    Parameters
    ----------
    gram : (P, P) balls around a positive semi-definite matrix
    noise_variance : σ² > 0

    Raises InvalidInput for more than `MOST_POINTS` points or a matrix that is not positive
    semi-definite in floating point. Cost O(P³) operations on balls.
    """
    P = len(gram)
    if P > MOST_POINTS:
        raise InvalidInput("n", P, f"a gain is certified for at most {MOST_POINTS} rounds")
    middle = np.array([float(ball.mid()) for ball in gram.ravel()]).reshape(P, P)
    try:
        L = np.linalg.cholesky(middle + noise_variance * np.eye(P))
    except np.linalg.LinAlgError:
        raise InvalidInput("gram", "not positive definite", "check points and kernel") from None
    with enclosure.precision(matrices.WORKING_BITS):
        factor = matrices.ball_matrix(np.asarray(L, dtype=float))
        E = matrices.ball_matrix(gram) + matrices.identity(P, noise_variance)
        E = E - factor * factor.transpose()
        error = enclosure.sqrt(
            sum(matrices.squares(matrices.entries(E)).ravel(), enclosure.ball(0))
        )
        variance = enclosure.ball(enclosure.exact_double(noise_variance))
        shrink = (1 + error / variance).log() / 2
        per_round = [
            enclosure.ball(enclosure.exact_double(float(l))).log() - variance.log() / 2 - shrink
            for l in np.diagonal(L)
        ]
        totals = np.cumsum(np.array(per_round, dtype=object))
        lower = [max(0.0, matrices.downward(total)) for total in totals]
    return LowerArray.of(np.array([0.0, *lower]))


def certified_gains_in_doubles(gram: Doubles, noise_variance: float) -> LowerArray | None:
    """`certified_gains` by intervals in doubles; None where E is too wide beside σ²."""
    P = gram.shape[0]
    if P > MOST_IN_DOUBLES:
        raise InvalidInput("n", P, f"a gain is certified for at most {MOST_IN_DOUBLES} rounds")
    try:
        L = np.asarray(np.linalg.cholesky(gram.mid + noise_variance * np.eye(P)), dtype=float)
    except np.linalg.LinAlgError:
        return None
    size = product_residual(gram + Doubles.exact(noise_variance * np.eye(P)), L).magnitudes()
    with enclosure.precision(matrices.WORKING_BITS):
        error = enclosure.ball(float(sum_up(size * size)) * (1.0 + 2.0**-50)).sqrt()
        variance = enclosure.ball(enclosure.exact_double(noise_variance))
        if not error / variance <= (_CLOSE if P <= MOST_POINTS else _CLOSE_WITHOUT_BALLS):
            return None
        shrink = (1 + error / variance).log() / 2 + variance.log() / 2
        total, lower = enclosure.ball(0), [0.0]
        for l in np.diagonal(L).tolist():
            total += enclosure.ball(l).log() - shrink
            lower.append(max(0.0, matrices.downward(total)))
    return LowerArray.of(np.array(lower))


def certified_design_gains(
    kernel: Kernel,
    grid: Domain,
    noise_variance: float,
    designs: GainDesigns,
    rounds: IntArray,
    advance: Share = unwatched,
) -> LowerArray:
    """Lower bounds on γ_m for each m of `rounds`; NaN where the design is too large to enclose.

    Where no design of m rounds is kept, γ_m ≥ γ_{m'} for the next m' < m that has one, and
    γ_m ≥ (m/m')·γ_{m'} for the next m' > m; each rounded down.
    NaN throughout for a kernel without an enclosure; γ_m itself of independent arms.
    """
    if is_independent(kernel, grid):
        low, _ = balanced_gains(grid.size, noise_variance, int(max(rounds)))
        return LowerArray.of(low[rounds])
    balls = GridBalls(kernel, grid)
    lower = np.full(len(rounds), np.nan)
    known: dict[tuple[int, int], float] = {}
    kept = np.flatnonzero(designs.sequence_of >= 0)
    for position, m in enumerate(rounds.tolist()):
        advance(position / len(rounds))
        below, above = kept[kept <= m][-1:], kept[kept > m][:1] if m not in kept else kept[:0]
        for source in np.concatenate((below, above)).tolist():
            key = (int(designs.sequence_of[source]), source)
            if key not in known and source <= _LONGEST_PREFIX:
                # One factor serves every m whose design begins this sequence.
                own = kept[(designs.sequence_of[kept] == key[0]) & (kept <= _LONGEST_PREFIX)]
                points = designs.sequences[key[0]][: own.max()]
                try:
                    in_doubles = certified_gains_in_doubles(
                        balls.doubles.gram(points, points), noise_variance
                    )
                    gains = (
                        certified_gains(balls.gram(points, points), noise_variance)
                        if in_doubles is None
                        else in_doubles
                    )
                except NoEnclosure:
                    return LowerArray.of(lower)
                known |= {(key[0], int(m)): float(gains[m]) for m in own}
            if key not in known:
                points, counts = np.unique(designs.sequences[key[0]][:source], return_counts=True)
                if len(points) > MOST_IN_DOUBLES:
                    continue
                try:
                    known[key] = certified_gain_of_counts(balls, points, counts, noise_variance)
                except NoEnclosure:
                    return LowerArray.of(lower)
            value = known[key] * min(1.0, m / source) * (1.0 - 2.0**-50)
            lower[position] = np.fmax(lower[position], value)
    return LowerArray.of(lower)


def certified_gain_of_counts(
    balls: GridBalls, points: IntArray, counts: IntArray, noise_variance: float
) -> Lower:
    """A lower bound on the gain of grid points with multiplicities; NaN for more than
    `MOST_POINTS` where intervals in doubles are too wide.
    """
    with enclosure.precision(matrices.WORKING_BITS):
        roots = np.array([enclosure.ball(enclosure.sqrt(int(c))) for c in counts], dtype=object)
        close = Doubles.of_balls(roots)
        scale = close[:, None] * close[None, :]
        gains = certified_gains_in_doubles(
            balls.doubles.gram(points, points) * scale, noise_variance
        )
        if gains is not None:
            return Lower(gains[-1])
        if len(points) > MOST_POINTS:
            return Lower(nan)
        gram = balls.gram(points, points) * np.outer(roots, roots)
    return Lower(certified_gains(gram, noise_variance)[-1])
