"""Sequences: what is known of each family of evaluation times, derived and measured.

- `scaling`   families as n grows, θT = n^κ
- `derived`   their regret exponents, with the argument for each
- `least`     those of what no policy can beat, on finite and on smooth domains
- `measured`  exponents of best partitions at growing n, and of equal blocks
"""

from bounds.sequences.derived import derived_regimes, equal_block_exponent
from bounds.sequences.least import floor_regimes, published_floor, smooth_regimes
from bounds.sequences.measured import (
    TABLE,
    ExponentFit,
    Measurement,
    fit_exponent,
    measure,
    measured_table,
)
from bounds.sequences.scaling import Scaling

__all__ = [
    "TABLE",
    "ExponentFit",
    "Measurement",
    "Scaling",
    "derived_regimes",
    "equal_block_exponent",
    "fit_exponent",
    "floor_regimes",
    "measure",
    "measured_table",
    "published_floor",
    "smooth_regimes",
]
