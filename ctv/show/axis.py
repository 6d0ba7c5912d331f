"""A few named numbers on one logarithmic axis, as a line of text and a picture of characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, isfinite, log10
from typing import TYPE_CHECKING

from ctv.formulas.letters import in_letters_of

if TYPE_CHECKING:
    from rich.console import Console

WIDEST = 76
"""Columns of the picture at most."""

NARROWEST = 36
"""Columns below which the line is written without its picture."""


@dataclass(frozen=True)
class Mark:
    """One number of the line.

    Attributes
    ----------
    name : in a word or two, as it stands below its mark
    value : positive; others stand in the sentence alone
    shown : the value as text, rounded by its side
    """

    name: str
    value: float
    shown: str

    @property
    def drawn(self) -> bool:
        """Whether it has a place on a logarithmic axis."""
        return isfinite(self.value) and self.value > 0.0


@dataclass(frozen=True)
class NumberLine:
    """Numbers from the smallest to the largest promise, on one axis.

    Attributes
    ----------
    marks : in the order in which they should increase
    unit : what they are counted in

    >>> line = NumberLine((Mark("lower bound", 3.0, "3.000"), Mark("proven", 750.0, "750.0")), "")
    >>> line.sentence
    'lower bound 3.000 ≤ proven 750.0'
    >>> print("\\n".join(line.lines(48)))
    lower bound 3.000 ≤ proven 750.0
    1              10             100          1,000
    ├──────●────────┼──────────────┼─────────────●─┤
      lower bound                             proven
    """

    marks: tuple[Mark, ...]
    unit: str

    @property
    def sentence(self) -> str:
        """The numbers in one line; a sign stands where one is indeed at most the next."""
        said = [f"{self.marks[0].name} {self.marks[0].shown}"] if self.marks else []
        for before, mark in zip(self.marks, self.marks[1:], strict=False):
            said.append(" ≤ " if before.value <= mark.value else " | ")
            said.append(f"{mark.name} {mark.shown}")
        return "".join(said) + (f" ({self.unit})" if self.unit else "")

    def lines(self, width: int) -> list[str]:
        """The sentence and, where there is room for it, the picture."""
        drawn = [mark for mark in self.marks if mark.drawn]
        width = min(width, WIDEST)
        if len(drawn) < 2 or width < NARROWEST:
            return [self.sentence]
        low, high = _ends([mark.value for mark in drawn])

        def place(exponent: float) -> int:
            return round((exponent - low) / (high - low) * (width - 1))

        axis = ["─"] * width
        step = max(1, ceil((high - low) * 9 / width))
        ticks = range(low, high + 1, step)
        for exponent in ticks:
            axis[place(exponent)] = "┼"
        axis[0], axis[-1] = "├", "┤"
        for mark in drawn:
            axis[place(log10(mark.value))] = "●"
        numbers = _rows([(place(e), _power(e)) for e in ticks], width)[:1]
        names = _rows([(place(log10(mark.value)), mark.name) for mark in drawn], width)
        return [self.sentence, *numbers, "".join(axis), *names]

    def places(self) -> tuple[list[tuple[str, float]], list[float | None]]:
        """Ticks (label, percent) of a logarithmic axis, and the percent of each mark; None: off it.

        >>> NumberLine((Mark("a", 1.0, "1"), Mark("b", 10.0, "10")), "").places()
        ([('1', 0.0), ('10', 100.0)], [0.0, 100.0])
        """
        drawn = [mark.value for mark in self.marks if mark.drawn]
        if not drawn:
            return [], [None] * len(self.marks)
        low, high = _ends(drawn)

        def percent(value: float) -> float:
            return round(100.0 * (log10(value) - low) / (high - low), 3)

        step = max(1, ceil((high - low) / 6))
        ticks = [(_power(e), percent(10.0**e)) for e in range(low, high + 1, step)]
        return ticks, [percent(mark.value) if mark.drawn else None for mark in self.marks]

    def text(self, width: int) -> str:
        """The lines below one another."""
        return "\n".join(line.rstrip() for line in self.lines(width))

    def print_to(self, console: Console) -> None:
        """Print it as wide as the console is."""
        from rich.text import Text

        from ctv.show.sheet import say

        sentence, *picture = self.lines(console.width)
        say(console, sentence, "bold")
        for line in picture:
            written = in_letters_of(line.rstrip(), console.encoding)
            console.print(Text(written[: console.width]))

    def html(self) -> str:
        """The same for a notebook."""
        return f"<pre>{escape(self.text(WIDEST), quote=False)}</pre>"


def _ends(values: Sequence[float]) -> tuple[int, int]:
    """The powers of ten around positive numbers."""
    low = floor(log10(min(values)) + 1e-12)
    return low, max(low + 1, ceil(log10(max(values)) - 1e-12))


def _power(exponent: int) -> str:
    """A power of ten as a number.

    >>> _power(3), _power(-2), _power(12)
    ('1,000', '0.01', '1e12')
    """
    if -4 <= exponent <= 6:
        return f"{10**exponent:,}" if exponent >= 0 else f"{10.0**exponent:.{-exponent}f}"
    return f"1e{exponent}"


def _rows(words: Sequence[tuple[int, str]], width: int) -> list[str]:
    """Words centred below their places, in as few lines as keep them apart."""
    rows: list[list[str]] = []
    ends: list[int] = []
    for at, word in words:
        start = max(0, min(at - len(word) // 2, width - len(word)))
        row = next((i for i, end in enumerate(ends) if start > end), len(rows))
        if row == len(rows):
            rows.append([" "] * width)
            ends.append(-1)
        rows[row][start : start + len(word)] = word
        ends[row] = start + len(word)
    return ["".join(row) for row in rows]
