"""Every command answers as it did when its answer was last meant to change."""

from pathlib import Path

import pytest

from tests.golden.golden import ANSWERS, answer, differences, questions, rounding, stored

QUESTIONS = questions()


@pytest.mark.parametrize("name", QUESTIONS)
def test_an_answer_is_the_stored_one(name: str, tmp_path: Path) -> None:
    words = QUESTIONS[name]
    found = list(differences(stored(name), answer(words, tmp_path), rounding(words)))
    assert found == [], "make golden-record, and say why in the commit"


def test_no_stored_answer_is_without_its_question() -> None:
    assert {path.stem for path in ANSWERS.glob("*.json")} == set(QUESTIONS)


def test_a_difference_is_seen() -> None:
    """Beyond the rounding of a processor, in words, and in what is there."""
    assert list(differences({"a": [1.0]}, {"a": [1.0 + 1e-12]})) == []
    assert list(differences({"a": [1.0]}, {"a": [1.0 + 1e-6]})) == ["/a/0: 1.0 was, 1.000001 is"]
    assert len(list(differences({"a": "x", "b": 1}, {"a": "y", "c": 1}))) == 3
    assert list(differences([1, 2], [1])) != []
    assert list(differences(True, 1.0)) != []
