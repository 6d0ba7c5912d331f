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
    parse_kernel,
    parse_time_kernel,
    register,
)
from bounds.kernels.levelled import Levelled
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
        path
        for package in packages
        for path in (ROOT / package).rglob("*.py")
        if "bounds.laws" in path.read_text(encoding="utf-8") and path.parent.name != "laws"
    ]
    assert users == []


def once_more() -> type[Kernel]:
    """A class of the same place in the same module, as after a module is run again."""

    @dataclass(frozen=True)
    class Again(Plain):
        space_names = ("again", "again:SIZE")
        time_names = ("again",)

    return Again


def test_a_module_that_is_run_again_brings_its_families_anew() -> None:
    first, second = once_more(), once_more()
    try:
        assert register(first) is first and register(second) is second
        assert second in families() and first not in families()
        assert kernel_data(second(2.0)) == {"type": "Again", "shape": 2.0}
        with pytest.raises(InvalidInput, match="Again: register it"):
            kernel_data(first(2.0))
        parsed = parse_kernel("again:7", 0.5)
        assert type(parsed) is second and parsed.shape == 0.5
        for text in ("again:", "again:x:y"):
            assert type(parse_kernel(text, 0.5)) is second
        for text in ("agai", "again;7"):
            with pytest.raises(InvalidInput, match=r"or again:SIZE$"):
                parse_kernel(text, 0.5)
    finally:
        forget(second)


SPACE = "use se, matern12, matern32, matern52 or matern:NU"
TIME = "use forgetting, se, exponential, matern12, matern32, matern52 or matern:NU"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda: register(type("Loose", (), {})),
            "kernel = Loose: make it a frozen dataclass of parameters",
        ),
        (lambda: kernel_data(Plain()), "kernel = Plain: register it: bounds.kernels.register"),
        (lambda: kernel_from_data(3), "kernel = 3: give the type of the kernel and its parameters"),
        (
            lambda: kernel_from_data({"type": 3}),
            "kernel = {'type': 3}: give the type of the kernel and its parameters",
        ),
        (
            lambda: kernel_from_data({"type": "C"}),
            "kernel = C: register this family; known are "
            "Forgetting, SquaredExponential, Matern, Independent, Levelled",
        ),
        (
            lambda: kernel_from_data({"type": "Forgetting", "epsilon": [1]}),
            "epsilon = [1]: give a number",
        ),
        (
            lambda: kernel_from_data({"type": "Forgetting", "epsilon": True}),
            "epsilon = True: give a number",
        ),
        (
            lambda: kernel_from_data({"type": "Forgetting"}),
            "kernel = {'type': 'Forgetting'}: has other parameters than its family",
        ),
        (
            lambda: kernel_from_data({"type": "Independent", "nu": 0.5}),
            "kernel = {'type': 'Independent', 'nu': 0.5}: has other parameters than its family",
        ),
        (
            lambda: kernel_from_data({"type": "Forgetting", "epsilon": "x"}),
            "kernel = {'type': 'Forgetting', 'epsilon': 'x'}: has parameters that are no numbers",
        ),
        (lambda: parse_kernel("cubic", 1.0), f"kernel = cubic: {SPACE}"),
        (
            lambda: parse_kernel("matern:x", 1.0),
            "kernel = matern:x: give a number after matern:, e.g. matern:1.5 or matern:3/2",
        ),
        (lambda: parse_time_kernel("cubic", 0.1), f"time-kernel = cubic: {TIME}"),
        (
            lambda: parse_time_kernel("se", 0.0),
            "time-lengthscale = none: give one, since epsilon = 0 implies none",
        ),
        (
            lambda: parse_time_kernel("se", 0.1, -1.0),
            "time-lengthscale = -1.0: give a positive finite number",
        ),
        (
            lambda: parse_time_kernel("forgetting", 0.1, 2.0),
            "time-lengthscale = 2.0: drop it: the forgetting kernel has only epsilon",
        ),
        (
            lambda: parse_time_kernel("forgetting", -0.1),
            "epsilon = -0.1: give a forgetting rate in [0, 1)",
        ),
        (lambda: Matern(100.5, 1.0), "nu = 100.5: give at most 100, or use the se kernel (ν → ∞)"),
        (lambda: Matern(0.5, 0.0), "lengthscale = 0.0: give a positive finite number"),
        (
            lambda: Forgetting(0.1).stretched(2.0),
            "kernel = forgetting: it has no lengthscale to change",
        ),
        (
            lambda: Forgetting(0.1).derivative_over_distance(np.ones(1)),
            "kernel = forgetting: gradients need a se or Matérn space kernel",
        ),
        (
            lambda: Levelled("cubic", 1.0, 0.0),
            "kernel = cubic: use se, matern12, matern32, matern52",
        ),
        (lambda: Levelled("se", 1.0, -0.5), "level = -0.5: give a number of at least 0"),
        (
            lambda: Plain().enclosed_at_distance(1),
            "kernel = plain: no enclosure is known for this kernel",
        ),
        (
            lambda: Plain().enclosed_derivative_variance(),
            "kernel = plain: constants a and b are known for se, matern32 and matern52",
        ),
        (
            lambda: Plain().enclosed_radial(None),
            "kernel = plain: gradients are enclosed for se and Matérn kernels of half-integer ν",
        ),
        (
            lambda: Plain().enclosed_remainder(1),
            "kernel = plain: the box is done for se, matern32 and matern52",
        ),
    ],
)
def test_refusals_in_words(call, said: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        call()
    assert str(caught.value) == said


def test_what_is_accepted_at_the_ends() -> None:
    assert Matern(100.0, 1e50).nu == 100 and SquaredExponential(1e-50).lengthscale == 1e-50
    assert parse_time_kernel("se", 0.19).lengthscale == pytest.approx(-2 / np.log(0.81))
    assert parse_time_kernel("matern:2.5", 0.0, 4.0) == Matern(2.5, 4.0)
    assert parse_time_kernel("forgetting", 0.0) == Forgetting(0.0)
    assert (Plain().derivative_rise(1, np.ones(1)), Plain().enclosed_slope()) == (None, None)
    assert Plain().at_rate(0.5) is None
    assert Plain(np.float64(2.0)).parameters == {"shape": 2.0}
    assert type(Plain(np.float64(2.0)).parameters["shape"]) is float
    assert Forgetting(0.1).at_rate(0.5) == Forgetting(0.5)
    assert Levelled("se", 1.0, 0.0).level == 0.0
