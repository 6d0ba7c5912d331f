"""A ledger as Markdown: what its verdicts rest on, its findings counted, the gravest in full.

LEDGER.md is that text for the ledgers that are shipped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ctv.formulas.typeset import text
from ctv.pages.ledger_page import MOST_ERRATA, SURVIVES, cited, errata, witness
from ctv.show.sheet import Row as Line
from ctv.show.sheet import Sheet, numbers, words
from proofs_check.language.claim import AGAINST, APART, Verdict
from proofs_check.language.sentences import coverage
from proofs_check.ledgers import PAPERS

if TYPE_CHECKING:
    from proofs_check.language.ledger_file import Paper
    from proofs_check.records.ledger import Ledger, Row

_SHIPPED = """# The ledger

Every numbered statement and displayed step of the paper (arXiv 2003.04691), of the project's own
theory, of published rivals and of the textbook facts that they rest on, with the verdict that a
machine reached. `ctv verify --out LEDGER.md` writes this page, and a test keeps it current.

- **The annotated paper**, with set formulas, counterexamples, repairs, what rests on what and a
  link for each claim: `ctv verify --out ledger.html`; it is part of the documentation too.
- **One claim** with its formula, domain and evidence: `ctv verify lemma-1-exact`.
- **All findings** in the terminal: `ctv verify --show findings --all`.
- **The theorems that stand**, corrected, as LaTeX: `ctv verify --out theorems.tex`; the claims
  with their certificates for other programs: `ctv verify --out ledger.json`.

