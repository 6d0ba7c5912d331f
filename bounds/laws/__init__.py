"""Laws that every kernel keeps, to run on one of your own; needs `ctv-bounds[laws]`.

The project's tests run them over everything that is registered.
"""

from bounds.laws.kernel_laws import KERNEL_LAWS, check_kernel_laws

__all__ = ["KERNEL_LAWS", "check_kernel_laws"]
