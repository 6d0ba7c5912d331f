"""Kernels of other libraries, read by the attributes of their objects; none is imported.

scikit-learn (RBF, Matern, ConstantKernel, WhiteKernel), GPyTorch (RBFKernel, MaternKernel,
ScaleKernel), GPflow and GPJax (RBF, SquaredExponential, Matern12, Matern32, Matern52, White,
Constant), tinygp (ExpSquared, Exp, Matern32, Matern52, Constant), and products of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import isinf
from typing import Any, cast

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from bounds.kernels.base import Kernel
from bounds.kernels.matern import Matern
from bounds.kernels.squared_exponential import SquaredExponential

_SQUARED = ("RBF", "RBFKernel", "SquaredExponential", "ExpSquared", "ExpSquaredKernel")
_MATERN = {"Matern12": 0.5, "Exp": 0.5, "Matern32": 1.5, "Matern52": 2.5}
_CONSTANT = {"ConstantKernel": "constant_value", "Constant": "variance"}
_NOISE = {"WhiteKernel": "noise_level", "White": "variance"}
_LENGTHS = ("lengthscale", "lengthscales", "length_scale", "scale")
_VARIANCES = ("variance", "outputscale")


@dataclass(frozen=True)
class ReadKernel:
    """What an object of another library says.

    Attributes
    ----------
    kernel : of unit variance, at lengthscale 1
    lengthscales : one for all inputs, or one for each
    variance : k(x, x) without noise
    noise : the variance of its white noise, 0 without
    """

    kernel: Kernel
    lengthscales: tuple[float, ...]
    variance: float = 1.0
    noise: float = 0.0

    def at_lengthscale(self) -> Kernel:
        """The kernel of points as they are; InvalidInput for a lengthscale for each input."""
        if len(set(self.lengthscales)) > 1:
            remedy = "give the points too (X=...): they are divided by them"
            raise InvalidInput("kernel", f"lengthscales {self.lengthscales}", remedy)
        return self.kernel.stretched(self.lengthscales[0])

    def scaled(self, points: FloatArray) -> tuple[Kernel, FloatArray]:
        """A kernel and (N, d) points: as they are for one lengthscale, else divided by them.

        Raises InvalidInput for another number of inputs than there are lengthscales.
        """
        if len(set(self.lengthscales)) == 1:
            return self.at_lengthscale(), points
        if points.shape[1] != len(self.lengthscales):
            remedy = f"give {len(self.lengthscales)} columns, one for each lengthscale"
            raise InvalidInput("X", f"{points.shape[1]} columns", remedy)
        return self.kernel, points / np.array(self.lengthscales)


def read_kernel(given: Any) -> ReadKernel:
    """A kernel of this library or of another one.

    Parameters
    ----------
    given : an object of scikit-learn, GPyTorch, GPflow, GPJax or tinygp: squared exponential or
        Matérn, times constants and squared exponentials, plus white noise

    Raises InvalidInput for any other kernel, naming the part that is not known.

    >>> class RBF:  # as in scikit-learn
    ...     length_scale = 0.2
    >>> read_kernel(RBF()).at_lengthscale()
    SquaredExponential(lengthscale=0.2)
    """
    if isinstance(given, type):
        made = f"{given.__name__}(...)"
        raise InvalidInput("kernel", f"the class {given.__name__}", f"give a kernel of it, {made}")
    if isinstance(given, Kernel):
        lengthscale = given.parameters.get("lengthscale")
        if not isinstance(lengthscale, float | int):
            raise InvalidInput("kernel", given.name, "give a kernel that has a lengthscale")
        return ReadKernel(replace(cast(Any, given), lengthscale=1.0), (float(lengthscale),))
    parts = list(_summands(given))
    noise = sum(_number(part, _NOISE[_name(part)]) for part in parts if _name(part) in _NOISE)
    rest = [part for part in parts if _name(part) not in _NOISE]
    if len(rest) != 1:
        remedy = "give one kernel, perhaps plus white noise: sums of kernels are not known"
        raise InvalidInput("kernel", repr(given), remedy)
    variance, matern = 1.0, None
    squared: list[FloatArray] = []
    for factor in _factors(rest[0]):
        name = _name(factor)
        if name in _CONSTANT:
            named = "value" if hasattr(factor, "value") and name == "Constant" else _CONSTANT[name]
            variance *= _number(factor, named)
            continue
        nu = _smoothness(factor, name)
        lengths = _lengths(factor)
        variance *= next((_number(factor, key) for key in _VARIANCES if hasattr(factor, key)), 1.0)
        if nu is None:
            squared.append(lengths)
        elif matern is None:
            matern = nu, lengths
        else:
            raise InvalidInput("kernel", repr(given), "give at most one Matérn factor")
    if matern is None and not squared:
        raise InvalidInput("kernel", repr(given), "give one that depends on the points")
    if matern is not None and squared:
        remedy = "give a Matérn or a squared exponential kernel: their product is not known"
        raise InvalidInput("kernel", repr(given), remedy)
    if matern is None:
        kernel: Kernel = SquaredExponential(1.0)
        # Products of squared exponentials are one.
        scales = squared[0] if len(squared) == 1 else sum(each**-2.0 for each in squared) ** -0.5
    else:
        kernel, scales = Matern(matern[0], 1.0), matern[1]
    if not (np.all(np.isfinite(scales)) and np.all(scales > 0.0) and 0.0 < variance < np.inf):
        raise InvalidInput("kernel", repr(given), "give positive lengthscales and variances")
    return ReadKernel(kernel, tuple(scales.tolist()), variance, noise)


def _name(given: Any) -> str:
    return type(given).__name__


def _combined(given: Any) -> str:
    """`sum` or `product` for what combines kernels; empty for a kernel."""
    name = _name(given)
    if name == "CombinationKernel":  # GPJax
        return "sum" if "sum" in getattr(given.operator, "__name__", "") else "product"
    sums, products = ("Sum", "AdditiveKernel", "SumKernel"), ("Product", "ProductKernel")
    return "sum" if name in sums else "product" if name in products else ""


def _summands(given: Any) -> Iterator[Any]:
    """The terms of a sum; one kernel is its only term."""
    if _combined(given) == "sum":
        for part in _parts(given):
            yield from _summands(part)
    else:
        yield given


def _factors(given: Any) -> Iterator[Any]:
    """The factors of a product, scales as objects with an `outputscale` among them."""
    if _combined(given) == "product":
        for part in _parts(given):
            yield from _factors(part)
    elif hasattr(given, "base_kernel"):
        yield Constant(_number(given, "outputscale"))
        yield from _factors(given.base_kernel)
    else:
        yield given


def _parts(given: Any) -> list[Any]:
    """What a sum or product is of, under the names that libraries have for it."""
    for names in (("k1", "k2"), ("kernel1", "kernel2")):
        if all(hasattr(given, name) for name in names):
            return [getattr(given, name) for name in names]
    return list(given.kernels)


@dataclass(frozen=True)
class Constant:
    """A constant factor, by the name that libraries have for it."""

    variance: float


def _smoothness(factor: Any, name: str) -> float | None:
    """ν of a Matérn kernel, None for the squared exponential; InvalidInput for others."""
    if name in _SQUARED:
        return None
    if name in _MATERN:
        _refuse_other_distance(factor, name)
        return _MATERN[name]
    if name in ("Matern", "MaternKernel"):
        nu = _number(factor, "nu")
        return None if isinf(nu) else nu
    known = ", ".join((*_SQUARED[:1], "Matern", *_MATERN))
    raise InvalidInput("kernel", name, f"give one of {known}, perhaps times a constant")


def _refuse_other_distance(factor: Any, name: str) -> None:
    """tinygp measures Matérn distances by sums of sides unless told otherwise."""
    distance = getattr(factor, "distance", None)
    if distance is not None and _name(distance) == "L1Distance":
        lengths = _lengths(factor)
        if len(lengths) > 1:
            remedy = "give distance=L2Distance(): the distance is to be Euclidean"
            raise InvalidInput("kernel", name, remedy)


def _lengths(factor: Any) -> FloatArray:
    named = next((key for key in _LENGTHS if hasattr(factor, key)), None)
    if named is None:
        raise InvalidInput("kernel", _name(factor), "it has no lengthscale")
    return np.atleast_1d(_array(getattr(factor, named))).ravel()


def _number(given: Any, name: str) -> float:
    return float(_array(getattr(given, name)).reshape(()))


def _array(value: Any) -> FloatArray:
    """An array from a tensor, a parameter or a number."""
    for name in ("detach", "cpu", "numpy"):
        method = getattr(value, name, None)
        if callable(method):
            value = method()
    inner = getattr(value, "value", None)
    if inner is not None and not callable(inner):
        value = inner
    try:
        return np.asarray(value, dtype=float).squeeze()
    except (TypeError, ValueError):
        raise InvalidInput("kernel", repr(value), "its parameters are to be numbers") from None
