"""Laws that every kernel and every bound keeps, to run on your own; needs `ctv-bounds[laws]`.

The project's tests run them over everything that is registered.
"""

from bounds.laws.bound_laws import BOUND_LAWS, check_bound_laws
from bounds.laws.kernel_laws import KERNEL_LAWS, check_kernel_laws

__all__ = ["BOUND_LAWS", "KERNEL_LAWS", "check_bound_laws", "check_kernel_laws"]
