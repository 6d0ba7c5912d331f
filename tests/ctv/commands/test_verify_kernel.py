"""`ctv verify --kernel` asks about one file of bounds and nothing else."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command_line import Outcome


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--kernel",), "name a certificate of bounds: ctv verify FILE"),
        (("FILE", "--kernel", "--seed", "3"), "drop it"),
        (("FILE", "--kernel"), "certificate of bounds"),
    ],
)
def test_another_question_is_refused_in_a_line(
    ctv: Callable[..., Outcome], tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    file = tmp_path / "other.json"
    file.write_text("{}", encoding="utf-8")
    done = ctv("verify", *(str(file) if word == "FILE" else word for word in words))
    assert done.is_one_line_about(said)
