"""One bound on regret as a value: side, number, and everything that it covers and rests on."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Literal

from bounds.drifting_gain.joint_dual import JointDual
from bounds.regret.policies import policy_in_words

ANY_POLICY = "any"
PRIOR = "the prior is the true one; finite domain"

Direction = Literal["upper", "lower"]
Kind = Literal["probability", "mean"]
Rounds = Literal["one n", "all n"]


@dataclass(frozen=True)
class RegretBound:
    """A bound on the cumulative regret R_n, or on its mean E R_n.

    Attributes
    ----------
    name : its name in JSON and in the registries
    value : in units of cumulative regret
    direction : "upper" or "lower"
    policy : a name of `ctv simulate --policy`, or "any": one that sees f through its
        observations alone
    exploration : weight of the policy's deviation where it has one: "theory" (√β_n of the
        theorem), "constant", "none" (the posterior mean) or ""
    hypotheses : what it rests on beyond unit-variance product kernels
    kind : "probability" (R_n, with probability ≥ `level`) or "mean" (E R_n)
    level : 1 − δ; None for a mean that is not simulated, otherwise the confidence of the simulation
    rounds : "all n" (one event for every n) or "one n"
    source : the formula, with the numbers that went into it
    times : "fixed" beforehand, or "t(x)"
    certified : True only for outward rounded arithmetic throughout
    simulated : whether it holds with a confidence over simulations beside everything else
    inflated : what a certified envelope rests on: the noise variance and the joint dual there
    """

    name: str
    value: float
    direction: Direction
    policy: str
    hypotheses: str
    kind: Kind
    level: float | None
    rounds: Rounds
    source: str
    exploration: str = ""
    times: str = "fixed"
    certified: bool = False
    simulated: bool = False
    inflated: tuple[float, JointDual] | None = field(default=None, repr=False, compare=False)

    @property
    def covers(self) -> str:
        """The policy in words, its option in brackets where the words do not say it."""
        if self.policy == ANY_POLICY:
            return "any policy"
        words = {
            "theory": ", exploration theory",
            "constant": ", constant exploration",
            "none": ", no exploration",
        }
        name = policy_in_words(self.policy)
        option = "" if name.lower().replace(" ", "-") == self.policy else f" ({self.policy})"
        return f"{name}{option}{words.get(self.exploration, '')}"

    def to_dict(self) -> dict[str, Any]:
        """Its fields, and the policy in words as `covers`."""
        shown = [entry.name for entry in fields(self) if entry.repr]
        return {**{name: getattr(self, name) for name in shown}, "covers": self.covers}
