"""Bounds over a partition of the rounds: what Theorem 1, its additive form and Theorem A share."""

from __future__ import annotations

from bounds.gain.bound import Bound, GainBound, Ingredients, with_enclosure
from bounds.partitions.search import certified_value, improve, search


class PartitionBound(Bound):
    """The smallest value of an objective of `bounds.partitions.search` over all partitions.

    The objective has the name of the bound. A search that was given up takes the best partition
    that an earlier bound found, if that is better here.
    """

    def evaluate(self, given: Ingredients) -> GainBound:
        result = search(
            self.name,
            given.problem,
            given.gamma,
            progress=lambda share: given.advance(f"partitions for {self.title}", share),
        )
        earlier = [bound.partition for bound in given.earlier.values() if bound.partition]
        result = improve(given.problem, given.gamma, result, earlier)
        return self.at(result.value, result, self.failure(given))

    def failure(self, given: Ingredients) -> str:
        """The hypothesis that fails for these times and kernels; empty where all hold."""
        return ""

    def certain(self, given: Ingredients) -> bool:
        """Whether the hypotheses hold beyond all rounding."""
        return True

    def enclosed(self, given: Ingredients, bound: GainBound) -> GainBound:
        assert bound.partition is not None
        if not self.certain(given):
            return bound
        return with_enclosure(
            given, bound, certified_value(given.problem, given.gamma, bound.partition)
        )
