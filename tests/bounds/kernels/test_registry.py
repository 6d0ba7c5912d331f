"""The registry of kernels: names and data there and back, clashes, and what it imports."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from bounds.encoding import read_spelling, spelled
from bounds.errors import InvalidInput
from bounds.kernels import (
    Forgetting,
    Kernel,
    Matern,
    SquaredExponential,
    families,
    forget,
    kernel_data,
    kernel_from_data,
    register,
)  # fmt: skip
from simulation.study import manifest

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class Plain(Kernel):
    """exp(−r²), of nothing but its formula."""

    shape: object = 1.0
    name = "plain"

    def at_distance(self, distance):
        return np.exp(-(np.asarray(distance, dtype=float) ** 2))


@pytest.fixture
def plain():
    yield register(Plain)
    forget(Plain)


@pytest.mark.parametrize(
    "kernel", [SquaredExponential(0.2), Matern(2.5, np.float64(0.3)), Forgetting(0.01)], ids=repr
)
def test_data_go_through_json_and_through_a_line(kernel) -> None:
    data = kernel_data(kernel)
    assert kernel_from_data(json.loads(json.dumps(data))) == kernel
    assert kernel_from_data(read_spelling(spelled(data))) == kernel


def test_studies_of_earlier_versions_are_read() -> None:
    said = "Matern(nu=2.5, lengthscale=np.float64(0.2))"
    assert manifest.kernel({"model_kernel": said}, "model_kernel") == Matern(2.5, 0.2)


@pytest.mark.parametrize(
    "data",
    [
        {"type": "Cubic", "lengthscale": 1.0}, {"lengthscale": 1.0}, {"type": "Matern", "nu": 2.5},
        {"type": "SquaredExponential", "lengthscale": 1.0, "nu": 2.5},
        {"type": "SquaredExponential", "lengthscale": "x"},
        {"type": "SquaredExponential", "lengthscale": True},
        {"type": "SquaredExponential", "lengthscale": -1.0},
        {"type": "Forgetting", "epsilon": 1.0},
    ],
)  # fmt: skip
def test_other_data_are_refused(data) -> None:
    with pytest.raises(InvalidInput):
        kernel_from_data(data)


@pytest.mark.parametrize("value", [[1.0], float("nan"), None])
def test_what_is_no_plain_number_is_refused_when_written(plain, value) -> None:
    with pytest.raises(InvalidInput, match="shape of plain"):
        kernel_data(plain(value))


def test_names_are_taken_once(plain) -> None:
    @dataclass(frozen=True)
    class Second(Kernel):
        time_names = ("forgetting",)
        name = "second"

        def at_distance(self, distance):
            return np.ones(np.shape(distance))

    with pytest.raises(InvalidInput, match="Forgetting has it"):
        register(Second)

    class Bare(Plain):
        """Not a dataclass of its own fields, but one by inheritance."""

    assert register(Bare) is Bare
    forget(Bare)


def test_what_is_not_known_is_said_to_be() -> None:
    kernel = Plain()
    assert np.isinf(kernel.slope) and kernel.steepest_distance is None
    assert not (kernel.is_markov or kernel.is_nonnegative or kernel.completely_monotone)
    with pytest.raises(InvalidInput, match="no enclosure"):
        kernel.enclosed_at_distance(1)
    r = np.array([0.3, 1.0])
    assert kernel.derivative(r) == pytest.approx(-2 * r * np.exp(-(r**2)), rel=1e-6)
    assert kernel.derivative_over_distance(np.zeros(1)) == pytest.approx(-2.0, rel=1e-4)


def test_kernels_load_neither_scipy_nor_flint_and_nothing_loads_the_laws() -> None:
    code = "import sys, bounds.problem, bounds.domain; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout.split()
    assert not {"scipy", "flint", "numba", "hypothesis"} & {name.split(".")[0] for name in loaded}
    packages = ("bounds", "simulation", "proofs_check", "ctv")
    users = [
        path for package in packages for path in (ROOT / package).rglob("*.py")
        if "bounds.laws" in path.read_text(encoding="utf-8") and path.parent.name != "laws"
    ]  # fmt: skip
    assert users == []


def test_a_family_that_is_forgotten_is_not_known() -> None:
    assert Plain not in families()
    register(Plain)
    assert Plain in families()
    forget(Plain)
    forget(Plain)  # once more changes nothing
    assert Plain not in families() and Matern in families()
