"""One kind of table for the terminal, the report and Markdown.

A sheet is a value: what its columns are, its rows as text that is already rounded by side, which
rows stand out, what is certified, and notes. On a terminal it takes as many columns as there are:
where it would be cut, its records are stacked, one under another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from csv import writer
from dataclasses import dataclass, field, replace
from html import escape
from io import StringIO
from textwrap import wrap
from typing import TYPE_CHECKING, Literal

from ctv.formulas.latex import as_latex
from ctv.formulas.letters import in_letters_of

if TYPE_CHECKING:
    from rich.console import Console

_NARROWEST_PROSE = 18
"""Letters that a column of prose has in a line at least, before records are stacked."""

_GAP = 2


@dataclass(frozen=True)
class Column:
    """What stands in a column, and how: numbers right, words left; `prose` may be broken."""

    title: str
    align: Literal["left", "right"] = "left"
    prose: bool = False


@dataclass(frozen=True)
class Row:
    """The cells of one record; `emphasised` stands out, `faint` steps back.

    `in_mean` is of a bound on an expected regret, which has a colour of its own.
    """

    cells: tuple[str, ...]
    emphasised: bool = False
    faint: bool = False
    in_mean: bool = False

    @property
    def style(self) -> str:
        """How a terminal shows it."""
        if self.in_mean and not self.faint:
            return "bold yellow" if self.emphasised else "yellow"
        return "bold" if self.emphasised else "dim" if self.faint else ""

    @property
    def classes(self) -> str:
        """The same as classes of HTML."""
        return " ".join(["best"] * self.emphasised + ["mean"] * self.in_mean)


def words(*titles: str) -> tuple[Column, ...]:
    """Columns of short words."""
    return tuple(Column(title) for title in titles)


def numbers(*titles: str) -> tuple[Column, ...]:
    """Columns of numbers, set right."""
    return tuple(Column(title, "right") for title in titles)


def prose(title: str) -> Column:
    """A column of sentences."""
    return Column(title, prose=True)


_SPOKEN = re.compile(r"[|$]|<(?=[A-Za-z!/?])|(?<=\])\(|&(?=#?\w+;)")
"""What Markdown would take for its own, in part to show less than is written: tags, links."""


@dataclass(frozen=True)
class Sheet:
    """A table.

    Attributes
    ----------
    title : what its rows are
    columns : each with its alignment
    rows : as many cells each as there are columns
    standing : what its numbers are worth: certified or floating point; empty only where it has none
    notes : sentences below it

    >>> print(Sheet("Sums", numbers("a", "b"), (Row(("1", "2|3")),), "Exact.").markdown())
    **Sums**
    <BLANKLINE>
    | a | b |
    |--:|--:|
    | 1 | 2\\|3 |
    <BLANKLINE>
    Exact.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    standing: str
    notes: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row.cells) != len(self.columns):
                raise ValueError(f"{len(row.cells)} cells under {len(self.columns)} columns")

    def shortened(self, most: int) -> Sheet:
        """The first rows, and how many more there are, where there are more than `most`."""
        if len(self.rows) <= most:
            return self
        left_out = f"The first {most} of {len(self.rows)} rows."
        return replace(self, rows=self.rows[:most], notes=(left_out, *self.notes))

    @property
    def text(self) -> str:
        """What stands below the table."""
        return " ".join(filter(None, (*self.notes, self.standing)))

    def print_to(self, console: Console) -> None:
        """The table on a terminal, as wide as that is."""
        say(console, self.title, "bold")
        # In these letters first: some are written with several.
        written = self._in_letters_of(console.encoding)
        widths = written._widths(console.width)
        if widths is None:
            written._print_stacked(console)
        else:
            written._print_table(console, widths)
        say(console, self.text)

    def _in_letters_of(self, encoding: str) -> Sheet:
        def text(cell: str) -> str:
            return in_letters_of(cell, encoding)

        return replace(
            self,
            columns=tuple(replace(column, title=text(column.title)) for column in self.columns),
            rows=tuple(replace(row, cells=tuple(map(text, row.cells))) for row in self.rows),
        )

    def _widths(self, width: int) -> list[int] | None:
        """Widths of the columns that make a table of at most that width; None where none do."""
        from rich.cells import cell_len

        least, natural = [], []
        for i, column in enumerate(self.columns):
            cells = [row.cells[i] for row in self.rows]
            lines = [cell_len(line) for cell in cells for line in cell.split("\n")]
            whole = max(lines, default=0)
            unbroken = [cell_len(word) for cell in cells for word in cell.split()]
            needed = whole
            if column.prose:
                needed = min(whole, max(_NARROWEST_PROSE, max(unbroken, default=0)))
            # A heading may be broken between its words.
            least.append(max([needed, *map(cell_len, column.title.split())]))
            natural.append(max(whole, cell_len(column.title)))
        room = width - _GAP * (len(self.columns) - 1) - sum(least)
        if room < 0:
            return None
        widths = list(least)
        for prosaic in (False, True):
            for i, column in enumerate(self.columns):
                if column.prose is prosaic:
                    more = min(room, natural[i] - widths[i])
                    widths[i], room = widths[i] + more, room - more
        return widths

    def _print_table(self, console: Console, widths: Sequence[int]) -> None:
        from rich.box import SIMPLE_HEAD, Box
        from rich.table import Table
        from rich.text import Text

        rules = SIMPLE_HEAD
        if console.options.ascii_only:
            rules = Box(str(SIMPLE_HEAD).replace("─", "-"), ascii=True)
        head = any(column.title for column in self.columns)
        table = Table(
            box=rules,
            show_header=head,
            show_edge=False,
            pad_edge=False,
            padding=(0, _GAP - 1, 0, 0),
            header_style="bold",
        )
        for column, width in zip(self.columns, widths, strict=True):
            table.add_column(Text(column.title), justify=column.align, width=width, overflow="fold")
        for row in self.rows:
            table.add_row(*map(Text, row.cells), style=row.style)
        console.print(table)

    def _print_stacked(self, console: Console) -> None:
        from rich.text import Text

        for row in self.rows:
            for i, (column, cell) in enumerate(zip(self.columns, row.cells, strict=True)):
                if not cell:
                    continue
                name = f"{column.title}: " if column.title else ""
                line = f"{name}{' '.join(cell.split())}"
                indent = "  " if i else ""
                lines = wrap(line, console.width, initial_indent=indent, subsequent_indent="    ")
                console.print(Text("\n".join(lines)), style=row.style)

    def html(self) -> str:
        """The table as HTML, every cell escaped."""
        heading = f"<caption>{escape(self.title)}</caption>" if self.title else ""
        head = ""
        if any(column.title for column in self.columns):
            head = f"<thead>{self._html_row('th', [c.title for c in self.columns])}</thead>"
        body = "\n".join(self._html_row("td", row.cells, row.classes) for row in self.rows)
        below = f"<p>{escape(self.text, quote=False)}</p>" if self.text else ""
        table = f"<table>{heading}{head}<tbody>\n{body}\n</tbody></table>"
        return f'<div class="wide">{table}</div>{below}'

    def _html_row(self, tag: str, cells: Iterable[str], kind: str = "") -> str:
        written = (
            f"<{tag}{' class=number' if column.align == 'right' else ''}>{escape(cell)}</{tag}>"
            for column, cell in zip(self.columns, cells, strict=True)
        )
        named = f'"{kind}"' if " " in kind else kind
        return f"<tr{f' class={named}' if kind else ''}>{''.join(written)}</tr>"

    def markdown(self) -> str:
        """The table as Markdown; a row that stands out is bold."""

        def line(cells: Sequence[str]) -> str:
            safe = (_SPOKEN.sub(r"\\\g<0>", " ".join(cell.split())) for cell in cells)
            return f"| {' | '.join(safe)} |"

        lines = [f"**{self.title}**", ""] if self.title else []
        lines.append(line([column.title for column in self.columns]))
        rules = ("--:" if column.align == "right" else "---" for column in self.columns)
        lines.append(f"|{'|'.join(rules)}|")
        for row in self.rows:
            cells = [f"**{c}**" if row.emphasised and c else c for c in row.cells]
            lines.append(line(cells))
        return "\n".join([*lines, *(["", self.text] if self.text else [])])

    def csv(self) -> str:
        """The table as CSV, its title, standing and notes left out; numbers without commas.

        >>> Sheet("Sums", numbers("a", "b"), (Row(("1,000", "2")),), "").csv()
        'a,b\\r\\n1000,2\\r\\n'
        """
        text = StringIO()
        written = writer(text)
        written.writerow([column.title for column in self.columns])
        for row in self.rows:
            cells = zip(self.columns, row.cells, strict=True)
            written.writerow([c.replace(",", "") if k.align == "right" else c for k, c in cells])
        return text.getvalue()

    def latex(self) -> str:
        """The table as LaTeX, for the package booktabs; what stands out is bold."""

        def line(cells: Iterable[str]) -> str:
            return " & ".join(cells) + r" \\"

        aligned = "".join("r" if column.align == "right" else "l" for column in self.columns)
        lines = [rf"\begin{{tabular}}{{{aligned}}}", r"\toprule"]
        lines += [line(as_latex(column.title) for column in self.columns), r"\midrule"]
        for row in self.rows:
            cells = [as_latex(cell) for cell in row.cells]
            lines.append(line(rf"\textbf{{{c}}}" if row.emphasised and c else c for c in cells))
        lines += [r"\bottomrule", r"\end{tabular}"]
        said = [f"% {text}" for text in (self.title, self.text) if text]
        return "\n".join([*said, *lines]) + "\n"

    def _repr_html_(self) -> str:
        return self.html()


def say(console: Console, text: str, style: str = "") -> None:
    """A sentence, wrapped at the width of the console, in letters that it has."""
    from rich.text import Text

    if text:
        written = in_letters_of(text, console.encoding)
        lines = wrap(written, console.width, break_on_hyphens=False)
        console.print(Text("\n".join(lines)), style=style or None)
