"""Laws that every kernel and every bound keeps, to run on your own; needs `ctv-bounds[laws]`.

The project's tests run them over everything that is registered.
"""

from bounds.laws.bound_laws import BOUND_LAWS, check_bound_laws
from bounds.laws.kernel_laws import KERNEL_LAWS, check_kernel_laws
from bounds.laws.regret_laws import REGRET_LAWS, check_regret_bound_laws

__all__ = [
    "BOUND_LAWS",
    "KERNEL_LAWS",
    "REGRET_LAWS",
    "check_bound_laws",
    "check_kernel_laws",
    "check_regret_bound_laws",
]
