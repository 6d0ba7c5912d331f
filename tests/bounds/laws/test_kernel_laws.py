"""The laws over everything that is registered, and each law against a kernel that breaks it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from bounds.kernels import (
    Forgetting,
    Independent,
    Kernel,
    Levelled,
    Matern,
    SquaredExponential,
    families,
)
from bounds.laws import check_kernel_laws

KERNELS = [
    Forgetting(0.0),
    Forgetting(0.01),
    Forgetting(0.9),
    SquaredExponential(0.2),
    Independent(),
    *(Matern(nu, 0.3) for nu in (0.3, 0.5, 1.2, 1.5, 2.5, 7.5)),
    Levelled("se", 0.2, 0.7),
    Levelled("matern52", 0.3, 2.5),
    Levelled("matern12", 0.3, 0.0),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_what_is_registered_keeps_the_laws(kernel: Kernel) -> None:
    check_kernel_laws(kernel, examples=8)


def test_no_family_is_left_out() -> None:
    assert {type(kernel) for kernel in KERNELS} == set(families())


@dataclass(frozen=True)
class Broken(Kernel):
    """exp(−r), and one thing said of it that is not so."""

    lie: str = ""
    name = "broken"

    def at_distance(self, distance):
        r = np.asarray(distance, dtype=float)
        if self.lie == "scale":
            return 0.9 * np.exp(-r)
        if self.lie == "indefinite":
            return np.where(r < 1.0, 1.0, 0.0)
        return np.exp(-r) if self.lie != "wave" else np.cos(r)

    def complement(self, distance):
        return (1.1 if self.lie == "complement" else 1.0) * (1.0 - self.at_distance(distance))

    @property
    def slope(self):
        return 0.5 if self.lie == "slope" else float("inf")

    @property
    def is_markov(self):
        return self.lie not in ("markov", "indefinite")

    @property
    def is_nonnegative(self):
        return True

    @property
    def is_nonincreasing(self):
        return self.lie == "rising"

    @property
    def gaussian_lengthscale(self):
        return 1.0 if self.lie == "gaussian" else None

    def derivative(self, distance):
        return (2.0 if self.lie == "derivative" else 1.0) * -self.at_distance(distance)

    def enclosed_at_distance(self, distance):
        from bounds import enclosure

        if self.lie != "ball":
            return super().enclosed_at_distance(distance)
        return enclosure.exp(-distance) + 1


def test_the_kernel_without_a_lie_keeps_them() -> None:
    check_kernel_laws(Broken(), examples=10)


@pytest.mark.parametrize(
    ("lie", "said"),
    [
        ("scale", r"k\(0\) is not 1"),
        ("indefinite", "eigenvalue"),
        ("complement", "is not 1 - k"),
        ("slope", "slope"),
        ("markov", "say is_markov"),
        ("wave", "product|k < 0"),
        ("gaussian", "Gaussian"),
        ("derivative", "is not k'"),
        ("ball", "outside its ball"),
    ],
)
def test_each_law_can_fail(lie: str, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        check_kernel_laws(Broken(lie), examples=10)
