"""The numbered figures of a page: two pictures of each, for wide and for narrow screens."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from matplotlib.figure import Figure

from bounds.progress import Share, unwatched
from ctv.figures.canvas import caption_of, rendered

Draw = Callable[[Literal["wide", "narrow", "paper"]], Figure | None]
"""A figure for one medium; None for paper where the wide one will do."""


@dataclass(frozen=True)
class Plate:
    """A figure as it stands on a page.

    Attributes
    ----------
    number : from 1 on
    title, caption : what stands below it
    wide, narrow : the pictures as data URLs
    paper : the one for print where that is another; empty otherwise
    command : what draws it alone; empty where nothing does
    """

    number: int
    title: str
    caption: str
    wide: str
    narrow: str
    command: str
    paper: str


def numbered(
    drawn: Iterable[tuple[str, str, Draw]], commands: Mapping[str, str], advance: Share = unwatched
) -> dict[str, Plate]:
    """The figures by key, numbered in their order; each with the command of its name, if any."""
    plates = {}
    every = list(drawn)
    for number, (key, title, draw) in enumerate(every, start=1):
        advance((number - 1) / len(every))
        wide, narrow, paper = draw("wide"), draw("narrow"), draw("paper")
        plates[key] = Plate(
            number,
            title,
            "" if wide is None else caption_of(wide),
            _picture(wide),
            _picture(narrow),
            commands.get(key, ""),
            _picture(paper),
        )
    return plates


def _picture(figure: Figure | None) -> str:
    """As SVG without a ground, so that it lies on a light page and, inverted, on a dark one."""
    if figure is None:
        return ""
    data = b64encode(rendered(figure, ".svg", ground=False)).decode()
    return f"data:image/svg+xml;base64,{data}"
