"""Strings are written in the words of the field; house words may follow in brackets."""

from pathlib import Path

import pytest

from ctv.show.glossary import WORDS
from tests.words import HOUSE, house_words, met

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


def test_the_glossary_maps_house_words_to_the_field() -> None:
    said = " ".join(WORDS.values())
    for house in ("floor", "cap", "speaks"):
        assert f"house name: {house}" in said or f"house word: {house}" in said
    assert len(HOUSE) >= 12
