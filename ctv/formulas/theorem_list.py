"""The statements of a ledger that stand, as a LaTeX document, with repairs of those that fell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ctv.formulas.latex import as_latex
from ctv.formulas.typeset import latex

if TYPE_CHECKING:
    from proofs_check.language.ledger_file import Paper
    from proofs_check.records.ledger import Ledger, Row

_HEAD = r"""\documentclass[11pt]{article}
\usepackage{amsmath,amssymb,amsthm}
\usepackage[margin=2.5cm]{geometry}
\usepackage[T1]{fontenc}
\newtheorem{claim}{Claim}
\allowdisplaybreaks
\begin{document}
"""
_SIGNS = str.maketrans(
    {"⌈": r"\lceil ", "⌉": r"\rceil ", "⌊": r"\lfloor ", "⌋": r"\rfloor ", "∘": r"\circ "}
)


def theorem_list(ledger: Ledger, papers: Sequence[Paper]) -> str:
    """A document that LaTeX compiles: what is not refuted, in the order of the paper."""
    rows = {row.claim.id: row for row in ledger.rows}
    parts = [_HEAD]
    for paper in papers:
        parts.append(f"\\section*{{{as_latex(paper.title)}}}\n")
        if paper.note:
            parts.append(f"\\noindent {as_latex(paper.note)}\n")
        for section in paper.sections:
            kept = [rows[c.id] for c in section.claims if c.id in rows]
            kept = [row for row in kept if str(row.verdict) not in ("REFUTED", "ERROR")]
            if kept:
                parts.append(f"\\subsection*{{{as_latex(section.name.replace('_', ' '))}}}\n")
                parts.extend(map(_claim, kept))
    return "".join(parts) + "\\end{document}\n"


def _claim(row: Row) -> str:
    claim = row.claim
    repaired = " (as repaired)" if claim.kind == "repair" else ""
    head = f"\\begin{{claim}}[{{{as_latex(claim.label)}{repaired}}}]\n{as_latex(claim.statement)}\n"
    body = "".join(f"\\[ {line.translate(_SIGNS)} \\]\n" for line in _lines(row))
    verdict = f"\\emph{{{as_latex(str(row.verdict).replace('_', ' '))} by {row.by}; "
    return f"{head}{body}{verdict}{as_latex(claim.where)}.}}\n\\end{{claim}}\n"


def _lines(row: Row) -> Iterator[str]:
    claim = row.claim
    if claim.formula:
        yield latex(claim.formula)
    for name, meaning in claim.let:
        yield latex(f"{name} == {meaning}")
