"""β of the box and of times t(x) in a certificate of bounds, derived again for `recheck_bound`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil
from typing import Any

from bounds import enclosure
from bounds.enclosure import Number
from proofs_check.recheck.grid import exact
from proofs_check.recheck.outcome import Refused
from proofs_check.recheck.problem import axes_of, domain_size

_LEVELS = 200
_PER_DEVIATION = Fraction(3067, 1000)  # r_n ≤ 3.067 √β σ, Theorem C
_ROUNDING = Fraction(1, 10**12)


class ConfidenceAgain:
    """The claims `box.…` and `point_times.…` of one certificate.

    Parameters
    ----------
    body : the certificate
    instants : τ_1 ≤ … ≤ τ_n
    slope : θ of the time kernel, or raises `Refused`
    """

    def __init__(
        self, body: Mapping[str, Any], instants: list[Fraction], slope: Callable[[], Number]
    ) -> None:
        self._problem, self._box, self._longest = body["problem"], body["box"], body["longest"]
        self._n, self._instants, self._slope = len(instants), instants, slope

    def derive(self, name: str, claimed: Number) -> Number:
        """What the claim must not be below; Theorem C's conditions are evaluated at the claim.

        Infinite for what is no such claim, and where the file has no evidence for it.
        """
        rules: dict[str, Callable[[], Number]] = {
            "box.a": lambda: self._tail()[0],
            "box.b": lambda: self._tail()[1],
            "box.beta": self._box_beta,
            "box.regret": lambda: (
                2 * enclosure.sqrt(self._box_beta()) * self._n + enclosure.pi() ** 2 / 6
            ),
            "point_times.beta": lambda: self._moving_beta(claimed),
            "point_times.regret": lambda: self._moving_regret(claimed),
        }
        return rules.get(name, enclosure.infinite)()

    def _tail(self) -> tuple[Number, Number]:
        """a = 2q^d e^{m²/(2v(κ−1))} and b = √(2κv)."""
        if self._box is None:
            return enclosure.infinite(), enclosure.infinite()
        q, kappa = self._box["cells_per_axis"], Fraction(self._box["inflation"])
        if type(q) is not int or q < 1 or kappa <= 1:
            raise Refused("no number of cells, or an inflation that is not above 1")
        d, h = self._problem["dimension"], self._side() / q
        variance, rise = self._slope_and_rise(d, h)
        exponent = enclosure.divide(rise * rise, 2 * exact(kappa - 1) * variance)
        return 2 * q**d * enclosure.exp(exponent), enclosure.sqrt(2 * exact(kappa) * variance)

    def _side(self) -> Fraction:
        """Of a cube that contains the box, which may have unequal sides."""
        return max(Fraction(side) for side in axes_of(self._problem)[0])

    def _slope_and_rise(self, d: int, h: Fraction) -> tuple[Number, Number]:
        """Var ∂_jf and a bound on E sup over a cell of side h of ∂_jf less its centre's."""
        kernel = self._problem["space_kernel"]
        length, root = Fraction(kernel["lengthscale"]), enclosure.sqrt(3)
        if kernel["type"] == "SquaredExponential":
            u = h / length
            growth = (1 + root * exact(u)) * exact((1 + u) ** (d - 1)) - 1
            scale = enclosure.sqrt(exact(2 / length**2) / enclosure.pi())
            return exact(1 / length**2), scale * growth
        if kernel["type"] == "Matern" and kernel["nu"] == 2.5:
            rise = exact(5 / length**2) * _chained(d, h, half=False)
            return exact(5 / (3 * length**2)), rise
        if kernel["type"] == "Matern" and kernel["nu"] == 1.5:
            factor = enclosure.sqrt(root * exact(12 / length**3))
            return exact(3 / length**2), factor * _chained(d, h, half=True)
        return enclosure.infinite(), enclosure.infinite()

    def _weight(self) -> Number:
        """n²π²/(6δ)."""
        return enclosure.pi() ** 2 * exact(
            Fraction(self._n**2, 6) / Fraction(self._problem["delta"])
        )

    def _box_beta(self) -> Number:
        a, b = self._tail()
        d, weight = self._problem["dimension"], 4 * self._weight()
        root = enclosure.sqrt(enclosure.log(weight * a * d))
        cover = d * self._n**2 * b * exact(self._side()) * root
        return 2 * enclosure.log(weight) + 2 * d * enclosure.maximum(enclosure.log(cover), 0)

    def _moving_beta(self, claimed: Number) -> Number:
        """The larger of 2 log(2|D|π_n/δ) and 2 log(4e|D|π_n max(1, ⌈θ n t_max β⌉)/δ)."""
        if self._longest is None:
            return enclosure.infinite()
        longest = Fraction(self._longest)
        gaps = [b - a for a, b in zip([Fraction(0), *self._instants], self._instants, strict=False)]
        if max(gaps) > longest * (1 + _ROUNDING):
            raise Refused("a time is longer than the longest that the file names")
        reach = enclosure.ball(self._slope() * exact(longest * self._n) * claimed)
        windows = max(1, ceil(enclosure.endpoints(reach)[1]))
        base = enclosure.log(domain_size(self._problem) * self._weight())
        second = base + enclosure.log(4 * windows) + 1
        return 2 * enclosure.maximum(base + enclosure.log(2), second)

    def _moving_regret(self, claimed: Number) -> Number:
        """3.067 √β n for the β that this regret implies, which must satisfy the conditions."""
        scale = exact(_PER_DEVIATION * self._n)
        implied = enclosure.divide(claimed, scale)
        return scale * enclosure.sqrt(self._moving_beta(implied * implied))


def _chained(d: int, h: Fraction, *, half: bool) -> Number:
    """Σ_{k≥1} u_k √(2kd log 2), u_k = √d·h·2^{−k−1}, or the root of that.

    The terms beyond 200 have √k ≤ k and sum to r^{K+1}(K+1−Kr)/(1−r)² times the first factor,
    r = ½ or √½.
    """
    reach, ratio = enclosure.sqrt(d) * exact(h / 2), exact(Fraction(1, 2))
    if half:
        reach, ratio = enclosure.sqrt(reach), enclosure.sqrt(ratio)
    K = _LEVELS
    total = enclosure.total(ratio**k * enclosure.sqrt(k) for k in range(1, K + 1))
    total += ratio ** (K + 1) * (K + 1 - K * ratio) / ((1 - ratio) * (1 - ratio))
    return reach * enclosure.sqrt(2 * d * enclosure.log(2)) * total
