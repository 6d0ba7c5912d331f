"""Tables: nothing is cut at any width, in any encoding, and nothing escapes its markup."""

import io
import re
from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from ctv.formulas.letters import in_letters_of
from ctv.show.sheet import Row, Sheet, numbers, prose, words

LETTERS = st.text(st.sampled_from("abcγ̃ₙ²≤|<&>`"), min_size=1, max_size=6)
SENTENCES = st.lists(LETTERS, min_size=1, max_size=6).map(" ".join)


@st.composite
def sheets(draw: st.DrawFn) -> Sheet:
    columns = (*words("name"), *numbers("γ̃ₙ", "× cap"), prose("why it is so"))
    row = st.tuples(LETTERS, LETTERS, LETTERS, SENTENCES).map(Row)
    rows = draw(st.lists(row, min_size=1, max_size=4))
    return Sheet(draw(LETTERS), columns, tuple(rows), "Certified.", (draw(SENTENCES),))


def shown(sheet: Sheet, width: int, encoding: str = "utf-8") -> str:
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding)
    sheet.print_to(Console(file=file, width=width, highlight=False))
    file.flush()
    return raw.getvalue().decode(encoding)


@given(sheets(), st.integers(20, 100), st.sampled_from(["utf-8", "cp1252", "ascii", "latin-1"]))
def test_nothing_is_cut_or_too_wide(sheet: Sheet, width: int, encoding: str) -> None:
    text = shown(sheet, width, encoding)
    assert max(map(cell_len, text.splitlines())) <= width
    letters = "".join(text.split())
    for row in sheet.rows:
        for cell in row.cells:
            for word in in_letters_of(cell, encoding).split():
                # A word may be broken over lines only where it is longer than a line.
                assert word in text or word in letters


@given(st.text(max_size=60), st.sampled_from(["ascii", "cp1252", "latin-1", "cp437"]))
@example("γ̃ₙ ≤ √β·Σσ²", "ascii")
def test_every_text_has_letters_of_every_encoding(text: str, encoding: str) -> None:
    in_letters_of(text, encoding).encode(encoding)


@given(st.text(st.characters(codec="ascii"), max_size=60))
def test_letters_that_are_there_stay(text: str) -> None:
    assert in_letters_of(text, "ascii") == text


def test_narrow_terminals_stack_their_records() -> None:
    sheet = Sheet("T", (*words("name"), *numbers("value")), (Row(("a" * 30, "1")),), "Certified.")
    assert f"name: {'a' * 30}" in shown(sheet, 36)
    assert "value: 1" in shown(sheet, 36)
    assert "name:" not in shown(sheet, 80)


class Cells(HTMLParser):
    """The text of every cell."""

    def __init__(self) -> None:
        super().__init__()
        self.cells: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "td":
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        if self.cells and self.lasttag == "td":
            self.cells[-1] += data


@given(sheets())
def test_html_holds_every_cell_as_it_is(sheet: Sheet) -> None:
    parser = Cells()
    parser.feed(sheet.html())
    wanted = [cell for row in sheet.rows for cell in row.cells]
    assert [cell.strip() for cell in parser.cells] == wanted
    assert "Certified." in sheet.html()


@given(sheets())
def test_markdown_has_as_many_cells_in_every_row(sheet: Sheet) -> None:
    lines = sheet.markdown().split("\n\n")[1].splitlines()
    bars = {line.replace("\\|", "").count("|") for line in lines}
    assert (len(lines), bars) == (len(sheet.rows) + 2, {len(sheet.columns) + 1})


def test_shortened_says_what_it_leaves_out() -> None:
    sheet = Sheet("T", words("n"), tuple(Row((str(i),)) for i in range(9)), "Certified.")
    assert len(sheet.shortened(4).rows) == 4
    assert "The first 4 of 9 rows." in sheet.shortened(4).text
    assert sheet.shortened(9) is sheet


def test_a_row_has_a_cell_for_each_column() -> None:
    with pytest.raises(ValueError, match="2 cells under 1 columns"):
        Sheet("T", words("n"), (Row(("1", "2")),), "")


@pytest.mark.parametrize(
    "hidden",
    ["<!-- not -->", "<i hidden>not</i>", "[](not)", "$\\phantom{not}$", "n&ZeroWidthSpace;ot"],
)
def test_markdown_hides_no_words(hidden: str) -> None:
    """What a renderer would take for a comment, a tag, a link or a formula begins with \\."""
    text = Sheet("", words("a"), (Row((f"For x {hidden} S.",)),), "s").markdown()
    assert f"For x {hidden} S." not in text
    shown = re.sub(r"\\([|$<(&])", "", text)
    assert not re.search(r"[<$&]|\]\(", shown)
    assert f"| For x {hidden} S. |" in re.sub(r"\\([|$<(&])", r"\1", text)
