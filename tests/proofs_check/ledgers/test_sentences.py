"""Every sentence, display and label of the paper has its claims, or says why it has none."""

from __future__ import annotations

from pathlib import Path

import pytest

from bounds.errors import InvalidInput
from proofs_check.language.ledger_file import read_paper
from proofs_check.language.sentences import FILE, coverage, numbered, read_sentences
from proofs_check.ledgers import CLAIMS, PAPERS, opened

PAPER = PAPERS["imamura2020"]
KNOWN = {claim.id for claim in CLAIMS}
PLACED = {name for claim in CLAIMS for name in claim.places}
RUNS = numbered(PAPER.sentences)
NAMED = {name for run in RUNS.values() for name in run.claims}
# Displays in the paper, counted section by section, and all its labels.
DISPLAYS = {
    "section 2": 2,
    "section 3": 4,
    "section 4": 6,
    "appendix A": 11,
    "appendix B": 43,
    "appendix C": 7,
    "appendix D": 60,
}
LABELS = 88
# Its sentences, counted section by section.
SENTENCES = {
    "abstract": 8,
    "section 1": 44,
    "section 2": 40,
    "section 3": 27,
    "section 4": 80,
    "section 5": 60,
    "section 6": 5,
    "appendix A": 24,
    "appendix B": 88,
    "appendix C": 15,
    "appendix D": 115,
    "appendix E": 3,
}
CLAIM = """
[one]
label = "One"
where = "here"
statement = "1 < 2."
formula = "1 < 2"
because = "By counting."
places = ["here, a"]
"""


def test_every_display_is_there() -> None:
    assert {section: len(found) for section, found in PAPER.displays.items()} == DISPLAYS
    assert len(PAPER.labels) == LABELS
    assert len(PAPER.places) == sum(DISPLAYS.values()) + LABELS
    for name, place in PAPER.places.items():
        assert (name in PLACED) is not bool(place.says), name
    assert PAPER.places.keys() >= PLACED


def test_every_sentence_is_there() -> None:
    counted = {section: runs[-1].last for section, runs in PAPER.sentences.items()}
    assert counted == SENTENCES
    assert len(RUNS) == sum(map(len, (run for runs in PAPER.sentences.values() for run in runs)))


@pytest.mark.parametrize("section", PAPER.sentences)
def test_a_sentence_is_judged_by_claims_that_exist(section: str) -> None:
    for run in PAPER.sentences[section]:
        assert set(run.claims) <= KNOWN
        assert len(set(run.claims)) == len(run.claims)
        if run.judged_at in RUNS:
            assert RUNS[run.judged_at].claims
        elif run.judged_at:
            assert run.judged_at in PLACED


def test_every_claim_of_the_paper_is_said_somewhere() -> None:
    """By a sentence, at a display or a label, or as what repairs a claim that is."""
    said = NAMED | {claim.id for claim in CLAIMS if claim.places}
    said |= {name for claim in CLAIMS if claim.id in said for name in claim.repairs}
    assert [claim.id for claim in PAPER.claims if claim.id not in said] == []


def test_the_meter_counts_each_sentence_once() -> None:
    judged = sum(bool(run.claims) for run in RUNS.values())
    elsewhere = sum(bool(run.judged_at) for run in RUNS.values())
    line = coverage(PAPER.sentences.values())
    assert line.startswith(f"{judged} of {sum(SENTENCES.values())} sentences")
    assert f" {elsewhere} by those of a display or a sentence" in line
    assert f"; {len(RUNS) - judged - elsewhere} have no claim: " in line
    small = read_sentences({"a": {"1-3": "notation", "4": ["x"], "5": "judged at a, sentence 4"}})
    assert coverage(small.values()) == (
        "1 of 5 sentences of the paper are judged by claims of their own, 1 by those of a display "
        "or a sentence that they repeat or lead to; 3 have no claim: notation 3."
    )


def written(folder: Path, text: str) -> Path:
    head = 'title = "T"\nsections = ["one"]\n[displays]\nhere = ["a", { name = "b", says = "-" }]\n'
    (folder / "paper.toml").write_text(head, encoding="utf-8")
    (folder / "one.toml").write_text(CLAIM, encoding="utf-8")
    (folder / FILE).write_text(text, encoding="utf-8")
    return folder


def test_a_ledger_of_ones_own_has_sentences_too(tmp_path: Path) -> None:
    text = """
        [here]
        1 = ["one", "log-below-line"]
        2-3 = "judged at here, a"
        4 = "repeats here, sentence 1"
    """
    paper = read_paper(written(tmp_path, text))
    assert [(run.first, run.last) for run in paper.sentences["here"]] == [(1, 1), (2, 3), (4, 4)]
    assert opened([tmp_path]).papers[0].sentences == paper.sentences


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('here = "notation"', "sentences.toml here = notation: write a table"),
        ('[here]\n2 = "notation"', "sentences.toml [here] = 2: sentence 1 comes next"),
        ('[here]\n1 = "notation"\n3 = "notation"', "sentences.toml [here] = 3: sentence 2 comes"),
        ('[here]\n1-3 = "notation"\n3 = "notation"', "sentences.toml [here] = 3: sentence 4 comes"),
        ('[here]\n3-1 = "notation"', "sentences.toml [here] = 3-1: sentence 1 comes next"),
        ('[here]\n1-0 = "notation"', "sentences.toml [here] = 1-0: sentence 1 comes next"),
        ('[here]\none = "notation"', "sentences.toml [here] one = one: write the number"),
        ('[here]\n1 = "notatoin"', "sentences.toml [here] 1 = notatoin: "),
        ('[here]\n1 = "its own words"', "sentences.toml [here] 1 = its own words: "),
        ("[here]\n1 = []", "sentences.toml [here] 1 = []: "),
        ("[here]\n1 = 3", "sentences.toml [here] 1 = 3: "),
        ('[here]\n1 = "judged at here, b"', "sentences.toml [here] 1 = here, b: is no place with"),
        ('[here]\n1 = "judged at here, c"', "sentences.toml [here] 1 = here, c: is no place with"),
        (
            '[here]\n1 = "notation"\n2 = "repeats here, sentence 1"',
            "sentences.toml [here] 2 = here, sentence 1: has no claim",
        ),
    ],
)
def test_a_wrong_line_names_file_section_and_key(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_paper(written(tmp_path, text))
    assert str(refused.value).startswith(said)
    assert "\n" not in str(refused.value)


def test_a_claim_that_is_none_is_refused_where_ledgers_are_opened(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"sentences\.toml \[here\] 1 = two: is no claim"):
        opened([written(tmp_path, '[here]\n1 = ["two"]')])
