"""Unit-variance stationary kernels for space and time, one family a file.

To add one: a frozen dataclass that derives from `Kernel`, and `register` it.
"""

from bounds.kernels.base import Kernel, distances
from bounds.kernels.forgetting import Forgetting
from bounds.kernels.independent import Independent
from bounds.kernels.levelled import Levelled
from bounds.kernels.matern import Matern
from bounds.kernels.registry import (
    KernelData,
    families,
    forget,
    kernel_data,
    kernel_from_data,
    parse_kernel,
    parse_time_kernel,
    register,
)
from bounds.kernels.squared_exponential import SquaredExponential

__all__ = [
    "Forgetting",
    "Independent",
    "Kernel",
    "KernelData",
    "Levelled",
    "Matern",
    "SquaredExponential",
    "distances",
    "families",
    "forget",
    "kernel_data",
    "kernel_from_data",
    "parse_kernel",
    "parse_time_kernel",
    "register",
]
