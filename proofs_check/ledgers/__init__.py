"""The ledgers that come with the project, as data: a folder a paper, a TOML file a section.

`textbook` holds what other claims rest on, `imamura2020` the statements and displayed steps of the
paper, `theory` those of docs/theory.md, `rivals` those of other papers; `template.toml` shows the
form. `proofs_check.language.ledger_file` reads them, and any ledger of the same form.
"""

from __future__ import annotations

from pathlib import Path

from proofs_check.language.claim import Claim
from proofs_check.language.ledger_file import Paper, read_paper

ROOT = Path(__file__).resolve().parent
PAPERS: dict[str, Paper] = {
    name: read_paper(ROOT / name) for name in ("textbook", "imamura2020", "theory", "rivals")
}
CLAIMS: tuple[Claim, ...] = tuple(claim for paper in PAPERS.values() for claim in paper.claims)
TEMPLATE: tuple[Claim, ...] = read_paper(ROOT / "template.toml").claims
