"""Every upper bound on γ̃_n, in the order in which reports list them."""

from __future__ import annotations

from bounds.errors import InvalidInput
from bounds.gain.additive import Additive
from bounds.gain.any_pattern import AnyPattern
from bounds.gain.bound import Bound
from bounds.gain.joint_dual import JointDualBound
from bounds.gain.knots import Knots
from bounds.gain.refined import Refined
from bounds.gain.theorem1 import Theorem1
from bounds.gain.trivial import TrivialCap

_BOUNDS: dict[str, Bound] = {}


def register(bound: Bound) -> Bound:
    """Let every report list `bound` from now on; returns it.

    Raises InvalidInput where another bound has its name.

    Examples
    --------
    >>> "refined" in bound_names()
    True
    """
    if bound.name in _BOUNDS:
        raise InvalidInput("bound", bound.name, "is registered already: choose another name")
    _BOUNDS[bound.name] = bound
    return bound


def unregister(name: str) -> None:
    """Take a bound off the list again."""
    _BOUNDS.pop(name, None)


def registered_bounds() -> tuple[Bound, ...]:
    """The bounds in the order of the reports."""
    return tuple(_BOUNDS.values())


def bound_names() -> tuple[str, ...]:
    """Their names, as in JSON."""
    return tuple(_BOUNDS)


def titles() -> dict[str, str]:
    """What tables and figures call each, by name."""
    return {name: bound.title for name, bound in _BOUNDS.items()}


for _each in (
    TrivialCap(),
    Theorem1(),
    Additive(),
    Refined(),
    AnyPattern(),
    Knots(),
    JointDualBound(),
):
    register(_each)
