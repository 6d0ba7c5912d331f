"""How a policy is made for a run, with the hyperparameters that were asked for."""

from __future__ import annotations

from typing import cast

import numpy as np

from bounds.errors import InvalidInput
from simulation.policies.base import ModelPolicy, Policy, PolicySetup
from simulation.policies.readings import Readings
from simulation.policies.registry import policy_named
from simulation.policies.tuned import Tuned, believing
from simulation.world.evaluation_time import EvaluationTime


def make_policy(name: str, setup: PolicySetup) -> Policy:
    """The policy `name`, tuned as the readings say.

    Raises InvalidInput for what `check_policy` refuses, and for tuning by held-out seeds, which one
    run does not have.
    """
    check_policy(name, setup.evaluation_time, setup.readings)
    make, readings = policy_named(name), setup.readings
    if not make.has_model:
        return make(setup)
    if readings.tune == "none" or readings.assumed is not None:
        own = readings.assumed
        return make(setup if own is None else believing(setup, own))
    if readings.tune == "cross-validation":
        remedy = "needs held-out seeds, which a study has: simulation.study.run_study"
        raise InvalidInput("tune", readings.tune, remedy)
    return Tuned(cast(type[ModelPolicy], make), setup)


def check_policy(
    name: str, evaluation_time: EvaluationTime, readings: Readings | None = None
) -> None:
    """Raise InvalidInput unless `name` is a policy that copes with these times and readings."""
    policy = policy_named(name)
    learns = policy.times is not None and policy.times.are_learned
    if learns and np.min(evaluation_time.durations) <= 0:
        raise InvalidInput("policies", name, "it models log t: it needs evaluation times above 0")
    if readings is None or not policy.holds_the_problem:
        return
    if readings.tune != "none" or readings.assumed is not None:
        remedy = f"leave it out: {name} takes its hyperparameters from the problem"
        raise InvalidInput("tune", readings.tune, remedy)
