"""Rates: regimes of the regret exponent derived exactly, and the printed ones beside them.

- `lattice`     nests of maxima and minima of lines, their exact breakpoints
- `exponents`   the linear programme of each bound and its regimes, with numbers or formulas in c
- `gain_rates`  c from ν and d, with the hypotheses it rests on
- `tables`      regimes as text, LaTeX and records
- `printed`     Theorem 2 as printed, compared with what is derived; the ladder of exponents of ε
- `findings`    every difference with its verdict; `witness` its numbers
- `least`       between which exponents of ε the least regret lies, and by whom
- `literature`  rates that others publish, beside what is derived
- `phase`       finite n: which bound is best where
"""

from bounds.rates.exponents import (
    BOUNDS,
    DRIFT_GROWTH,
    Regime,
    RegimeTable,
    regimes,
    symbolic_regimes,
)
from bounds.rates.findings import Comparison, Finding, Status, comparisons, findings
from bounds.rates.gain_rates import SpaceGainRate, gain_rate, given_rate, matern_exponent
from bounds.rates.least import EXPONENT_GAP, LEAST_EXPONENTS, LeastExponent, matern_exponents
from bounds.rates.literature import LITERATURE, PublishedRate
from bounds.rates.phase import PAPER_EXPERIMENT, Mark, PhaseDiagram, phase_diagram
from bounds.rates.printed import (
    Difference,
    EpsilonRate,
    differences,
    epsilon_ladder,
    printed_biased,
    printed_uniform,
)
from bounds.rates.tables import latex, log_power, plain, records
from bounds.rates.witness import Witness

__all__ = [
    "BOUNDS",
    "DRIFT_GROWTH",
    "EXPONENT_GAP",
    "LEAST_EXPONENTS",
    "LITERATURE",
    "PAPER_EXPERIMENT",
    "Comparison",
    "Difference",
    "EpsilonRate",
    "Finding",
    "LeastExponent",
    "Mark",
    "PhaseDiagram",
    "PublishedRate",
    "Regime",
    "RegimeTable",
    "SpaceGainRate",
    "Status",
    "Witness",
    "comparisons",
    "differences",
    "epsilon_ladder",
    "findings",
    "gain_rate",
    "given_rate",
    "latex",
    "log_power",
    "matern_exponent",
    "matern_exponents",
    "phase_diagram",
    "plain",
    "printed_biased",
    "printed_uniform",
    "records",
    "regimes",
    "symbolic_regimes",
]
