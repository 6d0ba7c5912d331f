"""Sequences: what is known of each family of evaluation times, derived and measured.

- `scaling`   families as n grows, θT = n^κ
- `derived`   their regret exponents, with the argument for each
- `floor`     the exponents of the floor under every policy
- `smooth`    those of the least regret on a smooth domain
- `measured`  exponents of best partitions at growing n, and of equal blocks
"""

from bounds.sequences.derived import derived_regimes, equal_block_exponent
from bounds.sequences.floor import floor_regimes, published_floor
from bounds.sequences.measured import (
    TABLE,
    ExponentFit,
    Measurement,
    fit_exponent,
    measure,
    measured_table,
)
from bounds.sequences.scaling import Scaling
from bounds.sequences.smooth import smooth_regimes

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
