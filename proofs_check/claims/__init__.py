"""The claims, one file per numbered statement: paper, theory, rivals, trusted.

A file offers `CLAIMS`, a tuple; to add one, copy `_template.py` and name it in `_IN_PAPER_ORDER`.
"""

from __future__ import annotations

from importlib import import_module

from proofs_check.language.claim import Claim

_IN_PAPER_ORDER = (
    "trusted.sums",
    "trusted.matrices",
    "trusted.probability",
    "paper.section_2",
    "paper.section_3",
    "paper.section_4",
    "paper.lemma_1",
    "paper.lemma_2",
    "paper.assumption_1",
    "paper.theorem_1",
    "paper.theorem_1_inequalities",
    "paper.theorem_2",
    "paper.discussion",
    "paper.section_5",
    "paper.experiments",
    "paper.appendix_a",
    "paper.appendix_b_confidence",
    "paper.appendix_b_discretisation",
    "paper.appendix_b_grid",
    "paper.appendix_b_regret",
    "paper.appendix_b_cumulative",
    "paper.appendix_b_eigenvalues",
    "paper.appendix_b_gain",
    "paper.appendix_b_blocks",
    "paper.appendix_c",
    "paper.appendix_d_uniform",
    "paper.appendix_d_capped",
    "paper.appendix_d_biased",
    "theory.search",
    "theory.gain",
    "theory.a",
    "theory.a_relation",
    "theory.b",
    "theory.rates",
    "rivals.rates",
    "rivals.gain",
    "rivals.static",
    "rivals.eigenvalues",
    "rivals.confidence",
    "rivals.regret",
    "rivals.reset",
    "theory.c",
    "theory.c_event",
    "theory.c_variants",
    "theory.certificate",
    "theory.box",
    "theory.filter",
    "theory.smoothness",
    "theory.regret_after",
    "theory.regret_before",
    "theory.regret_noise",
    "theory.floors",
    "theory.floors_one_arm",
    "theory.floors_times",
    "theory.ceilings",
    "theory.entropy_margin",
    "theory.elimination",
)

CLAIMS: tuple[Claim, ...] = tuple(
    claim
    for name in _IN_PAPER_ORDER
    for claim in import_module(f"proofs_check.claims.{name}").CLAIMS
)