<!-- pages -->
"""
_MEANS = {
    ("PROVED", "prover"): "Coq's kernel accepts a theorem for the whole domain and every size, as "
    "recorded; `make proofs` or `ctv verify --prover` asks it on your machine",
    ("PROVED", "enclosure"): "interval arithmetic covers the whole domain",
    ("PROVED", "exact"): "exact arithmetic covers every case",
    ("PROVED_ON_BOX", "enclosure"): "interval arithmetic covers the part of the domain that the "
    "claim names",
    ("PROVED_UP_TO", "exact"): "exact arithmetic covers the sizes up to a number",
    ("OUTLINE", "outline"): "the steps are checked, and a person's argument joins them",
    ("SUPPORTED", "search"): "no counterexample was found, which proves nothing",
    ("SUPPORTED", "runs"): "a sentence on the experiments: all its comparisons came out as stated "
    "at 95 %, which proves nothing",
    ("UNDECIDED", "runs"): "a sentence on the experiments: some comparison did not come out as "
    "stated at 95 %; one that came out the other way is a finding",
    ("REFUTED", "prover"): "Coq's kernel accepts that the statement is false",
    ("REFUTED", "search"): "a counterexample was verified by exact arithmetic or enclosures",
}
_FINDING = {
    "false": "the statement as printed fails, and no hypothesis that is meant saves it",
    "missing hypothesis": "as printed it lacks a hypothesis, under which it holds",
    "gap": "the printed proof does not reach it",
    "vacuous": "it is true and says no more than is trivially so",
    "slip": "a misprint or a mix-up of indices",
    "wrong reason": "it is true, and the printed reason is not why",
    "scope": "it is true, and about less than the paper is",
    "ill-posed": "its quantifiers stand in an order in which it has no definite meaning",
    "not reproduced": "it is about runs, and runs came out the other way at 95 %",
}


def ledger_markdown(ledger: Ledger, papers: Sequence[Paper] = ()) -> str:
    """A ledger as Markdown text: counts, and the findings by what follows from them.

    Parameters
    ----------
    ledger : what was examined
    papers : the ledgers of one's own that it holds, which give the titles, and of which every
        finding and every claim is listed; of the shipped ones the gravest findings are

    The same ledger gives the same text.
    """
    findings = errata(ledger)
    most = len(findings) if papers else MOST_ERRATA
    parts = [
        "\n\n".join(map(_title, papers)) if papers else _SHIPPED.rstrip(),
        "## What the verdicts rest on",
        _standing(ledger.rows),
        *(coverage(p.sentences.values()) for p in papers or PAPERS.values() if p.sentences),
        '<a id="findings"></a>',
        "## Findings",
        "A finding counts once, at the claim where it is met first.",
        _findings(ledger.rows),
        "## Errata",
        _errata(findings[:most], ledger) if findings else "None.",
    ]
    if len(findings) > most:
        runs = sum(row.claim.finding == "not reproduced" for row in findings[most:])
        parts.append(
            f"{len(findings) - most - runs} further findings stand at their statements in the "
            f"annotated paper, with {runs} sentences about runs that did not come out as printed."
        )
    if papers:
        columns = words("claim", "place", "statement", "verdict", "printed proof")
        every = Sheet("", columns, tuple(map(_claim_line, ledger.rows)), "")
        parts += ["## All claims", every.markdown()]
    return "\n\n".join(parts) + "\n"


def _title(paper: Paper) -> str:
    """The title of a ledger, and how its paper is cited."""
    by = cited(paper)
    notation = "".join(f"- {letter}: {what}\n" for letter, what in (paper.notation or {}).items())
    parts = (f"# {paper.title}", f"{by}." if by else "", notation.rstrip())
    return "\n\n".join(part for part in parts if part)


def _standing(rows: Sequence[Row]) -> str:
    """How many claims have which verdict, by which means."""
    kinds = Counter((str(row.verdict), row.by) for row in rows)
    order = list(map(str, Verdict))
    lines = tuple(
        Line((verdict, by, str(kinds[verdict, by]), _MEANS.get((verdict, by), "")))
        for verdict, by in sorted(kinds, key=lambda kind: (order.index(kind[0]), kind[1]))
    )
    columns = (*words("verdict", "by"), *numbers("claims"), *words("what it means"))
    given = sum(bool(row.assumes) for row in rows)
    note = f"{given} of them are given facts that their rows name." if given else ""
    return Sheet("", columns, lines, note).markdown()


def _findings(rows: Sequence[Row]) -> str:
    """Findings counted, kind by kind."""
    first = Counter(str(row.claim.finding) for row in rows if not row.claim.place_of)
    again = Counter(str(row.claim.finding) for row in rows if row.claim.place_of)
    slips = [row for row in rows if row.claim.finding == "slip" and not row.claim.place_of]
    meant = sum(row.meant is not None for row in slips)

    def line(kind: str) -> Line:
        also = f"; {meant} are proved as meant" if kind == "slip" else ""
        return Line((kind, str(first[kind]), str(again[kind]), _FINDING[kind] + also))

    against = Line(
        (
            "**against the statement or its proof**",
            f"**{sum(first[kind] for kind in AGAINST)}**",
            str(sum(again[kind] for kind in AGAINST)),
            "the four above",
        )
    )
    columns = (*words("finding"), *numbers("findings", "met again"), *words("what it means"))
    return Sheet("", columns, (*map(line, AGAINST), against, *map(line, APART)), "").markdown()


def _errata(findings: Sequence[Row], ledger: Ledger) -> str:
    """Findings in full: as printed, a witness, as it should read, what follows."""
    statements = {row.claim.id: row.claim.statement for row in ledger.rows}

    def line(row: Row) -> Line:
        claim = row.claim
        repairs = [f"{statements[name]} (`{name}`)" for name in claim.repairs if name in statements]
        follows = SURVIVES[claim.consequence]
        return Line(
            (
                f"{claim.where} (`{claim.id}`): {claim.finding}",
                claim.statement,
                witness(row) or claim.because,
                " ".join(repairs) or "–",
                f"{follows}; repair {claim.repaired}" if claim.repaired else follows,
            )
        )

    columns = words("place", "as printed", "witness", "as it should read", "what follows")
    return Sheet("", columns, tuple(map(line, findings)), "").markdown()


def _claim_line(row: Row) -> Line:
    claim, verdict = row.claim, f"{row.verdict} by {row.by}"
    if row.by == "prover" and row.of_the_theories:
        verdict += f" (`{row.theorem}`)"
    if row.meant is not None:
        verdict += f", proved as meant: `{row.meant}`"
    undefined = sum(e.undefined for e in row.engines)
    if undefined:
        verdict += f", undefined in {undefined} cases"
    if row.assumes:
        verdict += " given " + ", ".join(f"`{name}`" for name in row.assumes)
    return Line((f"`{claim.id}`", claim.where, _words(row), verdict, claim.printed_proof))


def _words(row: Row) -> str:
    """The statement with all that its verdict is for: how it is read, and under what."""
    claim = row.claim
    parts = [claim.statement]
    if claim.reading:
        parts.append(f"*Read:* {claim.reading}")
    if claim.hypotheses and not row.of_the_theories:
        parts.append("*Where:* " + ", ".join(f"`{text(given)}`" for given in claim.hypotheses))
    return " ".join(parts)
