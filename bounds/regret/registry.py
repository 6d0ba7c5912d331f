"""Every bound on regret that is known before a run, in the order in which reports list them."""

from __future__ import annotations

from bounds.registry import Registry
from bounds.regret.bound import Bound
from bounds.regret.lower.arms import OneArmFloor, PathPriceFloor, PriceFloor, TwoArmsFloor
from bounds.regret.lower.full_information import FullInformationFloor
from bounds.regret.lower.rank import RankFloor
from bounds.regret.lower.sandwich import SandwichFloor
from bounds.regret.upper.found_elsewhere import (
    HalvedTheorem1Row,
    ScheduledExploration,
    SimulatedMean,
    SimulatedQuantile,
)
from bounds.regret.upper.in_expectation.constant_exploration import ConstantExploration
from bounds.regret.upper.in_expectation.every_sequence import TheoremQPlus
from bounds.regret.upper.in_expectation.expected_maximum import ExpectedMaximumBound, SandwichUpper
from bounds.regret.upper.in_expectation.increments import GreedyBlocks, LemmaSF, TheoremI3
from bounds.regret.upper.in_expectation.margin import MarginBound
from bounds.regret.upper.in_expectation.theorem_m import TheoremM, TheoremMByEntropy
from bounds.regret.upper.in_expectation.theorem_t import (
    PublishedIrgpUcb,
    TheoremT,
    TheoremTByVariances,
)
from bounds.regret.upper.in_probability.deviations import CauchySchwarz, DeviationCap, Envelope
from bounds.regret.upper.in_probability.tail import EnvelopeOrTail, RangeTail

REGRET_BOUNDS = Registry[Bound](Bound, "regret bound", "ctv_bounds.regret_bounds")  # type: ignore[type-abstract]
"""By name; strangers join by `REGRET_BOUNDS.register`, or by an entry point of this group."""

for _each in (
    HalvedTheorem1Row(),
    DeviationCap(),
    Envelope(),
    CauchySchwarz(),
    EnvelopeOrTail(),
    RangeTail(),
    SandwichUpper(),
    ConstantExploration(),
    TheoremT(),
    TheoremTByVariances(),
    PublishedIrgpUcb(),
    ExpectedMaximumBound(),
    TheoremQPlus(),
    TheoremM(),
    TheoremMByEntropy(),
    MarginBound(),
    ScheduledExploration(),
    LemmaSF(),
    GreedyBlocks(),
    TheoremI3(),
    SimulatedQuantile(),
    SimulatedMean(),
    FullInformationFloor(),
    OneArmFloor(),
    RankFloor(),
    SandwichFloor(),
    PriceFloor(),
    PathPriceFloor(),
    TwoArmsFloor(),
):
    REGRET_BOUNDS.register(_each)
