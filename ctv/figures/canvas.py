"""What figures share: size and style, colours and names of bounds, labels at curves, files.

A figure is a matplotlib `Figure` made without pyplot, so nothing global changes. A bound keeps its
colour from picture to picture (Okabe and Ito's palette), and one that somebody registered has one
too; a hollow mark is a value in floating point, a filled one a certified value. What is to be said
below a picture is no part of it: `caption` hangs it on the figure, and it is written beside.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any, Literal
from zlib import crc32

import matplotlib
from matplotlib import textpath
from matplotlib.axes import Axes
from matplotlib.backend_bases import get_registered_canvas_class
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, NullFormatter

from bounds.errors import InvalidInput
from ctv.outputs import check_file, write_whole

SUFFIXES = (".png", ".pdf", ".svg")
_DOTS_PER_INCH = 300
_DOTS_ON_SCREEN = 144
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
    "floor": "#009e73",
    "mean": "#b87d00",
}
"""Those of bounds; `mean` is that of every bound on an expected regret, of whatever policy."""
KIND_MARKS = {"mean": "o", "probability": "D", "floor": ">"}
"""The mark of a bound on the regret itself, by its kind."""

_OTHERS = ("#332288", "#117733", "#882255", "#999933", "#44aa99", "#aa4499", "#661100")
"""For what has no colour of its own: Tol's muted colours."""

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


class Drawing(Figure):
    """A figure that a notebook shows, whatever backend it has, with its caption below."""

    def _repr_html_(self) -> str:
        return with_caption(self)


class _PlacedOnce(ConstrainedLayoutEngine):
    """Places axes at the first drawing, by one measure of their texts, and leaves them there.

    A file hangs on nothing that the figure was drawn as before; placing takes most of a drawing.
    """

    _placed = False

    def execute(self, fig: Figure) -> None:
        if self._placed:
            return
        self._placed = True
        canvas, resolution = fig.canvas, fig.dpi
        try:
            fig.set_dpi(_DOTS_ON_SCREEN)
            FigureCanvasAgg(fig)
            with matplotlib.rc_context(_STYLE):
                super().execute(fig)
        finally:
            fig.set_canvas(canvas)
            fig.set_dpi(resolution)


@contextmanager
def frame(width: float, height: float) -> Iterator[Figure]:
    """An empty figure of that many inches, in the style of all."""
    with matplotlib.rc_context(_STYLE):
        # Labels at the ends of curves need air before the next panel.
        layout = _PlacedOnce(w_pad=0.08)
        yield Drawing(figsize=(width, height), layout=layout)


def checked_path(path: Path, option: str = "out") -> Path:
    """`path`, if a figure can be written there; raises InvalidInput before anything is drawn."""
    if path.suffix.lower() not in SUFFIXES:
        raise InvalidInput(option, str(path), f"end the name in {', '.join(SUFFIXES)}")
    check_file(path, option)
    return path


def save(figure: Figure, path: Path, command: str = "", option: str = "out") -> Path:
    """Write a figure as PNG (300 dpi), PDF or SVG by the suffix of `path`; folders are made.

    Its caption, and the command that draws it again, lie beside it as text.
    """
    suffix = checked_path(path, option).suffix.lower()
    written = write_whole(path, rendered(figure, suffix), option)
    lines = [caption_of(figure), *([f"Made by: {command}"] if command else [])]
    if any(lines):
        text = "\n".join(line for line in lines if line) + "\n"
        write_whole(path.with_suffix(".txt"), text.encode(), option)
    return written


_STAMPS = {".svg": {"Date": None}, ".png": {"Software": None}, ".pdf": {"CreationDate": None}}
"""What would make the same picture another file, left out."""


def rendered(figure: Figure, suffix: str, *, ground: bool = True, dots: int | None = None) -> bytes:
    """The file of a figure as bytes, on white `ground` or on none; the same bytes each time."""
    with matplotlib.rc_context(_STYLE):
        return _drawn_once(figure, suffix, ground, dots or _DOTS_PER_INCH)


