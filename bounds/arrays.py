"""Types that every room shares: arrays by what they hold, and how progress is told."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
BallArray = NDArray[np.object_]
"""Entries are balls of `bounds.enclosure`."""

Share = Callable[[float], None]
"""Called with the share of the work that is done, in [0, 1]."""

Stage = Callable[[str, float], None]
"""Called with the name of the stage under way and the share of it that is done."""


def unwatched(share: float) -> None:
    """Take no notice of progress."""


def unstaged(stage: str, share: float) -> None:
    """Take no notice of the stages of progress."""
