"""What a law says of one run: a number is at most another; and the tightest that was seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import inf

_ROUNDING = 1e-9


@dataclass(frozen=True)
class Inequality:
    """lesser ≤ greater, up to `rounding` in absolute terms and 1e-9 relative to `greater`.

    Attributes
    ----------
    name : what is compared, the same for every problem
    lesser, greater : the two sides; a NaN fails
    rounding : what floating point may have done to either side, ≥ 0

    >>> Inequality("one is below two", 1.0, 2.0).slack
    0.5
    """

    name: str
    lesser: float
    greater: float
    rounding: float = 0.0

    @property
    def holds(self) -> bool:
        """Whether it holds; never where a side is NaN."""
        if self.greater == inf:
            return self.lesser == self.lesser
        allowed = self.rounding + _ROUNDING * abs(self.greater)
        return bool(self.lesser <= self.greater + allowed)

    @property
    def slack(self) -> float:
        """(greater − lesser)/max(|greater|, |lesser|): 0 where they meet; infinite for 0 ≤ 0."""
        scale = max(abs(self.greater), abs(self.lesser))
        return (self.greater - self.lesser) / scale if 0 < scale < inf else inf

    def __str__(self) -> str:
        return f"{self.name}: {self.lesser!r} is not at most {self.greater!r}"


def require(inequalities: Iterable[Inequality]) -> None:
    """Raise AssertionError that lists every inequality that fails."""
    broken = [str(one) for one in inequalities if not one.holds]
    assert not broken, "; ".join(broken)


@dataclass
class Tightest:
    """Of every inequality by name, how often it was seen and where it was tightest.

    Attributes
    ----------
    seen : name ↦ how often
    at : name ↦ (slack, lesser, greater, the problem as a command line)
    """

    seen: dict[str, int] = field(default_factory=dict)
    at: dict[str, tuple[float, float, float, str]] = field(default_factory=dict)

    def note(self, one: Inequality, command: str) -> None:
        """Take in one inequality of the problem that the command line describes."""
        self.take(one.name, 1, (one.slack, one.lesser, one.greater, command))

    def take(self, name: str, times: int, place: tuple[float, float, float, str]) -> None:
        """Take in what another process saw."""
        self.seen[name] = self.seen.get(name, 0) + times
        if name not in self.at or place[0] < self.at[name][0]:
            self.at[name] = place

    def lines(self) -> list[str]:
        """Two lines for each: name, slack, sides, count; and the command."""
        broken = []
        for name, (slack, lesser, greater, command) in sorted(self.at.items()):
            sides = f"{lesser:.6g} <= {greater:.6g}"
            broken.append(f"{name}: slack {slack:.3g} ({sides}), seen {self.seen[name]} times")
            broken.append(f"    {command}")
        return broken
