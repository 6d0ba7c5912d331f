"""What figures share: size and style, colours and names of bounds, labels at curves, files.

A figure is a matplotlib `Figure` made without pyplot, so nothing global changes. A bound keeps its
colour from picture to picture (Okabe and Ito's palette); a hollow mark is a value in floating
point, a filled one a certified value.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from io import BytesIO
from pathlib import Path
from textwrap import fill
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, NullFormatter

from bounds.errors import InvalidInput
from ctv.outputs import check_file, write_whole

SUFFIXES = (".png", ".pdf", ".svg")
_DOTS_PER_INCH = 300
COLOURS = {
    "trivial": "#6e6e6e",
    "any_pattern": "#009e73",
    "theorem1": "#d55e00",
    "additive": "#cc79a7",
    "refined": "#0072b2",
    "knots": "#e69f00",
    "joint_dual": "#56b4e9",
    "lower": "#000000",
    "run": "#000000",
    "best": "#0072b2",
    "yours": "#000000",
}
LABELS = {
    "trivial": "trivial cap",
    "any_pattern": "any pattern",
    "theorem1": "Theorem 1",
    "additive": "additive",
    "refined": "refined",
    "knots": "knots",
    "joint_dual": "joint dual",
    "best": "best",
    "yours": "yours",
}
_STYLE: dict[Any, Any] = {
    "font.size": 8.0,
    "axes.titlesize": 8.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 8.0,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "lines.linewidth": 1.3,
    "mathtext.fontset": "dejavusans",
    "svg.hashsalt": "ctv-bounds",  # the same picture is the same file
    "pdf.fonttype": 42,
    "figure.dpi": 150,
}


@contextmanager
def frame(width: float, height: float) -> Iterator[Figure]:
    """An empty figure of that many inches, in the style of all."""
    with matplotlib.rc_context(_STYLE):
        # Labels at the ends of curves need air before the next panel.
        layout = ConstrainedLayoutEngine(w_pad=0.08)
        yield Figure(figsize=(width, height), layout=layout)


def checked_path(path: Path) -> Path:
    """`path`, if a figure can be written there; raises InvalidInput before anything is drawn."""
    if path.suffix.lower() not in SUFFIXES:
        raise InvalidInput("out", str(path), f"end the name in {', '.join(SUFFIXES)}")
    check_file(path)
    return path


def save(figure: Figure, path: Path) -> Path:
    """Write a figure as PNG (300 dpi), PDF or SVG by the suffix of `path`; folders are made."""
    return write_whole(path, rendered(figure, checked_path(path).suffix.lower()))


def rendered(figure: Figure, suffix: str) -> bytes:
    """The file of a figure as bytes; the same figure gives the same bytes."""
    stamps = {".png": {"Software": None}, ".pdf": {"CreationDate": None}, ".svg": {"Date": None}}
    buffer = BytesIO()
    with matplotlib.rc_context(_STYLE):
        figure.savefig(buffer, format=suffix[1:], dpi=_DOTS_PER_INCH, metadata=stamps[suffix])
    return buffer.getvalue()


def as_image(figure: Figure, description: str) -> str:
    """The figure as HTML, an image of its own so that its names cannot collide with others."""
    data = b64encode(rendered(figure, ".svg")).decode()
    return f'<img alt="{escape(description)}" src="data:image/svg+xml;base64,{data}">'


def marks(*, certified: bool) -> str:
    """How the values of the bounds in a figure were computed, and how that is shown.

    >>> marks(certified=False)
    'Bounds are floating point, not certified (hollow marks)'
    """
    if certified:
        return "Bounds are certified (filled marks)"
    return "Bounds are floating point, not certified (hollow marks)"


def foot(figure: Figure, text: str) -> None:
    """A line or two below the figure, as wide as it."""
    letters = int(20 * figure.get_figwidth())
    figure.supxlabel(fill(text, letters), fontsize=6.8, color="#444444", x=0.01, ha="left")


def label_ends(axes: Axes, ends: Sequence[tuple[float, str, str]], *, line: float = 0.046) -> None:
    """Name curves at their right end, pushed apart where they would overlap.

    Where one stands elsewhere than its curve ends, thin lines lead from the ends to the labels.
    `ends` are height, label and colour; `line` is the height of a line of text as a share of that
    of the axes, whose limits are settled.
    """
    transform = axes.transScale + axes.transLimits  # data to the share of the axes' height
    ordered = sorted(ends, key=lambda end: end[0])
    right = axes.get_xlim()[1]
    at_curves = [float(transform.transform((right, end[0]))[1]) for end in ordered]
    heights = list(at_curves)
    room = [0.5 * line * (1 + end[1].count("\n")) for end in ordered]
    for _ in range(300):  # neighbours push each other away until none overlap
        for i in range(len(heights) - 1):
            overlap = room[i] + room[i + 1] - (heights[i + 1] - heights[i])
            if overlap > 1e-9:
                heights[i] -= overlap / 2
                heights[i + 1] += overlap / 2
    led = any(abs(a - b) > 0.3 * line for a, b in zip(at_curves, heights, strict=True))
    beside = 1.1 if led else 1.03
    for i, (_, label, colour) in enumerate(ordered):
        axes.annotate(
            label, (beside, heights[i]), xycoords="axes fraction", color=colour, fontsize=7.5,
            va="center", annotation_clip=False, linespacing=1.0,
        )  # fmt: skip
        if led:
            leader = Line2D(
                (1.01, beside - 0.01), (at_curves[i], heights[i]), transform=axes.transAxes,
                color=colour, linewidth=0.5, clip_on=False, label=label,
            )  # fmt: skip
            axes.add_artist(leader)


def plain_log(axes: Axes) -> None:
    """Write 1, 10, 100 rather than powers of ten, and no numbers at minor ticks."""
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())
