"""What a kernel must satisfy for the bounds to hold, each law a function that can fail."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isfinite, isinf, isnan
from typing import Any

import numpy as np
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from bounds import enclosure
from bounds.enclosure import matrices
from bounds.errors import InvalidInput, NoEnclosure
from bounds.kernels.base import Kernel
from bounds.kernels.registry import families, kernel_data, kernel_from_data

_ROUNDING = 1e-12

shares = st.floats(0.0, 20.0)
"""Distances in units of the distance at which the kernel has halved."""
few_shares = st.lists(shares, min_size=1, max_size=12)


def check_kernel_laws(kernel: Kernel, *, examples: int = 60, space: bool | None = None) -> None:
    """Raise AssertionError, with the distances at which it fails, for a law that does not hold.

    Parameters
    ----------
    kernel : Kernel
    examples : distances or sets of points tried for each law
    space : whether Gram matrices of points in the plane are looked at, and not only of instants;
        by default where the family has a name for space

    A claim of the kernel (`is_markov`, `slope`, an enclosure, …) is held to what it says; one that
    it does not make is no failure. About a second.

    >>> from bounds.kernels import SquaredExponential
    >>> check_kernel_laws(SquaredExponential(0.2), examples=5)
    """
    dimension = 2 if (bool(type(kernel).space_names) if space is None else space) else 1
    unit = _unit(kernel)
    for law in KERNEL_LAWS:
        _check(law, kernel, unit, dimension, examples)
    encoding(kernel)


def _check(law: KernelLaw, kernel: Kernel, unit: float, dimension: int, examples: int) -> None:
    def holds(tried: list[float], seed: int) -> None:
        points = np.random.default_rng(seed).random((8, dimension)) * 4.0 * unit
        law(kernel, unit * np.array(tried), points)

    hold(holds, examples, few_shares, st.integers(0, 2**32 - 1))


def hold(law: Callable[..., None], examples: int, *drawn: st.SearchStrategy[Any]) -> None:
    """Call a law with what is drawn: the same in every run, and no file is left beside it."""
    quiet = settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        report_multiple_bugs=False,
        phases=(Phase.generate, Phase.shrink),
    )
    quiet(given(*drawn)(law))()


KernelLaw = Callable[[Kernel, np.ndarray, np.ndarray], None]


def unit_and_bounded(kernel: Kernel, r: np.ndarray, points: np.ndarray) -> None:
    """k(0) = 1, |k(r)| ≤ 1, and arrays keep their shape."""
    assert float(kernel.at_distance(0.0)) == 1.0, "k(0) is not 1"
    values = kernel.at_distance(r)
    assert values.shape == r.shape, "the shape of the distances is lost"
    assert np.all(np.abs(values) <= 1.0 + _ROUNDING), f"|k| > 1 at {_worst(np.abs(values), r)}"


def positive_semidefinite(kernel: Kernel, r: np.ndarray, points: np.ndarray) -> None:
    """Gram matrices have no negative eigenvalue."""
    for places in (points, np.sort(r)[:, None]):
        least = float(np.linalg.eigvalsh(kernel.gram(places)).min())
        assert least >= -1e-10 * len(places), f"eigenvalue {least} at {places.tolist()}"


def complements(kernel: Kernel, r: np.ndarray, points: np.ndarray) -> None:
    """complement = 1 − k and deficit = 1 − k², none of them negative."""
    values = kernel.at_distance(r)
    for computed, expected in (
        (kernel.complement(r), 1.0 - values),
        (kernel.deficit(r), 1.0 - values * values),
    ):
        assert np.all(computed >= 0.0), f"negative at {_worst(-computed, r)}"
        assert np.allclose(computed, expected, rtol=1e-9, atol=1e-12), "is not 1 - k or 1 - k^2"


def slopes(kernel: Kernel, r: np.ndarray, points: np.ndarray) -> None:
    """1 − k(r) ≤ θ·r, and (1 − k(r))/r rises before the steepest distance and falls after it."""
    assert not isnan(kernel.slope) and kernel.slope >= 0.0, "the slope is no number of at least 0"
    if isinf(kernel.slope):
        return
    excess = kernel.complement(r) - kernel.slope * r * (1.0 + _ROUNDING)
    assert np.all(excess <= _ROUNDING), f"1 - k(r) > slope*r at {_worst(excess, r)}"
    peak = kernel.steepest_distance
    apart = np.unique(r[r > 1e-6 * max(float(np.max(r)), 1e-300)])
    if peak is None or len(apart) < 2:
        return
    ratio = np.diff(kernel.complement(apart) / apart)
    slack = 1e-9 * kernel.slope
    assert np.all(ratio[apart[1:] <= peak] >= -slack), "(1 - k)/r falls before its peak"
    assert np.all(ratio[apart[:-1] >= peak] <= slack), "(1 - k)/r rises after its peak"


def claims(kernel: Kernel, r: np.ndarray, points: np.ndarray) -> None:
    """Markov, non-negative, non-increasing, completely monotone, Gaussian: if said, then true."""
    values, ordered = kernel.at_distance(r), np.sort(r)
    product = float(np.prod(values))
    whole = float(kernel.at_distance(float(np.sum(r))))
    if kernel.is_markov:
        assert abs(product - whole) <= 1e-9, f"k of a sum is not the product at {r.tolist()}"
    if kernel.is_nonnegative:
        assert np.all(values >= 0.0), f"k < 0 at {_worst(-values, r)}"
    if kernel.is_nonincreasing:
        assert np.all(np.diff(kernel.at_distance(ordered)) <= _ROUNDING), "k rises"
    if kernel.completely_monotone:
        middle = kernel.deficit(0.5 * (ordered[1:] + ordered[:-1]))
        ends = kernel.deficit(ordered)
        assert np.all(middle >= 0.5 * (ends[1:] + ends[:-1]) - 1e-10), "1 - k^2 is not concave"
    if kernel.gaussian_lengthscale is not None:
        gaussian = np.exp(-0.5 * (r / kernel.gaussian_lengthscale) ** 2)
        assert np.allclose(values, gaussian, rtol=1e-9, atol=1e-12), "is not Gaussian"
    assert isnan(kernel.smoothness) or kernel.smoothness > 0, "the smoothness is not positive"


def markov_is_said(kernel: Kernel, r: np.ndarray, points: np.ndarray) -> None:
    """A kernel that is not said to be Markov is seen not to be at one of two distances."""
    if kernel.is_markov:
        return
    at = _unit(kernel) * np.array([0.2, 0.5, 1.0, 2.0])
    twice = kernel.at_distance(2.0 * at)
    differs = np.abs(twice - kernel.at_distance(at) ** 2) > 1e-9
    assert np.any(differs), "k(2r) = k(r)^2: say is_markov"


def derivatives(kernel: Kernel, r: np.ndarray, points: np.ndarray) -> None:
    """k(b) − k(a) is the integral of `derivative`, by a rule of high order away from 0."""
    nodes, weights = np.polynomial.legendre.leggauss(20)
    unit = _unit(kernel)
    for a, b in ((0.3, 0.5), (1.0, 1.5)):
        low, half = a * unit, 0.5 * (b - a) * unit
        integral = half * float(weights @ kernel.derivative(low + half * (nodes + 1.0)))
        rise = float(kernel.at_distance(b * unit)) - float(kernel.at_distance(a * unit))
        assert abs(integral - rise) <= 1e-7, f"derivative is not k' between {a * unit}, {b * unit}"


def enclosures(kernel: Kernel, r: np.ndarray, points: np.ndarray) -> None:
    """A ball contains k, 1 − k² and θ; none is wider than 1e-12."""
    with enclosure.precision(matrices.WORKING_BITS):
        try:
            values = [kernel.enclosed_at_distance(Fraction(float(x))) for x in r]
            deficits = [kernel.enclosed_deficit(Fraction(float(x))) for x in r]
        except NoEnclosure:
            return
        slope = kernel.enclosed_slope()
        for x, value, deficit in zip(r.tolist(), values, deficits, strict=True):
            _contains("k", value, float(kernel.at_distance(x)), x)
            _contains("1 - k^2", deficit, float(kernel.deficit(x)), x)
        if slope is not None:
            _contains("slope", slope, kernel.slope, 0.0)


def encoding(kernel: Kernel) -> None:
    """A registered kernel is read from its plain data as it was; another is refused."""
    if type(kernel) in families():
        assert kernel_from_data(kernel_data(kernel)) == kernel, "is not read as it was written"
        return
    try:
        kernel_data(kernel)
    except InvalidInput:
        return
    raise AssertionError("was written although no family of its name is registered")


KERNEL_LAWS: tuple[KernelLaw, ...] = (
    unit_and_bounded,
    positive_semidefinite,
    complements,
    slopes,
    claims,
    markov_is_said,
    derivatives,
    enclosures,
)
"""Each takes a kernel, distances and points, and raises AssertionError where it fails."""


def _unit(kernel: Kernel) -> float:
    """The distance at which k is ½; 1 where it never is."""
    reach = kernel.reach(0.5)
    return reach if isfinite(reach) and reach > 0 else 1.0


def _contains(what: str, ball: enclosure.Number, value: float, r: float) -> None:
    low, high = (float(end) for end in enclosure.endpoints(enclosure.ball(ball)))
    slack = 1e-11 * max(1.0, abs(value))
    assert high - low <= 1e-12 * max(1.0, abs(value)), f"{what} is enclosed widely at {r}"
    assert low - slack <= value <= high + slack, f"{what} = {value} is outside its ball at {r}"


def _worst(excess: np.ndarray, r: np.ndarray) -> float:
    return float(r[int(np.argmax(excess))])
