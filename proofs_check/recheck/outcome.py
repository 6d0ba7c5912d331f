"""What a recheck says of one entry of a certificate."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from bounds.progress import Stage

CRASHES = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    NameError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
)
"""What the mathematics of a faulty claim, or of a forged or damaged entry, may raise."""


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


def each(
    entries: Sequence[Mapping[str, Any]],
    check: Callable[[Mapping[str, Any]], str],
    progress: Stage | None,
    verdict: str = "",
) -> tuple[Rechecked, ...]:
    """What a check says of each entry: accepted with its sentence, or refused with its fault.

    `verdict` is that of all; without it an entry has its own.
    """
    results = []
    for done, entry in enumerate(entries):
        if progress is not None:
            progress(str(entry["id"]), done / len(entries))
        start = perf_counter()
        try:
            accepted, reason = True, check(entry)
        except Refused as refused:
            accepted, reason = False, str(refused)
        except CRASHES as error:
            fault = " ".join(str(error).split()) or type(error).__name__
            accepted, reason = False, f"cannot be evaluated: {fault}"
        own, value = entry.get("verdict"), entry.get("value")
        shown = verdict or (own if isinstance(own, str) else "no verdict")
        number = value if type(value) in (int, float) else None
        seconds = perf_counter() - start
        results.append(Rechecked(str(entry["id"]), shown, accepted, reason, seconds, value=number))
    return tuple(results)
