"""Write docs/ledger.md: the paper annotated, every claim with its verdict, typeset and searched.

`python docs/make_ledger.py [FILE]`; `make docs` runs it. The verdicts are derived anew for it,
which takes about a minute.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from os import cpu_count
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ctv.show.mathml import mathml
from ctv.show.typeset import latex
from proofs_check.records.ledger import Row
from proofs_check.records.verify import verify

PAPER = r"(?:sections?|appendix|title|abstract|figure|table|theorem|lemma)\b"
HEAD = """# The ledger

Every numbered statement and displayed step of the paper (arXiv 2003.04691), of
[the theory](theory.md) and of published rivals, in our words: its place, the statement typeset
from the formula that is checked, the verdict that a machine reached and why, a counterexample where
it is refuted, what repairs it, and the theorem of the proof assistant. `ctv verify NAME` derives
one anew.
"""


def page(rows: Sequence[Row]) -> str:
    """The whole page."""
    pages = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    said = [entry(row) for row in sorted(rows, key=place)]
    kinds = dict.fromkeys(kind for one in said for kind in (one["verdict"], one["finding"]) if kind)
    body = pages.get_template("ledger.html.jinja").render(rows=said, kinds=sorted(kinds))
    lines = "\n".join(line for line in body.splitlines() if line.strip())
    return f"{HEAD}\n```{{raw}} html\n{lines}\n```\n"


def place(row: Row) -> int:
    """The paper first, in its own order; then the theory and rivals; what any textbook has last."""
    if row.claim.where.startswith("docs/theory.md"):
        return 1
    return 0 if re.match(PAPER, row.claim.where, re.IGNORECASE) else 2


def entry(row: Row) -> dict[str, Any]:
    """What the page says of one claim."""
    claim, formal = row.claim, row.formal
    return {
        "id": claim.id,
        "label": claim.label,
        "where": claim.where.replace("docs/theory.md#", "theory, "),
        "statement": claim.statement,
        "math": mathml(latex(claim.searched)) if claim.searched else "",
        "case_searched": bool(claim.case),
        "let": tuple(defined(row)),
        "verdict": str(row.verdict),
        "by": row.by,
        "finding": "" if claim.finding == "none" else claim.finding,
        "because": claim.because,
        "counterexample": str(row.counterexample or ""),
        "repairs": claim.repairs,
        "theorem": "" if formal is None else formal["theorem"],
        "words": "" if formal is None else formal["words"],
    }


def defined(row: Row) -> Iterator[str]:
    """The definitions that the formula uses, typeset."""
    for name, meaning in row.claim.let:
        yield mathml(latex(f"{name} == {meaning}"))


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("ledger.md")
    ledger = verify([], "fast", workers=cpu_count() or 1)
    target.write_text(page(ledger.rows), encoding="utf-8")
