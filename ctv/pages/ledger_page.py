"""A ledger as one self-contained page: its errata, its statements in order, what rests on what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ctv.formulas.mathml import mathml
from ctv.formulas.typeset import latex
from ctv.pages.graph import drawn
from ctv.pages.report import formula_style, template
from ctv.show.plain import picked, project_version
from proofs_check.language.sentences import coverage

if TYPE_CHECKING:
    from proofs_check.language.ledger_file import Paper
    from proofs_check.records.ledger import Ledger, Row

MOST_ERRATA = 15
WEIGHT = ("conclusion", "rate", "hypothesis", "constant", "none", "")
"""Consequences of findings, the gravest first; the last are not graded."""
SURVIVES = {
    "conclusion": "what is concluded from it falls",
    "rate": "the bound stands with another rate",
    "hypothesis": "the result stands under the hypothesis named",
    "constant": "the result stands with another constant",
    "none": "the result stands as printed",
    "": "not graded",
}
"""What becomes of the result, by the consequence of a finding."""


def page(ledger: Ledger, papers: Sequence[Paper]) -> str:
    """The page as HTML text, under the title of the first ledger, with the claims of all in order.

    The same ledger gives the same text.
    """
    rows = {row.claim.id: row for row in ledger.rows}
    findings = errata(ledger)
    sections = [section for paper in papers for section in _sections(paper, rows)]
    shown = [one for section in sections for one in section["rows"]]
    return template("ledger.html.jinja").render(
        style=formula_style(),
        version=project_version(),
        title=papers[0].title,
        cited=cited(papers[0]),
        note=papers[0].note,
        notation={k: v for paper in papers for k, v in (paper.notation or {}).items()},
        summary=ledger.summary(),
        coverage=[coverage(p.sentences.values()) for p in papers if p.sentences],
        errata=[_erratum(row, rows) for row in findings[:MOST_ERRATA]],
        left=len(findings) - MOST_ERRATA,
        runs=sum(row.claim.finding == "not reproduced" for row in findings[MOST_ERRATA:]),
        sections=sections,
        kinds=sorted({kind for one in shown for kind in (one["verdict"], one["finding"]) if kind}),
        graph=drawn(ledger.rows),
    )


def errata(ledger: Ledger) -> list[Row]:
    """The findings, each where it is met first, by what follows; what is about runs comes last."""
    first = [r for r in ledger.rows if r.claim.finding != "none" and not r.claim.place_of]

    def grave(row: Row) -> tuple[bool, int]:
        return row.claim.finding == "not reproduced", WEIGHT.index(row.claim.consequence)

    return sorted(first, key=grave)


def resting(name: str, rows: Mapping[str, Row]) -> list[str]:
    """The claims that fall with a claim: those that rest on it, and on those."""
    lines: list[str] = []
    front = [name]
    while front:
        front = [
            one
            for one, row in rows.items()
            if one not in lines and set(row.rests_on) & set(front) and one != name
        ]
        lines += front
    return lines


def cited(paper: Paper) -> str:
    """How a paper is cited: authors, year, identifier, as far as its ledger says them."""
    year = "" if paper.year is None else str(paper.year)
    return ". ".join(part for part in (", ".join(paper.authors), year, paper.identifier) if part)


def _erratum(row: Row, rows: Mapping[str, Row]) -> dict[str, Any]:
    claim = row.claim
    repairs = [rows[name].claim for name in claim.repairs if name in rows]
    return {
        **picked(claim, "id", "where", "statement", "finding", "repaired"),
        "math": _set(claim.formula),
        "witness": witness(row) or claim.because,
        "repairs": [(one.id, one.statement, _set(one.formula)) for one in repairs],
        "survives": SURVIVES[claim.consequence],
        "affected": resting(claim.id, rows),
    }


def _sections(paper: Paper, rows: Mapping[str, Row]) -> Iterator[dict[str, Any]]:
    for section in paper.sections:
        shown = [_entry(rows[claim.id], rows) for claim in section.claims if claim.id in rows]
        if shown:
            yield {"name": section.name.replace("_", " "), "about": section.about, "rows": shown}


def _entry(row: Row, rows: Mapping[str, Row]) -> dict[str, Any]:
    claim = row.claim
    return {
        **picked(claim, "id", "label", "where", "statement", "reading", "consequence", "repaired"),
        **picked(claim, "because", "repairs", "proof"),
        **picked(row, "by", "reason", "assumes"),
        "math": _set(claim.searched),
        "case_searched": bool(claim.case),
        "theorem": "" if row.formal is None else row.formal["theorem"],
        "let": [_set(f"{name} == {meaning}") for name, meaning in claim.let],
        "hypotheses": [_set(text) for text in claim.hypotheses],
        "domain": "; ".join(parameter.describe() for parameter in claim.parameters),
        "mark": mark_of(row),
        "verdict": str(row.verdict),
        "finding": "" if claim.finding == "none" else claim.finding,
        "planted": claim.kind == "planted",
        "witness": witness(row),
        "rests_on": [name for name in row.rests_on if name in rows],
        "falls": resting(claim.id, rows),
    }


def mark_of(row: Row) -> str:
    """One sign for a verdict: proved, refuted, neither."""
    return {"PROVED": "✓", "REFUTED": "✗", "ERROR": "!"}.get(str(row.verdict), "○")


def witness(row: Row) -> str:
    """The counterexample; of a statement without parameters its two sides alone."""
    return str(row.counterexample or "").removeprefix(": ")


def _set(formula: str) -> str:
    return mathml(latex(formula)) if formula else ""
