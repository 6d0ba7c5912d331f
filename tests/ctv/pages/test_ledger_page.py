"""A ledger as a page, as a list of theorems, and for programs: what was found stands there."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ctv.formulas.latex import as_latex
from ctv.formulas.theorem_list import theorem_list
from ctv.pages.graph import drawn
from ctv.pages.ledger_page import errata, page, resting
from ctv.show.ledger import exported
from proofs_check.ledgers import CLAIMS, PAPERS, Opened, opened
from proofs_check.records.ledger import Ledger, Row
from proofs_check.records.verify import verify

LEDGERS = [
    Path("docs/ledgers") / name for name in ("srinivas2010", "bogunovic2016", "chowdhury2017")
]
IDS = ("tv-lag", "tv-lag-half", "tv-lag-half-from-one", "tv-blocks", "tv-blocks-exact")


@pytest.fixture(scope="module")
def ledgers() -> Opened:
    return opened([Path("docs/ledgers/bogunovic2016")])


@pytest.fixture(scope="module")
def ledger(ledgers: Opened) -> Ledger:
    found = verify(IDS, claims=tuple(ledgers.known.values()))
    first = replace(found.rows[0], rests_on=("tv-lag-half",))
    return replace(found, rows=(first, *map(as_printed, found.rows[1:])))


def as_printed(row: Row) -> Row:
    """A planted neighbour as if the paper had printed it, and what holds instead as its repair."""
    if row.claim.id == "tv-lag-half":
        return replace(row, claim=replace(row.claim, kind="repair"))
    if row.claim.kind != "planted":
        return row
    how = {"kind": "printed", "finding": "slip", "consequence": "constant", "repaired": "given"}
    return replace(row, claim=replace(row.claim, **how))


class Links(HTMLParser):
    """The anchors of a page and where its links go."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.to: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids += [given["id"]] if given.get("id") else []
        if tag == "a" and given.get("href"):
            self.to.add(str(given["href"]))


def test_every_claim_has_an_anchor_and_every_link_arrives(ledger, ledgers) -> None:
    text = page(ledger, ledgers.papers)
    found = Links(text)
    assert set(IDS) < set(found.ids) and len(found.ids) == len(set(found.ids))
    assert found.to <= {f"#{name}" for name in found.ids}
    assert "Time-varying Gaussian process bandit optimization" in text
    assert text == page(ledger, ledgers.papers) and "http" not in re.sub(
        r"http://www.w3.org", "", text
    )
    assert text.count('class="REFUTED"') == 2 and text.count('class="PROVED"') == 3


def test_the_annotated_paper_has_what_a_claim_has() -> None:
    found = verify(["log-below-line", "lemma-1-capped"])
    first, *others = PAPERS.values()
    text = page(found, (*others, first))
    refuted = str(next(row.counterexample for row in found.rows if row.counterexample))
    # The paper stands before what any textbook has.
    assert text.index('id="lemma-1-capped"') < text.index('id="log-below-line"')
    for words in ("Counterexample:", refuted, 'href="#lemma-1-exact"'):
        assert words in text
    assert text.count("sentences of the paper are judged by claims of their own") == 1
    assert text.count("<math ") >= 2
    theorems = sum(row.formal is not None for row in found.rows)
    assert text.count("Theorem of the proof assistant") == theorems > 0


def test_errata_come_by_what_follows_from_them(ledger) -> None:
    one, other = errata(ledger)
    assert {one.claim.id, other.claim.id} == {"tv-lag-half-from-one", "tv-blocks-exact"}
    graver = replace(other, claim=replace(other.claim, consequence="conclusion"))
    rows = tuple(graver if row is other else row for row in ledger.rows)
    assert errata(replace(ledger, rows=rows))[0].claim.id == other.claim.id
    met = replace(other, claim=replace(other.claim, place_of="tv-lag-half-from-one"))
    rows = tuple(met if row is other else row for row in ledger.rows)
    assert [row.claim.id for row in errata(replace(ledger, rows=rows))] == [one.claim.id]


def test_what_is_planted_is_no_erratum_and_says_so(ledgers) -> None:
    found = verify(IDS[-2:], claims=tuple(ledgers.known.values()))
    text = page(found, ledgers.papers)
    assert not errata(found) and "<p>None.</p>" in text and ledgers.papers[0].note
    assert text.count("planted, not the paper’s") == 1
    assert as_latex(ledgers.papers[0].note) in theorem_list(found, ledgers.papers)


def test_the_graph_says_what_falls(ledger) -> None:
    rows = {row.claim.id: row for row in ledger.rows}
    assert resting("tv-lag-half", rows) == ["tv-lag"] and resting("tv-lag", rows) == []
    svg = drawn(ledger.rows)
    assert svg.count("<rect") == 2 and svg.count("<path") == 1 and "stroke-dasharray" in svg
    assert drawn([row for row in ledger.rows if not row.rests_on]) == ""


def test_the_list_of_theorems_has_what_stands(ledger, ledgers) -> None:
    text = theorem_list(ledger, ledgers.papers)
    assert text.count("\\begin{claim}") == text.count("\\end{claim}") == 3
    assert "(as repaired)" in text and "The same from lag 1 on" not in text
    assert text.isascii() and text.count("{") == text.count("}")


def test_every_claim_that_there_is_has_letters_that_latex_sets() -> None:
    every = (*CLAIMS, *(one for name in LEDGERS for one in opened([name]).claims))
    for one in every:
        for words in (one.label, one.statement, one.where):
            assert as_latex(words).isascii(), one.id


def test_other_programs_read_the_claims(ledger, ledgers) -> None:
    body = json.loads(json.dumps(exported(ledger, ledgers.papers)))
    assert [one["id"] for one in body["claims"]] == [row.claim.id for row in ledger.rows]
    false = next(one for one in body["claims"] if one["id"] == "tv-blocks-exact")
    assert false["certified"] and false["counterexample"] == "T = 1, N = 2: 1 <= 1/2 fails"
    assert body["papers"][0]["identifier"] == "arXiv:1601.06650"
