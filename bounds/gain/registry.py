"""Every upper bound on γ̃_n, in the order in which reports list them."""

from __future__ import annotations

from bounds.gain.bound import Bound
from bounds.gain.upper.any_pattern import AnyPattern
from bounds.gain.upper.joint_dual import JointDualBound
from bounds.gain.upper.knots import Knots
from bounds.gain.upper.partitioned import Additive, Refined, Theorem1
from bounds.gain.upper.trivial import TrivialCap
from bounds.registry import Registry

GAIN_BOUNDS = Registry[Bound](Bound, "bound", "ctv_bounds.gain_bounds")  # type: ignore[type-abstract]
"""By name; strangers join by `GAIN_BOUNDS.register`, or by an entry point of this group."""

for _each in (
    TrivialCap(),
    Theorem1(),
    Additive(),
    Refined(),
    AnyPattern(),
    Knots(),
    JointDualBound(),
):
    GAIN_BOUNDS.register(_each)
