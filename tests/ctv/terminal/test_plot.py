"""`--plot FILE`: the answer as a picture, beside its numbers."""

from pathlib import Path

import pytest

SMALL = ("--n", "8", "--grid", "3")


@pytest.mark.parametrize(
    "words",
    [
        ("bound", *SMALL, "--budget", "fast"),
        ("partition", *SMALL),
        ("gain", "--rounds", "3,6", "--grid", "3", "--budget", "fast"),
        ("ladder", *SMALL, "--budget", "fast"),
        ("coverage", "--study", "stopping"),
    ],
    ids=lambda words: words[0],
)
def test_the_numbers_are_those_without_a_picture(ctv, tmp_path: Path, words: tuple) -> None:
    path = tmp_path / "answer.svg"
    assert ctv(*words, "--json", "--plot", path).json == ctv(*words, "--json").json
    assert path.read_text(encoding="utf-8").rstrip().endswith("</svg>")
    assert path.with_suffix(".txt").read_text(encoding="utf-8").strip()


@pytest.mark.parametrize(("name", "start"), [("a.png", b"\x89PNG"), ("a.pdf", b"%PDF")])
def test_the_suffix_chooses_the_format(ctv, tmp_path: Path, name: str, start: bytes) -> None:
    assert ctv("partition", *SMALL, "--plot", tmp_path / name).code == 0
    assert (tmp_path / name).read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("words", "about"),
    [
        (("gain", "--plot", "answer.doc"), ("plot = answer.doc", ".png")),
        (("gain", "--plot", "/dev/null/a.png"), ("plot",)),
        (("uniformity", "--plot", "a.png"), ("option = --plot",)),
        (("bound", "--symbolic", "--plot", "a.png"), ("plot = a.png", "no picture")),
        (("figure", "fit"), ("figure = fit", "ctv fit FILE --plot")),
    ],
)
def test_what_cannot_be_drawn_is_one_line(ctv, tmp_path, monkeypatch, words, about) -> None:
    monkeypatch.chdir(tmp_path)
    assert ctv(*words).is_one_line_about(*about)
    assert list(tmp_path.iterdir()) == []
