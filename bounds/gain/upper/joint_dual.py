"""The rank-aware dual over points and times together, which needs no partition."""

from __future__ import annotations

from dataclasses import replace

from bounds.drifting_gain.certified import certified_dual
from bounds.drifting_gain.joint_dual import JointDual, joint_dual
from bounds.gain.bound import Bound, GainBound, Ingredients


class JointDualBound(Bound):
    """½ times the least found dual of the concave relaxation over designs of points and times."""

    name = "joint_dual"
    title = "joint dual"
    source = "rank-aware dual over points and times (Lemma R)"
    costly = True

    def evaluate(self, given: Ingredients) -> GainBound | None:
        dual = joint_dual(given.problem, lambda share: given.advance("joint dual", share))
        return None if dual is None else self.at(dual.value, dual)

    def enclosed(self, given: Ingredients, bound: GainBound) -> GainBound:
        # Its certificates are its own: the curve of γ plays no part.
        assert isinstance(bound.evidence, JointDual)
        dual = certified_dual(
            given.problem,
            bound.evidence,
            lambda share: given.advance("certify the joint dual", share),
        )
        return replace(bound, value=dual.value, certified=dual.certified, evidence=dual)
