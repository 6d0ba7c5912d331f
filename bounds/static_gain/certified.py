"""Gains of designs and of certificates evaluated in ball arithmetic, rounded outward.

What floating point found (points, factors, weights) is taken as exact; only what is claimed of it
is computed again, so a certificate holds whatever errors were made in finding it. The grid is
that of the exact points i·side/(q−1).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial
from math import nan
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from bounds import enclosure
from bounds.arrays import BallArray, FloatArray, IntArray
from bounds.domain import Domain
from bounds.enclosure import Lower, LowerArray, Number, matrices
from bounds.enclosure.doubles import Doubles, Whitened, product_residual, require_doubles, sum_up
from bounds.enclosure.matrices import BallMatrix
from bounds.errors import InvalidInput, NoEnclosure
from bounds.kernels import Kernel
from bounds.noise import NoiseLevel
from bounds.progress import Share, unwatched
from bounds.static_gain.balanced import balanced_gains, is_independent
from bounds.static_gain.dual import GainCertificate
from bounds.static_gain.upper_curve import GainCurve, combine

if TYPE_CHECKING:
    from bounds.static_gain.designs import GainDesigns

_LONGEST_PREFIX = 400

_CLOSE = 1e-9
"""Radius, of log det in nats and of V in units of σ²α, up to which intervals in doubles will do."""

_CLOSE_WITHOUT_BALLS = 1e-6
"""The same for more points than balls are afforded for."""

MOST_POINTS, MOST_IN_DOUBLES = 1_200, 2_500
"""Points of a design up to which its gain is enclosed: some 10 s and 200 MB at the most by balls,
some 5 s and 1 GB by intervals in doubles."""


Entries = TypeVar("Entries", BallArray, Doubles)


def parity_sum(signs: FloatArray, images: Sequence[Entries]) -> Entries:
    """Σ_g χ_e(g)·image_g for one parity; the first image is that of the identity, whose χ is 1."""
    total = images[0]
    for sign, image in zip(signs[1:], images[1:], strict=True):
        total = total + image if sign > 0 else total - image
    return total


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
        """(P, N₀) k_e(z, x) for each parity, x over the orthant.

        The certificates of one path share their first points: the rows of the longest list yet
        serve every list that it begins with.
        """
        longest, grams = self._longest
        if len(points) > len(longest) or not np.array_equal(points, longest[: len(points)]):
            layout = self.layout
            images = [self.gram(points, image[layout.orthant]) for image in layout.reflections]
            totals = [parity_sum(signs, images) for signs in layout.characters]
            grams = [total.scaled(1.0 / len(images)) for total in totals]  # 2^a images
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

    def gram(self, rows: IntArray, columns: IntArray) -> BallArray:
        """(a, b) balls around k(x, y) for points `rows` and `columns`."""
        with matrices.working_precision():
            return self.layout.enclosed_gram(rows, columns)

    def parity_grams(self, rows: IntArray, columns: IntArray) -> list[BallArray]:
        """(a, b) balls around k_e(x, y) for each parity e."""
        images = [self.gram(rows, image[columns]) for image in self.layout.reflections]
        return [parity_sum(signs, images) / len(images) for signs in self.layout.characters]


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
    sources = curve.sources if at is None else curve.sources[np.array(at, dtype=np.int64)]
    try:
        return curve_of_lines(
            curve, sources, partial(certified_line, GridBalls(kernel, grid)), advance
        )
    except NoEnclosure:
        return curve


def curve_of_lines(
    curve: GainCurve,
    sources: IntArray,
    evaluated: Callable[[GainCertificate], GainCertificate],
    advance: Share,
) -> GainCurve:
    """The curve of the cap and of the certificates of these sources, which `evaluated` encloses."""
    certified, winners = [], sorted({int(i) for i in sources if i > 0})
    for done, i in enumerate(winners):  # the certificate with the most points comes first
        advance(done / len(winners))
        certified.append(evaluated(curve.certificates[i - 1]))
    noise = NoiseLevel(curve.certificates[0].noise_variance)
    with enclosure.precision(matrices.WORKING_BITS):
        cap = matrices.upward(noise.enclosed_gain_cap())
    return combine(tuple(certified), cap, curve.n, certified=True)


def certified_line(balls: GridBalls, certificate: GainCertificate) -> GainCertificate:
    """The same points, factors and α with V, intercept and slope rounded outward.

    Proof and statement: docs/theory.md#gain-certificate.

    Formula as in `dual.certify`. Raises InvalidInput where αI+H is not certainly
    positive definite, which cannot happen for a positive definite kernel and α ≥ 1.
    Cost O(P²k + N₀Pk) operations on balls for each parity.
    """
    with enclosure.precision(matrices.WORKING_BITS):
        orthant, points = balls.layout.orthant, certificate.points
        at = np.searchsorted(orthant, points)
        if not np.array_equal(orthant[np.minimum(at, len(orthant) - 1)], points):
            raise InvalidInput("points", "outside", "take them from one orthant of the grid")
        largest = _largest_variances(balls, certificate, at)
        residual = np.full(len(largest), enclosure.ball(1))
        logs = enclosure.ball(0)
        if certificate.rank:
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


def _largest_variances(balls: GridBalls, certificate: GainCertificate, at: IntArray) -> IntArray:
    """Places in the orthant outside which v(x) is certainly below its largest value.

    `at` are the places of the certificate's points. By intervals in doubles, which cost a hundredth
    of balls; all places where they prove nothing.
    """
    every = np.arange(len(balls.layout.orthant))
    if not certificate.rank:
        return every[:1]  # v = 1 everywhere
    low, high = np.zeros(len(every)), np.zeros(len(every))
    cross = balls.doubles.cross(certificate.points)
    for R, k_zx in zip(certificate.factors, cross, strict=True):
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
    logs, inverse = inverse_with_logs(R, K, alpha)
    b = matrices.ball_matrix(R).transpose() * matrices.ball_matrix(k_zx)
    return logs, (matrices.entries(b) * matrices.entries(inverse * b)).sum(axis=0)


def inverse_with_logs(R: FloatArray, K: BallArray, alpha: float) -> tuple[Number, BallMatrix]:
    """log det A + tr A⁻¹ − k of A = αI + RᵀKR, and A⁻¹."""
    k, factor = R.shape[1], matrices.ball_matrix(R)
    A = matrices.identity(k, alpha) + factor.transpose() * matrices.ball_matrix(K) * factor
    determinant = A.det()
    if not determinant > 0:
        raise InvalidInput("gram", "singular", "the kernel matrix is not positive definite")
    inverse = A.inv()
    return determinant.log() + inverse.trace() - k, inverse


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
    with suppress(NoEnclosure):
        for position, m in enumerate(rounds.tolist()):
            advance(position / len(rounds))
            below, above = kept[kept <= m][-1:], kept[kept > m][:1] if m not in kept else kept[:0]
            for source in np.concatenate((below, above)).tolist():
                key = (int(designs.sequence_of[source]), source)
                sequence = designs.sequences[key[0]]
                if key not in known and source <= _LONGEST_PREFIX:
                    # One factor serves every m whose design begins this sequence.
                    own = kept[(designs.sequence_of[kept] == key[0]) & (kept <= _LONGEST_PREFIX)]
                    gains = _gains_of_points(balls, sequence[: own.max()], noise_variance)
                    known |= {(key[0], int(m)): float(gains[m]) for m in own}
                if key not in known:
                    points, counts = np.unique(sequence[:source], return_counts=True)
                    if len(points) > MOST_IN_DOUBLES:
                        continue
                    known[key] = certified_gain_of_counts(balls, points, counts, noise_variance)
                value = known[key] * min(1.0, m / source) * (1.0 - 2.0**-50)
                lower[position] = np.fmax(lower[position], value)
    return LowerArray.of(lower)


def _gains_of_points(balls: GridBalls, points: IntArray, noise_variance: float) -> LowerArray:
    """`certified_gains` of points in this order, in doubles where these are close enough."""
    close = certified_gains_in_doubles(balls.doubles.gram(points, points), noise_variance)
    if close is not None:
        return close
    return certified_gains(balls.gram(points, points), noise_variance)


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
