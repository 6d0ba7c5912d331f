"""Every bound over ε at unit steps, with its slope: who is best where, and how each falls."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from bounds.arrays import FloatArray
from bounds.confidence.schedules import finite_domain_beta, regret_from_gain
from bounds.errors import InvalidInput
from bounds.kernels import Forgetting
from bounds.noise import NoiseLevel
from bounds.partitions.equal_blocks import equal_block_gains
from bounds.partitions.result import checked_gains
from bounds.rivals.drifting import (
    bogunovic_corrected,
    bogunovic_is_proved,
    bogunovic_printed,
    mandl_kekkonen,
    repeated_point_gain,
    reset_regret,
)


@dataclass(frozen=True, eq=False)
class RivalCurve:
    """One bound as a function of ε, unit steps.

    Attributes
    ----------
    name : as in `rivals`, with "refined" (Theorem A), "trivial" and "repeated-point"
    epsilons : (m,) increasing
    gain : (m,) in nats; NaN for the reset policy, which has a regret bound only
    regret_per_round : (m,) regret/n; √(C₁nβ_nγ̃) with the same β_n for all but the reset policy
    slope : (m,) d log(regret_per_round)/d log ε
    direction : "upper", or "lower" for "repeated-point": no bound of this form can be below it
    valid : False for the printed form of Theorem 4.3 where it does not follow (σ² < ½)
    """

    name: str
    epsilons: FloatArray
    gain: FloatArray
    regret_per_round: FloatArray
    slope: FloatArray
    direction: str = "upper"
    valid: bool = True


def rival_curves(
    n: int,
    epsilons: ArrayLike,
    gamma: ArrayLike,
    noise_variance: float,
    *,
    domain_size: int,
    delta: float = 0.1,
) -> tuple[RivalCurve, ...]:
    """The bounds of Bogunovic, Imamura, Mandl and Kekkonen, and Theorem A, for each ε.

    Parameters
    ----------
    n : rounds, one time unit apart
    epsilons : (m,) increasing rates in (0, 1), at least 2
    gamma : (≥ n+1,) upper bounds on γ_0..γ_n
    domain_size, delta : |D| and δ of β_n = 2 log(|D|π_n/δ)

    Equal blocks throughout, each bound at its best length. O(n) for each ε.
    """
    rates = np.asarray(epsilons, dtype=float)
    if rates.ndim != 1 or len(rates) < 2 or np.any(np.diff(rates) <= 0):
        raise InvalidInput("epsilon", str(epsilons), "give at least 2 increasing rates")
    if not (rates[0] > 0 and rates[-1] < 1):
        raise InvalidInput("epsilon", str(epsilons), "give rates in (0, 1)")
    prices = checked_gains(gamma, n)
    half_beta = float(finite_domain_beta(n, domain_size, 0.5 * delta))

    def gains(epsilon: float) -> dict[str, float]:
        table = equal_block_gains(
            n,
            1.0,
            epsilon=epsilon,
            time_kernel=Forgetting(epsilon),
            noise_variance=noise_variance,
            gamma=prices,
        )
        return {
            "bogunovic2016": bogunovic_printed(n, epsilon, prices).value,
            "bogunovic2016-corrected": bogunovic_corrected(
                n, epsilon, noise_variance, prices
            ).value,
            "imamura2020": table.best("theorem1")[0],
            "mandl-kekkonen2026": mandl_kekkonen(n, epsilon, noise_variance, prices).value,
            "refined": table.best("refined")[0],
            "trivial": n * NoiseLevel(noise_variance).gain_cap,
            "repeated-point": repeated_point_gain(n, epsilon, noise_variance),
        }

    def reset(epsilon: float) -> float:
        return reset_regret(
            n,
            epsilon,
            noise_variance,
            prices,
            beta=half_beta,
            delta=delta,
            a0=float(domain_size),
            b0=sqrt(2.0),
            noise_scale=max(2.0, sqrt(2.0 * noise_variance)),
        ).value

    rows = [gains(epsilon) for epsilon in rates.tolist()]
    resets = np.array([reset(epsilon) for epsilon in rates.tolist()])
    beta = float(finite_domain_beta(n, domain_size, delta))
    curves = [_curve("bogunovic2016-reset", rates, np.full(len(rates), np.nan), resets / n)]
    for name in rows[0]:
        gain = np.array([row[name] for row in rows])
        regrets = [regret_from_gain(n, beta, x, noise_variance) for x in gain]
        curves.append(
            _curve(
                name,
                rates,
                gain,
                np.array(regrets) / n,
                "lower" if name == "repeated-point" else "upper",
                name != "bogunovic2016" or bogunovic_is_proved(float(rates[0]), noise_variance),
            )
        )
    return tuple(curves)


def _curve(
    name: str,
    epsilons: FloatArray,
    gain: FloatArray,
    regret_per_round: FloatArray,
    direction: str = "upper",
    valid: bool = True,
) -> RivalCurve:
    slope = np.gradient(np.log(regret_per_round), np.log(epsilons))
    return RivalCurve(name, epsilons, gain, regret_per_round, slope, direction, valid)
