"""Ranges, structures and their coordinates, each against what it says of itself."""

import numpy as np
import pytest

from bounds.errors import InvalidInput
from simulation.prior.conjugate import MeanAndScale
from simulation.prior.evidence import Member
from simulation.prior.hyperprior import FiniteHyperprior, Hyperprior, LogNormal, Structure

LAW = MeanAndScale(0.0, 1.0, 1.0, 1.0)
MEMBER = Member("se", 0.0, (0.3, 0.4), 0.01)


def test_a_range_is_log_normal_and_ends_after_four_deviations() -> None:
    law = LogNormal(0.5, 3.0)
    assert law.value(np.array([-1.0, 0.0, 2.0])) == pytest.approx([0.5 / 3, 0.5, 4.5])
    assert law.ends == pytest.approx((0.5 / 81, 0.5 * 81)) and law.width == np.log(3.0)
    for bad, said in (
        ((0.0, 2.0), "median"),
        ((-1.0, 2.0), "median"),
        ((np.inf, 2.0), "median"),
        ((np.nan, 2.0), "median"),
        ((1.0, 1.0), "factor"),
        ((1.0, 0.5), "factor"),
        ((1.0, np.inf), "factor"),
        ((1.0, np.nan), "factor"),
    ):
        with pytest.raises(InvalidInput, match=f"hyperprior {said} = "):
            LogNormal(*bad)


def test_a_finite_set_has_chances_that_add_to_one() -> None:
    assert FiniteHyperprior((MEMBER,) * 2, (0.25, 0.75), LAW).dimension == 2
    assert FiniteHyperprior((MEMBER,) * 2, (0.25, 0.75 + 9e-10), LAW).members == (MEMBER,) * 2
    for members, chances in (
        ((), ()),
        ((MEMBER,), (0.5, 0.5)),
        ((MEMBER,) * 2, (1.0,)),
        ((MEMBER,) * 2, (0.0, 1.0)),
        ((MEMBER,) * 2, (-0.5, 1.5)),
        ((MEMBER,) * 2, (0.25, 0.75 + 2e-9)),
        ((MEMBER,) * 2, (0.25, 0.7)),
    ):
        with pytest.raises(InvalidInput, match="hyperprior"):
            FiniteHyperprior(members, chances, LAW)


def test_structures_have_the_chances_of_their_options() -> None:
    believed = Hyperprior(kernels=("se", "matern32"), drift=0.2, level_share=0.3, per_input=0.4)
    found = believed.structures(2)
    assert sum(found.values()) == pytest.approx(1.0) and len(found) == 12
    for kernel in ("se", "matern32"):
        for own, share in ((True, 0.4), (False, 0.6)):
            assert found[Structure(kernel, True, True, own)] == pytest.approx(0.03 * share)
            assert found[Structure(kernel, True, False, own)] == pytest.approx(0.07 * share)
            assert found[Structure(kernel, False, False, own)] == pytest.approx(0.4 * share)
    # One input has no lengthscales of its own; without drift a level is the mean.
    assert set(believed.structures(1)) == {
        Structure(kernel, drift, level, False)
        for kernel in ("se", "matern32")
        for drift, level in ((True, True), (True, False), (False, False))
    }
    settled = Hyperprior(kernels=("se",), drift=1.0, level_share=0.0, per_input=1.0)
    assert settled.structures(2) == {Structure("se", True, False, True): 1.0}
    usual = Hyperprior()
    assert usual == Hyperprior(
        LogNormal(0.3, 2.5),
        LogNormal(0.5, 6.0),
        LogNormal(0.02, 6.0),
        LogNormal(0.5, 3.0),
        ("se", "matern52"),
        0.5,
        0.5,
        0.5,
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"kernels": ()}, "kernel"),
        ({"kernels": ("se", "cubic")}, "kernel = se,cubic"),
        ({"drift": -0.1}, "hyperprior drift = -0.1"),
        ({"drift": 1.1}, "hyperprior drift"),
        ({"level_share": float("nan")}, "hyperprior level_share"),
        ({"per_input": 2}, "hyperprior per_input = 2: give a probability"),
    ],
)
def test_options_that_are_no_probabilities(given, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        Hyperprior(**given)


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("drift", [True, False])
@pytest.mark.parametrize("level", [True, False])
def test_coordinates_are_deviations_of_logarithms(own: bool, drift: bool, level: bool) -> None:
    """Lengthscales, noise, half-life in shares of the span, level; and the slopes along them."""
    believed, structure = Hyperprior(), Structure("matern52", drift, level, own)
    lengths = [1.0, -0.5] if own else [1.0]
    z = [*lengths, 0.5, *([2.0] if drift else []), *([-1.0] if level else [])]
    assert believed.coordinates(structure, 2) == len(z)
    first, second = believed.members(structure, np.array([z, np.zeros(len(z))]), 2, 10.0)
    expected = tuple(0.3 * 2.5**power for power in (lengths if own else [1.0, 1.0]))
    assert first.kernel == "matern52" and first.lengthscales == pytest.approx(expected)
    assert first.noise_variance == pytest.approx(0.02 * 6.0**0.5)
    assert first.half_life == (pytest.approx(10 * 0.5 * 36.0) if drift else np.inf)
    assert first.level == (pytest.approx(0.5 / 3) if level else 0.0)
    assert second.lengthscales == pytest.approx((0.3, 0.3)) and second.noise_variance == 0.02
    by_logarithm = np.array([2.0, 3.0, 5.0, 7.0, 11.0])
    a, b, c, e = (np.log(x) for x in (2.5, 6.0, 6.0, 3.0))
    slopes = [2 * a, 3 * a] if own else [5 * a]
    slopes += [5 * b, *([7 * c] if drift else []), *([11 * e] if level else [])]
    assert believed.slopes(structure, by_logarithm, 2) == pytest.approx(slopes)
