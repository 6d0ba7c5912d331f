"""What a series of problems did not look at, so that a law that is never asked cannot pass."""

from __future__ import annotations

from collections.abc import Iterable

from simulation.laws.looked_at import Looked


def never_seen(looked: Looked, names: Iterable[str]) -> list[str]:
    """The inequalities of these names that no problem had."""
    return [name for name in names if name not in looked.tightest.seen]
