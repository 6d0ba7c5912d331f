"""The families that are known: by name from a text, and as plain data there and back.

A family of one's own joins by `register(Family)`, or by an entry point of the group
`ctv_bounds.kernels` in the package that brings it, which is looked for when a name is not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import cache
from importlib.metadata import entry_points
from math import isfinite
from typing import Any, Required, TypedDict, TypeVar, cast

from bounds.errors import InvalidInput, shortened
from bounds.kernels.base import Kernel, forgetting_rate
from bounds.kernels.forgetting import Forgetting
from bounds.kernels.independent import Independent
from bounds.kernels.levelled import Levelled
from bounds.kernels.matern import Matern
from bounds.kernels.squared_exponential import SquaredExponential

ENTRY_POINTS = "ctv_bounds.kernels"

AnyKernel = TypeVar("AnyKernel", bound=type[Kernel])

_FAMILIES: dict[str, type[Kernel]] = {
    family.__name__: family
    for family in (Forgetting, SquaredExponential, Matern, Independent, Levelled)
}


class KernelData(TypedDict, total=False):
    """A kernel as plain data, in studies, JSON and certificates: its family and its parameters.

    These are the parameters of the families that come along; one of one's own has its own.
    """

    type: Required[str]
    epsilon: float
    nu: float
    lengthscale: float


def register(family: AnyKernel) -> AnyKernel:
    """Make a family known, so that texts and stored files may name it; also as a decorator.

    Parameters
    ----------
    family : a `Kernel` that is a frozen dataclass; `space_names` and `time_names` are its texts

    Raises InvalidInput where another family has its name or one of its texts.
    """
    if not is_dataclass(cast(Any, family)):
        raise InvalidInput("kernel", family.__name__, "make it a frozen dataclass of parameters")
    for known in _FAMILIES.values():
        if known is family or (known.__module__, known.__qualname__) == _place(family):
            continue
        taken = set(known.space_names) & set(family.space_names)
        taken |= set(known.time_names) & set(family.time_names)
        if known.__name__ == family.__name__ or taken:
            clash = min(taken, default=family.__name__)
            raise InvalidInput("kernel", clash, f"choose another name: {known.__name__} has it")
    _FAMILIES[family.__name__] = family
    return family


def forget(family: type[Kernel]) -> None:
    """Take a family out again, as a test does with its own."""
    _FAMILIES.pop(family.__name__, None)


def families() -> tuple[type[Kernel], ...]:
    """Every family that is known, those of entry points included."""
    _load_once()
    return tuple(_FAMILIES.values())


def kernel_data(kernel: Kernel) -> KernelData:
    """The plain form of a kernel: `{"type": family, parameter: number, …}`.

    Raises InvalidInput, so that nothing is written that could not be read again, for a family that
    is not registered and for parameters that are no numbers, texts or truth values.

    >>> kernel_data(Matern(2.5, 0.2))
    {'type': 'Matern', 'nu': 2.5, 'lengthscale': 0.2}
    """
    family = type(kernel)
    if _FAMILIES.get(family.__name__) is not family:
        raise InvalidInput("kernel", family.__name__, "register it: bounds.kernels.register")
    for name, value in kernel.parameters.items():
        number = isinstance(value, float | int) and isfinite(value)
        if name == "type" or not (number or isinstance(value, str)):
            remedy = "only numbers and texts can be stored"
            raise InvalidInput(f"{name} of {kernel.name}", value, remedy)
    return cast(KernelData, {"type": family.__name__, **kernel.parameters})


def kernel_from_data(data: Mapping[str, Any]) -> Kernel:
    """The kernel that `kernel_data` wrote.

    Raises InvalidInput for what it cannot have written, parameters outside their domain included.
    """
    if not isinstance(data, Mapping) or not isinstance(data.get("type"), str):
        raise InvalidInput("kernel", str(data), "give the type of the kernel and its parameters")
    if data["type"] not in _FAMILIES:
        _load_entry_points()
    family = _FAMILIES.get(data["type"])
    if family is None:
        known = ", ".join(_FAMILIES)
        raise InvalidInput("kernel", data["type"], f"register this family; known are {known}")
    given = {name: value for name, value in data.items() if name != "type"}
    for name, value in given.items():
        if not isinstance(value, str | float | int) or isinstance(value, bool):
            raise InvalidInput(name, str(value), "give a number")
    # Which of a class's names are fields is known of dataclasses alone, as `register` requires.
    if set(given) != {field.name for field in fields(cast(Any, family)) if field.init}:
        raise InvalidInput("kernel", str(dict(data)), "has other parameters than its family")
    try:
        return family(**given)
    except (TypeError, OverflowError):
        remedy = "has parameters that are no numbers"
        raise InvalidInput("kernel", str(dict(data)), remedy) from None


def parse_kernel(text: str, lengthscale: float) -> Kernel:
    """The space kernel that a text names: `se`, `matern12`, `matern:NU`, …

    >>> parse_kernel("matern:1.5", 0.2)
    Matern(nu=1.5, lengthscale=0.2)
    """
    text = text if _named(text, "space_names") else usual_name(text)
    family = _named(text, "space_names")
    if family is None:
        raise InvalidInput("kernel", text, f"use {_listed('space_names')}")
    with _read("kernel", text):
        return family.from_text(text, lengthscale)


def parse_time_kernel(text: str, epsilon: float, lengthscale: float | None = None) -> Kernel:
    """The time kernel that a text names: `forgetting`, `exponential`, `se`, `matern:NU`, …

    `lengthscale` belongs to every kernel but `forgetting`; by default it is 1/θ(ε), at which
    the exponential kernel *is* the forgetting kernel of rate ε.
    """
    forgetting_rate(epsilon)
    text = text if _named(text, "time_names") else usual_name(text)
    family = _named(text, "time_names")
    if family is None:
        raise InvalidInput("time-kernel", text, f"use {_listed('time_names')}")
    with _read("time-kernel", text):
        return family.from_time_text(text, epsilon, lengthscale)


@contextmanager
def _read(option: str, text: str) -> Iterator[None]:
    """Name the option where a family cannot read its text, whoever wrote the family."""
    try:
        yield
    except InvalidInput as error:
        own = {"kernel": option, "lengthscale": option.replace("kernel", "lengthscale")}
        field = own.get(error.field, error.field)
        raise InvalidInput(field, error.value, error.remedy) from None
    except (ValueError, TypeError, ArithmeticError, LookupError) as error:
        name = text.partition(":")[0]
        reason = " ".join(str(error).split()) or type(error).__name__
        remedy = f"{name} does not read it ({shortened(reason)}): give what belongs behind {name}:"
        raise InvalidInput(option, text, remedy) from None


_OTHER = {
    "rbf": "se",
    "squared_exponential": "se",
    "squared-exponential": "se",
    "squaredexponential": "se",
    "gaussian": "se",
}
_SMOOTHNESS = {"12": "12", "1/2": "12", "32": "32", "3/2": "32", "52": "52", "5/2": "52"}


def usual_name(text: str) -> str:
    """The name here of a kernel that people write in another way.

    >>> usual_name("RBFKernel"), usual_name("matern-5/2"), usual_name("Matern 1.5")
    ('se', 'matern52', 'matern:1.5')
    """
    plain = text.strip().lower().replace("matérn", "matern").removesuffix("kernel").strip()
    if plain in _OTHER:
        return _OTHER[plain]
    behind = plain.removeprefix("matern").strip(" -_")
    if plain.startswith("matern") and behind and not behind.startswith(":"):
        return f"matern{_SMOOTHNESS[behind]}" if behind in _SMOOTHNESS else f"matern:{behind}"
    return text


def _named(text: str, names: str) -> type[Kernel] | None:
    for load in (False, True):
        if load:
            _load_entry_points()
        for family in _FAMILIES.values():
            for name in getattr(family, names):
                prefix, parameter, _ = name.partition(":")
                if text == name or (parameter and text.startswith(prefix + ":")):
                    return family
    return None


def _listed(names: str) -> str:
    listed = [name for family in _FAMILIES.values() for name in getattr(family, names)]
    return f"{', '.join(listed[:-1])} or {listed[-1]}"


def _place(family: type[Kernel]) -> tuple[str, str]:
    return family.__module__, family.__qualname__


@cache
def _load_once() -> None:
    """Reading what is installed takes ten milliseconds: anew only for a name that nobody has."""
    _load_entry_points()


def _load_entry_points() -> None:
    for entry in entry_points(group=ENTRY_POINTS):
        register(entry.load())
