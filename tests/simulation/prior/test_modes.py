"""Modes and Laplace's approximation of laws whose mode and integral are known."""

from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from simulation.prior.conjugate import MeanAndScale
from simulation.prior.hyperprior import REACH, Hyperprior, Structure
from simulation.prior.importance import log_prior
from simulation.prior.modes import Search
from tests.simulation.prior.test_evidence import data_of

LAW = MeanAndScale(2.0, 1.5, 2.0, 3.0)
RICH = Structure("se", True, True, True)
POOR = Structure("se", False, False, False)


@dataclass(frozen=True, eq=False)
class Bowl(Search):
    """Minus a logarithm that is quadratic: ½ (z − top)ᵀH(z − top) − 7."""

    top: np.ndarray = field(default_factory=lambda: np.zeros(2))
    curvature: np.ndarray = field(default_factory=lambda: np.eye(2))

    def descent(self, structure, z):
        step = z - self.top
        return float(0.5 * step @ self.curvature @ step - 7.0), self.curvature @ step


def bowl(top, curvature) -> Bowl:
    shape = {"top": np.array(top), "curvature": np.array(curvature)}
    return Bowl(data_of(), Hyperprior(), LAW, **shape)


def test_laplaces_approximation_of_a_normal_law_is_its_integral() -> None:
    curvature = np.array([[2.0, 0.5], [0.5, 1.0]])
    search = bowl([0.3, -1.0], curvature)
    value, top = search.climb(POOR, np.zeros(2))
    assert value == pytest.approx(-7.0, abs=1e-5) and top == pytest.approx([0.3, -1.0], abs=2e-2)
    mode = search._mode(POOR, np.array([0.3, -1.0]))
    assert mode.structure is POOR and mode.center.tolist() == [0.3, -1.0]
    assert mode.covariance == pytest.approx(np.linalg.inv(curvature))
    integral = 7.0 + np.log(2 * np.pi) - 0.5 * np.log(np.linalg.det(curvature))
    assert mode.log_evidence == pytest.approx(integral)
    # Where the law is nearly flat the curvature is taken for 0.3.
    flat = bowl([0.0, 0.0], np.diag([0.1, 2.0]))._mode(POOR, np.zeros(2))
    assert flat.covariance == pytest.approx(np.diag([1 / 0.3, 0.5]))
    assert flat.log_evidence == pytest.approx(7.0 + np.log(2 * np.pi) - 0.5 * np.log(0.6))
    end = bowl([9.0, -9.0], np.eye(2))
    assert end.climb(POOR, np.zeros(2))[1].tolist() == [REACH, -REACH]
    inner = end._mode(POOR, np.array([REACH, -REACH]))
    assert inner.covariance == pytest.approx(np.eye(2))


def test_what_a_structure_lacks_is_left_out_of_the_mode_of_the_richest() -> None:
    search = Search(data_of(), Hyperprior(), LAW)
    z = np.array([1.0, 3.0, 0.1, 0.2, 0.3])  # two lengthscales, noise, half-life, level
    cases = {
        (True, True, True): [1.0, 3.0, 0.1, 0.2, 0.3],
        (True, True, False): [2.0, 0.1, 0.2, 0.3],
        (True, False, True): [1.0, 3.0, 0.1, 0.2],
        (False, True, True): [1.0, 3.0, 0.1, 0.3],
        (False, False, False): [2.0, 0.1],
    }
    for (drift, level, own), expected in cases.items():
        structure = Structure("se", drift, level, own)
        assert search._restricted(z, RICH, structure).tolist() == expected
        assert search.coordinates(structure) == len(expected)
    one = Structure("se", False, False, False)
    both = Structure("se", True, True, False)
    assert search._restricted(np.array([2.0, 0.1]), one, both).tolist() == [2.0, 0.1, 0.0, 0.0]
    level = Structure("se", False, True, False)
    found = search._restricted(np.array([2.0, 0.1, 0.5]), level, both)
    assert found.tolist() == [2.0, 0.1, 0.0, 0.5]


@pytest.mark.parametrize("weighed", [True, False])
def test_the_descent_is_minus_the_logarithm_with_its_gradient(weighed) -> None:
    search = Search(data_of(), Hyperprior(), LAW, weighed)
    z = np.array([0.4, -0.3, 0.5, -0.2, 0.1])

    def value(at):
        (member,) = search.hyperprior.members(RICH, at[None], 2, search.span)
        found = float(search.data.log_evidence([member], LAW)[0])
        return -found - (float(log_prior(at[None])[0]) if weighed else 0.0)

    found, gradient = search.descent(RICH, z)
    assert found == pytest.approx(value(z))
    step = 1e-5
    expected = [(value(z + step * e) - value(z - step * e)) / (2 * step) for e in np.eye(5)]
    assert gradient == pytest.approx(expected, rel=1e-4, abs=1e-5)
    logs, kept = search.target(RICH, z[None])
    assert logs[0] == pytest.approx(-value(z) if weighed else -value(z) + log_prior(z[None])[0])
    (member,) = search.members(RICH, z[None])
    evidence, law = search.data.judged([member], LAW)
    assert kept[0] == pytest.approx([evidence[0], *law.rows[0]])


def test_a_covariance_that_is_singular_has_no_descent() -> None:
    data = data_of()
    still = replace(data, points=np.zeros_like(data.points), times=np.zeros(data.n))
    search = Search(still, Hyperprior(), MeanAndScale(2.0, 0.0, 2.0, 3.0))
    assert search.span == 1.0 and Search(data, Hyperprior(), LAW).span == np.ptp(data.times)
    found, gradient = search.descent(POOR, np.array([0.0, -40.0]))
    assert found == 1e10 and gradient.tolist() == [0.0, 0.0]
    beyond, slopes = Search(data, Hyperprior(), LAW).descent(POOR, np.array([0.0, 4.5]))
    assert np.isfinite(beyond) and np.all(np.isfinite(slopes))


def test_every_structure_has_its_mode_the_richest_first() -> None:
    structures = [POOR, RICH, Structure("se", True, False, True)]
    search = Search(data_of(), Hyperprior(), LAW)
    found = search.modes(structures, np.random.default_rng(0))
    assert [mode.structure for mode in found] == [RICH, structures[2], POOR]
    for mode in found:
        value, gradient = search.descent(mode.structure, mode.center)
        inside = np.abs(mode.center) < REACH
        assert np.abs(gradient[inside]).max() < 0.05
        for other in np.eye(len(mode.center)):
            assert (
                search.descent(mode.structure, np.clip(mode.center + 0.3 * other, -REACH, REACH))[0]
                >= value - 1e-6
            )
