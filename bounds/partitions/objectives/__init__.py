"""Partition objectives as objects: Theorem 1 as printed, its additive form, Theorem A."""

from bounds.errors import InvalidInput
from bounds.partitions.objectives.objective import Objective
from bounds.partitions.objectives.refined import RefinedObjective
from bounds.partitions.objectives.theorem1 import Theorem1Objective
from bounds.partitions.objectives.uniform import AdditiveObjective

OBJECTIVES: dict[str, Objective] = {
    each.name: each for each in (Theorem1Objective(), AdditiveObjective(), RefinedObjective())
}
"""By name, in the order of the bounds."""


def objective_named(name: str) -> Objective:
    """The objective of that name; raises InvalidInput for an unknown one."""
    if name not in OBJECTIVES:
        raise InvalidInput("objective", name, f"use {', '.join(OBJECTIVES)}")
    return OBJECTIVES[name]


__all__ = ["OBJECTIVES", "Objective", "objective_named"]
