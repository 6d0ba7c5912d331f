"""Bounds over a partition of the rounds: what Theorem 1, its additive form and Theorem A share."""

from __future__ import annotations

from bounds.partitions.certified import certified_value
from bounds.partitions.search import SearchResult, evaluate, search
from bounds.promises.bound import Bound, GainBound, Ingredients, with_enclosure


class PartitionBound(Bound):
    """The smallest value of an objective of `bounds.partitions.search` over all partitions.

    The objective has the name of the bound. A search that was given up takes the best partition
    that an earlier bound found, if that is better here.
    """

    def evaluate(self, given: Ingredients) -> GainBound:
        found = search(
            self.name, given.problem, given.gamma,
            progress=lambda share: given.advance(f"partitions for {self.title}", share),
        )  # fmt: skip
        if not found.exact:
            found = min((found, *self._at_earlier(given, found)), key=lambda each: each.value)
        return self.at(found.value, found, self.failure(given))

    def _at_earlier(self, given: Ingredients, found: SearchResult) -> list[SearchResult]:
        """The objective at the partitions of earlier bounds, with what the search has proved."""
        least = found.value * (1.0 - found.gap)
        others = []
        for bound in given.earlier.values():
            if bound.partition is None:
                continue
            other = evaluate(self.name, given.problem, given.gamma, bound.partition.partition)
            gap = max(0.0, 1.0 - least / other.value) if other.value else 0.0
            others.append(
                SearchResult(
                    other.objective, other.value, other.gain, other.drift, other.partition,
                    other.centers, False, gap,
                )
            )  # fmt: skip
        return others

    def failure(self, given: Ingredients) -> str:
        """The hypothesis that fails for these times and kernels; empty where all hold."""
        return ""

    def certain(self, given: Ingredients) -> bool:
        """Whether the hypotheses hold beyond all rounding."""
        return True

    def enclosed(self, given: Ingredients, found: GainBound) -> GainBound:
        assert found.partition is not None
        if not self.certain(given):
            return found
        return with_enclosure(
            given, found, certified_value(given.problem, given.gamma, found.partition)
        )
