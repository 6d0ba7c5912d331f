"""How progress is told: what a long computation calls with the share of the work that is done."""

from __future__ import annotations

from collections.abc import Callable

Share = Callable[[float], None]
"""Called with the share of the work that is done, in [0, 1]."""

Stage = Callable[[str, float], None]
"""Called with the name of the stage under way and the share of it that is done."""


def unwatched(share: float) -> None:
    """Take no notice of progress."""


def unstaged(stage: str, share: float) -> None:
    """Take no notice of the stages of progress."""
