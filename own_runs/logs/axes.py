"""Inputs of a search as axes of the unit cube: ranges, logarithmic scales and whole numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite

import numpy as np

from bounds.arrays import FloatArray
from bounds.errors import InvalidInput
from simulation.prior.shapes import ABSENT

_SLACK = 1e-9
"""Share of a range by which a value may lie outside it: logs round what they write."""


@dataclass(frozen=True)
class Axis:
    """One input and its range, mapped onto [0, 1].

    Parameters
    ----------
    name : of the column
    low, high : ends of the range, low < high; both positive on a logarithmic scale
    log : whether distances are those of logarithms
    integer : whether only whole numbers can be evaluated
    labels : words that the whole numbers from 0 on stand for; empty for an input of numbers
    ordered : whether the words have an order, so that their places are distances; otherwise any two
        of them are as far apart as any others
    under, where : the input that decides whether this one exists, and its words or whole numbers
        at which it does; empty for an input that every point has. Without it a point is at `ABSENT`

    >>> Axis("lr", 1e-5, 1e-1, log=True).to_unit(np.array([1e-3])).round(12)
    array([0.5])
    """

    name: str
    low: float
    high: float
    log: bool = False
    integer: bool = False
    labels: tuple[str, ...] = ()
    ordered: bool = False
    under: str = ""
    where: tuple[str, ...] = ()

    @classmethod
    def of_words(cls, name: str, labels: Sequence[str], *, ordered: bool = False) -> Axis:
        """An input whose values are words.

        >>> str(Axis.of_words("kernel", ["linear", "rbf"]))
        'kernel=linear|rbf'
        """
        if len(set(labels)) < max(len(labels), 2) or not all(labels):
            mark = "<" if ordered else "|"
            raise InvalidInput("domain", f"{name}={mark.join(labels)}", "give two words or more")
        last = float(len(labels) - 1)
        return cls(name, 0.0, last, integer=True, labels=tuple(labels), ordered=ordered)

    @property
    def unordered(self) -> bool:
        """Whether its values are words without an order."""
        return bool(self.labels) and not self.ordered

    def code(self, word: str) -> float | None:
        """The whole number that a word stands for; None where it is none of the labels."""
        return float(self.labels.index(word)) if word in self.labels else None

    def number(self, value: object) -> float:
        """A number as it is, a word as its place among the labels; else raises InvalidInput."""
        if self.labels:
            place = self.code(str(value))
            if place is None:
                raise InvalidInput(self.name, value, f"give one of {', '.join(self.labels)}")
            return place
        try:
            number = float(value)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            number = float("nan")
        if not isfinite(number):
            raise InvalidInput(self.name, value, "give a finite number")
        return number

    def value(self, share: float) -> float | str:
        """What is evaluated at a place of [0, 1]: a number, or a word."""
        number = float(self.from_unit(np.array([share]))[0])
        return self.labels[int(number)] if self.labels else number

    def __post_init__(self) -> None:
        shown = f"{self.name}={self.low:g}..{self.high:g}"
        if not (isfinite(self.low) and isfinite(self.high) and self.low < self.high):
            raise InvalidInput("domain", shown, "give a range LOW..HIGH with LOW < HIGH")
        if self.log and self.low <= 0:
            raise InvalidInput("domain", shown, "a logarithmic range starts above 0")
        if self.integer and not (float(self.low).is_integer() and float(self.high).is_integer()):
            raise InvalidInput("domain", shown, "the ends of a range of int are whole numbers")

    def to_unit(self, values: FloatArray) -> FloatArray:
        """(n,) values in the range ↦ [0, 1]; NaN ↦ `ABSENT`."""
        low, high = self._ends
        scaled = np.log(values) if self.log else np.asarray(values, dtype=float)
        shares = np.clip((scaled - low) / (high - low), 0.0, 1.0)
        return np.where(np.isnan(shares), ABSENT, shares)

    def from_unit(self, shares: FloatArray) -> FloatArray:
        """(n,) the inverse of `to_unit`, rounded to the next whole number where `integer`."""
        low, high = self._ends
        shares = np.where(np.equal(shares, ABSENT), np.nan, shares)
        scaled = low + shares * (high - low)
        values = np.clip(np.exp(scaled) if self.log else scaled, self.low, self.high)
        return np.rint(values) if self.integer else np.asarray(values)

    def check(self, values: FloatArray) -> None:
        """Raise InvalidInput for values outside the range or not whole; NaN is passed over.

        It names the least and the greatest value with their rows, so that one range mends all.
        """
        width = self.high - self.low
        outside = (values < self.low - _SLACK * width) | (values > self.high + _SLACK * width)
        if self.log:
            outside |= values <= 0.0
        if np.any(outside):
            first, last = int(np.nanargmin(values)), int(np.nanargmax(values))
            least, most = float(values[first]), float(values[last])
            wider = f"{min(self.low, least):.12g}..{max(self.high, most):.12g}"
            remedy = f"give {self.name}={wider} in --domain"
            if self.log and least <= 0.0:
                remedy = "a logarithmic range holds no values at or below 0: drop log"
            raise InvalidInput(
                self.name,
                f"{least:.12g} in row {first + 1} to {most:.12g} in row {last + 1}",
                f"outside {self.low:g}..{self.high:g}: {remedy}",
            )
        broken = ~np.isnan(values) & (values != np.rint(values))
        if self.integer and np.any(broken):
            row = int(np.argmax(broken))
            raise InvalidInput(
                f"{self.name} in row {row + 1}",
                f"{values[row]:g}",
                "no whole number: drop int from its range in --domain",
            )

    def levels(self, most: int) -> FloatArray:
        """At most `most` places of [0, 1] to search over: every whole number if so few, or a grid.

        >>> Axis("depth", 1, 4, integer=True).levels(50).round(3)
        array([0.   , 0.333, 0.667, 1.   ])
        """
        if self.integer:
            count = int(self.high - self.low) + 1
            if count <= most:
                return self.to_unit(np.arange(count, dtype=np.float64) + self.low)
            return np.unique(self.to_unit(self.from_unit(np.linspace(0.0, 1.0, most))))
        return np.linspace(0.0, 1.0, most)

    @property
    def _ends(self) -> tuple[float, float]:
        # NumPy's logarithm, as of values: the one of `math` may differ in the last digit.
        ends = np.array([self.low, self.high], dtype=float)
        low, high = np.log(ends) if self.log else ends
        return float(low), float(high)

    def __str__(self) -> str:
        if self.labels:
            words = [f"{self.name}={('<' if self.ordered else '|').join(self.labels)}"]
        else:
            words = [f"{self.name}={self.low:.6g}..{self.high:.6g}"]
            words += ["log"] * self.log + ["int"] * self.integer
        words += [f"if {self.under}={'|'.join(self.where)}"] * bool(self.under)
        return " ".join(words)


_ENTRY = re.compile(
    r"^(?P<name>.+?)\s*=\s*(?P<low>[^\s]+?)\.\.(?P<high>[^\s]+)(?P<words>(\s+\w+)*)$"
)


_CONDITION = re.compile(r"^(?P<input>.+?)\s+if\s+(?P<under>[^=]+?)\s*=\s*(?P<where>[^=]+)$")
_WORDS = re.compile(r"^(?P<name>[^=]+?)\s*=\s*(?P<labels>[^|<]*(?P<mark>[|<]).*)$")


def parse_domain(text: str) -> tuple[Axis, ...]:
    """`"lr=1e-5..1e-1 log, depth=2..12 int"` as axes; raises InvalidInput that names the entry.

    `kernel=linear|rbf` is an input of words, `size=small<large` one of words with an order;
    `gamma=1e-4..1 log if kernel=rbf` is there only beside these words, or whole numbers.

    >>> [str(axis) for axis in parse_domain("lr=1e-5..1e-1 log, depth=2..12 int")]
    ['lr=1e-05..0.1 log', 'depth=2..12 int']
    """
    axes: list[Axis] = []
    conditions: dict[str, tuple[str, tuple[str, ...]]] = {}
    for full in text.split(","):
        condition = _CONDITION.match(full.strip())
        entry = condition["input"] if condition else full
        if condition:
            where = tuple(word.strip() for word in condition["where"].split("|"))
            conditions[entry.partition("=")[0].strip()] = (condition["under"], where)
        worded = _WORDS.match(entry.strip())
        if worded and not _ENTRY.match(entry.strip()):
            mark = worded["mark"]
            labels = [label.strip() for label in worded["labels"].split(mark)]
            axes.append(Axis.of_words(worded["name"], labels, ordered=mark == "<"))
            continue
        match = _ENTRY.match(entry.strip())
        words = match["words"].split() if match else []
        if match is None or not set(words) <= {"log", "int"}:
            raise InvalidInput(
                "domain",
                entry.strip() or "''",
                "write NAME=LOW..HIGH [log] [int], or NAME=WORD|WORD",
            )
        try:
            low, high = float(match["low"]), float(match["high"])
        except ValueError:
            raise InvalidInput("domain", entry.strip(), "LOW and HIGH are numbers") from None
        axes.append(Axis(match["name"], low, high, log="log" in words, integer="int" in words))
    names = [axis.name for axis in axes]
    twice = next((axis for i, axis in enumerate(axes) if axis.name in names[:i]), None)
    if twice is not None:
        raise InvalidInput("domain", str(twice), "give one range for each input")
    return conditioned(axes, conditions)


def conditioned(
    axes: Sequence[Axis], conditions: Mapping[str, tuple[str, tuple[str, ...]]]
) -> tuple[Axis, ...]:
    """The axes with these conditions, name ↦ `under` and `where`.

    Raises InvalidInput for a condition on no other input, or on what is none of its values.
    """
    named = {axis.name: axis for axis in axes}
    for name, (under, where) in conditions.items():
        decides = named.get(under)
        if decides is None or under == name:
            remedy = f"give another input that is in the domain too, as {under}=A|B"
            raise InvalidInput("domain", f"{name} if {under}", remedy)
        if not decides.integer:
            remedy = "only words and whole numbers decide whether another input is there"
            raise InvalidInput("domain", f"{name} if {under}", remedy)
        decides.check(np.array([decides.number(value) for value in where]))
        chain = [name]
        while chain[-1] in conditions:
            chain.append(conditions[chain[-1]][0])
            if chain[-1] == name:
                remedy = "it decides about itself: leave one condition out"
                raise InvalidInput("domain", f"{name} if {under}", remedy)
    return tuple(
        replace(a, under=conditions[a.name][0], where=conditions[a.name][1])
        if a.name in conditions
        else a
        for a in axes
    )


def masked(axes: Sequence[Axis], points: FloatArray) -> FloatArray:
    """(n, d) points of the unit cube, without the inputs that others say are not there.

    >>> axes = parse_domain("kernel=linear|rbf, gamma=0..1 if kernel=rbf")
    >>> masked(axes, np.array([[0.0, 0.5], [1.0, 0.5]])).tolist()
    [[0.0, -1.0], [1.0, 0.5]]
    """
    visible = np.array(points, dtype=float)
    places = {axis.name: i for i, axis in enumerate(axes)}
    for _ in axes:  # a condition may hang on one before it
        for i, axis in enumerate(axes):
            if axis.under:
                decides = axes[places[axis.under]]
                values = decides.from_unit(visible[:, places[axis.under]])
                there = np.isin(values, [decides.number(value) for value in axis.where])
                visible[~there, i] = ABSENT
    return visible


def to_cube(axes: Sequence[Axis], columns: Iterable[FloatArray]) -> FloatArray:
    """(n, d) columns of values as points of the unit cube, without inputs that are not there."""
    shares = [axis.to_unit(column) for axis, column in zip(axes, columns, strict=True)]
    return masked(axes, np.stack(shares, axis=1))


def scattered(axes: Sequence[Axis], count: int) -> FloatArray:
    """(2^k, d) points of the cube that these axes can evaluate, at most `count` of them."""
    from scipy.stats import qmc  # slow to import

    unit = qmc.Sobol(len(axes), scramble=False).random_base2(int(np.log2(count)))
    return to_cube(
        axes, [axis.from_unit(column) for axis, column in zip(axes, unit.T, strict=True)]
    )


def needed_inputs(axes: Sequence[Axis], inputs: Mapping[str, object]) -> list[Axis]:
    """The axes of which a point with these inputs has to have a value."""
    named = {axis.name: axis for axis in axes}

    def there(axis: Axis) -> bool:
        if not axis.under:
            return True
        decides = named[axis.under]
        return (
            decides.name in inputs
            and there(decides)
            and decides.number(inputs[decides.name]) in map(decides.number, axis.where)
        )

    return [axis for axis in axes if there(axis)]


def inputs_at(axes: Sequence[Axis], point: FloatArray) -> dict[str, float | str]:
    """name ↦ what is evaluated at a point of the unit cube, of the inputs that it has."""
    pairs = zip(axes, map(float, point), strict=True)
    return {axis.name: axis.value(place) for axis, place in pairs if place != ABSENT}


def cube_of(axes: Sequence[Axis], rows: Sequence[Mapping[str, object]]) -> FloatArray:
    """(n, d) the inverse of `inputs_at`; raises InvalidInput for what is no value of its axis."""
    return to_cube(
        axes,
        [
            np.array([axis.number(row[axis.name]) if axis.name in row else np.nan for row in rows])
            for axis in axes
        ],
    )


def observed_axes(names: Sequence[str], values: FloatArray) -> tuple[Axis, ...]:
    """The smallest ranges that hold the columns of (n, d) `values`.

    Raises InvalidInput for an input that never changes.
    """
    axes = []
    for name, column in zip(names, values.T, strict=True):
        low, high = float(np.nanmin(column)), float(np.nanmax(column))
        if low == high:
            remedy = "it never changes: leave it out of --x, or give its range in --domain"
            raise InvalidInput(name, f"{low:g} in every row", remedy)
        axes.append(Axis(name, low, high))
    return tuple(axes)
