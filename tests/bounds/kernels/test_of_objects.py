"""Kernels of other libraries: what they say is what their own Gram matrix says."""

from typing import Any

import numpy as np
import pytest

from bounds.errors import InvalidInput
from bounds.kernels import Matern, SquaredExponential
from bounds.kernels.of_objects import read_kernel

sklearn = pytest.importorskip("sklearn.gaussian_process.kernels")
X = np.random.default_rng(4).random((7, 2))


def gram_of(given: Any) -> np.ndarray:
    """The covariance that was read, noise on the diagonal."""
    found = read_kernel(given)
    kernel, points = found.scaled(X)
    return found.variance * kernel.gram(points) + found.noise * np.eye(len(X))


@pytest.mark.parametrize(
    "text",
    [
        "RBF(0.3)",
        "RBF([0.3, 0.7])",
        "2.5 * RBF(0.3)",
        "RBF(0.3) * RBF([0.4, 0.9]) * ConstantKernel(1.5)",
        "Matern(0.4, nu=0.5)",
        "Matern([0.4, 0.2], nu=1.5) + WhiteKernel(0.3)",
        "0.5 * Matern(0.4, nu=2.5) + WhiteKernel(0.1) + WhiteKernel(0.2)",
        "Matern(0.4, nu=float('inf'))",
    ],
)
def test_scikit_learn(text: str) -> None:
    kernel = eval(text, vars(sklearn) | {"float": float})
    assert np.allclose(gram_of(kernel), kernel(X), rtol=1e-12, atol=1e-13)


class Tensor:
    """As of PyTorch: no array before it is detached."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def detach(self) -> "Tensor":
        return self

    def cpu(self) -> "Tensor":
        return self

    def numpy(self) -> np.ndarray:
        return np.asarray(self._value)


class Parameter:
    """As of GPJax: the number is in `value`."""

    def __init__(self, value: Any) -> None:
        self.value = np.asarray(value)


def named(name: str, **attributes: Any) -> Any:
    return type(name, (), attributes)()


def test_other_libraries_by_their_attributes() -> None:
    base = named("MaternKernel", nu=1.5, lengthscale=Tensor([[0.3, 0.6]]))
    scaled = named("ScaleKernel", base_kernel=base, outputscale=Tensor(2.0))
    found = read_kernel(scaled)  # GPyTorch
    assert (found.kernel, found.lengthscales, found.variance) == (Matern(1.5, 1.0), (0.3, 0.6), 2.0)
    product = named(
        "Product",
        kernels=[
            named("Matern52", lengthscales=Tensor(0.3), variance=Tensor(3.0)),
            named("Constant", variance=Tensor(2.0)),
        ],
    )
    found = read_kernel(product)  # GPflow
    assert (found.at_lengthscale(), found.variance) == (Matern(2.5, 0.3), 6.0)
    rbf = named("RBF", lengthscale=Parameter(0.3), variance=Parameter(1.5))
    combined = named("CombinationKernel", kernels=[rbf, named("White", variance=Parameter(0.2))])
    combined.operator = np.sum
    found = read_kernel(combined)  # GPJax
    assert (found.at_lengthscale(), found.variance) == (SquaredExponential(0.3), 1.5)
    assert found.noise == pytest.approx(0.2)
    two = named("Product", kernel1=named("Constant", value=2.0), kernel2=named("Exp", scale=0.3))
    found = read_kernel(two)  # tinygp
    assert (found.at_lengthscale(), found.variance) == (Matern(0.5, 0.3), 2.0)


def test_a_kernel_of_this_library_is_read_too() -> None:
    assert read_kernel(Matern(1.5, 0.3)).at_lengthscale() == Matern(1.5, 0.3)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (3, "kernel = int"),
        (named("Periodic", lengthscale=1.0), "kernel = Periodic"),
        (named("RBF"), "no lengthscale"),
        (named("RBF", lengthscale=-1.0), "positive"),
        (named("RBF", lengthscale="x"), "numbers"),
        (named("Constant", value=1.0), "depends on the points"),
        (named("Sum", k1=named("RBF", scale=1.0), k2=named("RBF", scale=2.0)), "sums of kernels"),
        (named("Product", k1=named("RBF", scale=1.0), k2=named("Exp", scale=1.0)), "product"),
        (named("Exp", scale=[1.0, 2.0], distance=named("L1Distance")), "Euclidean"),
    ],
)
def test_what_is_not_known_is_named(given: Any, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        read_kernel(given)


def test_lengthscales_for_each_input_need_the_points() -> None:
    found = read_kernel(named("RBF", lengthscale=[0.1, 0.2]))
    with pytest.raises(InvalidInput, match="give the points too"):
        found.at_lengthscale()
    with pytest.raises(InvalidInput, match="give 2 columns"):
        found.scaled(np.zeros((3, 1)))
