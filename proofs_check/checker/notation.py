"""Numbers as the extracted program reads them, and the same as the assistant does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Part:
    """A part of a question.

    Attributes
    ----------
    words : whole numbers, in the order in which the program reads them
    term : the same as a term of the assistant
    """

    words: tuple[int, ...]
    term: str


def whole(value: int) -> Part:
    """A whole number."""
    return Part((value,), f"({value})")


def positive(value: int) -> Part:
    """A positive number."""
    return Part((value,), f"{value}%positive")


def natural(value: int) -> Part:
    """A natural number."""
    return Part((value,), f"{value}%nat")


def fraction(value: Fraction) -> Part:
    """A fraction: numerator and denominator."""
    return Part(value.as_integer_ratio(), f"({value.numerator}, {value.denominator}%positive)")


def choice(number: int, name: str, *parts: Part) -> Part:
    """A constructor by its number, and what belongs to it."""
    term = " ".join([name, *(part.term for part in parts)])
    return Part((number, *_words(parts)), f"({term})" if parts else term)


def listed(parts: Iterable[Part]) -> Part:
    """A list: its length and what it holds."""
    items = list(parts)
    return Part((len(items), *_words(items)), f"[{'; '.join(part.term for part in items)}]")


def wholes(values: Iterable[int]) -> Part:
    """A list of whole numbers."""
    return listed(map(whole, values))


def optional(part: Part | None) -> Part:
    """What may be missing."""
    return choice(0, "None") if part is None else choice(1, "Some", part)


def pair(left: Part, right: Part) -> Part:
    """A pair."""
    return Part(left.words + right.words, f"({left.term}, {right.term})")


def record(**parts: Part) -> Part:
    """A record by its fields, in their order."""
    fields = "; ".join(f"{name} := {part.term}" for name, part in parts.items())
    return Part(_words(parts.values()), f"{{| {fields} |}}")


def _words(parts: Iterable[Part]) -> tuple[int, ...]:
    return tuple(word for part in parts for word in part.words)
