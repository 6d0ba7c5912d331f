"""Unit-variance stationary kernels for space and time, one family a file."""

from bounds.kernels.base import (
    Forgetting,
    GainRate,
    Kernel,
    Matern,
    SquaredExponential,
    distances,
    parse_kernel,
    parse_time_kernel,
)

__all__ = [
    "Forgetting",
    "GainRate",
    "Kernel",
    "Matern",
    "SquaredExponential",
    "distances",
    "parse_kernel",
    "parse_time_kernel",
]
