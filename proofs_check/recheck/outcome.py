"""What a recheck says of one entry of a certificate."""

from __future__ import annotations

from dataclasses import dataclass


class Refused(ArithmeticError):
    """The mathematics of an entry does not hold up; the message says where."""


@dataclass(frozen=True)
class Rechecked:
    """One entry of a certificate: whether its verdict was derived again, and by what.

    An entry that is neither proved nor refuted has nothing to be derived: it is accepted where the
    claim has no other verdict, and `derived` is False. `value` is the number that a claim of a
    certificate of bounds names.
    """

    id: str
    verdict: str
    accepted: bool
    reason: str
    seconds: float
    derived: bool = True
    value: float | None = None