def _drawn_once(figure: Figure, suffix: str, ground: bool, dots: int) -> bytes:
    """The file of a figure, laid out and drawn once, where `savefig` does both twice."""
    buffer, canvas, resolution = BytesIO(), figure.canvas, figure.dpi
    patches = [] if ground else [figure.patch, *(axes.patch for axes in figure.axes)]
    before = [(patch.get_facecolor(), patch.get_edgecolor()) for patch in patches]
    # Figures share labels; with a renderer's own reader each of them would parse them again.
    used, shared = vars(textpath), textpath.text_to_path.mathtext_parser
    own, used["MathTextParser"] = used["MathTextParser"], lambda _: shared
    try:
        for patch in patches:
            patch.set(facecolor="none", edgecolor="none")
        figure.set_dpi(dots)
        drawing = get_registered_canvas_class(suffix[1:])(figure)
        getattr(drawing, f"print_{suffix[1:]}")(buffer, metadata=_STAMPS[suffix])
    finally:
        used["MathTextParser"] = own
        for patch, (face, edge) in zip(patches, before, strict=True):
            patch.set(facecolor=face, edgecolor=edge)
        figure.set_canvas(canvas)
        figure.set_dpi(resolution)
    return buffer.getvalue()


def as_image(figure: Figure, description: str) -> str:
    """The figure as HTML: an image of its own, SVG or PNG, whichever is smaller."""
    drawn = {
        "svg+xml": rendered(figure, ".svg"),
        "png": rendered(figure, ".png", dots=_DOTS_ON_SCREEN),
    }
    kind, held = min(drawn.items(), key=lambda each: len(each[1]))
    width = round(96 * figure.get_figwidth())
    data = b64encode(held).decode()
    return (
        f'<img alt="{escape(description)}" width="{width}" style="max-width: 100%" '
        f'src="data:image/{kind};base64,{data}">'
    )


def with_caption(figure: Figure) -> str:
    """The figure as HTML with what stands below it."""
    said = caption_of(figure)
    below = f"<figcaption>{escape(said)}</figcaption>" if said else ""
    return f"<figure>{as_image(figure, said)}{below}</figure>"


def marks(*, certified: bool) -> str:
    """How the values of the bounds in a figure were computed, and how that is shown.

    >>> marks(certified=False)
    'Bounds are floating point, not certified (hollow marks)'
    """
    if certified:
        return "Bounds are certified (filled marks)"
    return "Bounds are floating point, not certified (hollow marks)"


def caption(figure: Figure, text: str) -> None:
    """Say what stands below the figure where it is shown."""
    figure.set_label(text)


def caption_of(figure: Figure) -> str:
    """What `caption` said of it."""
    return str(figure.get_label())


def colour_of(name: str, known: Mapping[str, str] = COLOURS) -> str:
    """The colour of a bound (or of what `known` has), also of one that nobody here has heard of.

    >>> colour_of("refined"), colour_of("mine") == colour_of("mine")
    ('#0072b2', True)
    """
    return known.get(name) or _OTHERS[crc32(name.encode()) % len(_OTHERS)]


def name_rows(
    axes: Axes, places: Sequence[float], names: Sequence[str], colours: Sequence[str], *, wide: bool
) -> None:
    """What the rows of a chart are: left of it, or, on a narrow one, above each row within it."""
    axes.set_yticks(list(places), list(names) if wide else [""] * len(names))
    axes.tick_params(axis="y", length=0, labelsize=7)
    for text, colour in zip(axes.get_yticklabels(), colours, strict=True):
        text.set_color(colour)
    if wide:
        return
    for place, name, colour in zip(places, names, colours, strict=True):
        axes.annotate(
            name,
            (0.0, place - 0.42),
            (2, 0),
            xycoords=axes.get_yaxis_transform(),
            textcoords="offset points",
            fontsize=7,
            color=colour,
            va="center",
            zorder=4,
        )


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
            label,
            (beside, heights[i]),
            xycoords="axes fraction",
            color=colour,
            fontsize=7.5,
            va="center",
            annotation_clip=False,
            linespacing=1.0,
        )
        if led:
            leader = Line2D(
                (1.01, beside - 0.01),
                (at_curves[i], heights[i]),
                transform=axes.transAxes,
                color=colour,
                linewidth=0.5,
                clip_on=False,
                label=label,
            )
            axes.add_artist(leader)


def plain_log(axes: Axes, which: Literal["x", "y"] = "y") -> None:
    """Write 1, 10, 100 rather than powers of ten, and no numbers at minor ticks."""
    axis = axes.yaxis if which == "y" else axes.xaxis
    axis.set_major_formatter(FuncFormatter(lambda value, _: _plain(value)))
    axis.set_minor_formatter(NullFormatter())


def _plain(value: float) -> str:
    return f"{value:,.0f}" if value >= 1.0 else f"{value:g}"
