"""Strings are written in the words of the field; house words may follow in brackets."""

import re
from pathlib import Path

import pytest

from bounds.gain.ladder import TITLES
from bounds.gain.registry import GAIN_BOUNDS
from bounds.regret.registry import REGRET_BOUNDS
from ctv.show.glossary import WORDS
from tests.words import HOUSE, house_words, in_house_words, met

ROOT = Path(__file__).resolve().parents[1]


def test_no_string_has_a_house_word() -> None:
    assert house_words(ROOT) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", 'x = f"below the trivial cap of {y} nats"'),
        ("a.py", 'x = "in the mean of runs"'),
        ("a.js", 'const x = "this bound speaks here";'),
        ("a.jinja", "<p>no policy loses less</p>"),
    ],
)
def test_a_planted_word_is_found(tmp_path: Path, name: str, text: str) -> None:
    room = tmp_path / "ctv"
    room.mkdir()
    (room / name).write_text(text)
    assert len(house_words(tmp_path)) == 1


def test_help_is_met_and_other_docstrings_are_not(tmp_path: Path) -> None:
    commands = tmp_path / "commands"
    commands.mkdir()
    source = (
        'def gain(*, advance):\n    """Help of the floor."""\n\ndef _own():\n    """The floor."""\n'
    )
    (commands / "gain.py").write_text(source)
    assert [text for _, text in met(commands / "gain.py")] == ["Help of the floor."]


def test_no_title_of_a_bound_or_of_a_step_has_a_house_word() -> None:
    titles = [*GAIN_BOUNDS.titles().values(), *REGRET_BOUNDS.titles().values(), *TITLES.values()]
    assert [one for one in titles if list(in_house_words(one))] == []
    assert list(in_house_words("knots")) and list(in_house_words("envelope or tail"))


PAGES = ("README.md", "paper.md", *(f"docs/{n}.md" for n in ("recipes", "explorer", "logs")))


@pytest.mark.parametrize("page", PAGES)
def test_the_pages_of_first_contact_have_no_house_word(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    prose = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)", " ", text, flags=re.DOTALL)
    assert [one for one in prose.splitlines() if list(in_house_words(one))] == []


def test_the_glossary_maps_house_words_to_the_field() -> None:
    said = " ".join(WORDS.values())
    for house in ("floor", "cap", "speaks"):
        assert f"house name: {house}" in said or f"house word: {house}" in said
    assert len(HOUSE) >= 12
