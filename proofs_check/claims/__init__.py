"""The claims, one file per numbered statement, in paper order.

A file offers `CLAIMS`, a tuple; to add one, copy `_template.py` and name it in `_IN_PAPER_ORDER`.
"""

from __future__ import annotations

from importlib import import_module

from proofs_check.claim import Claim

_IN_PAPER_ORDER = (
    "trusted",
    "trusted_matrices",
    "trusted_probability",
    "section_2",
    "section_3",
    "section_4",
    "lemma_1",
    "lemma_2",
    "assumption_1",
    "theorem_1",
    "theorem_1_inequalities",
    "theorem_2",
    "discussion",
    "section_5",
    "experiments",
    "appendix_a",
    "appendix_b_confidence",
    "appendix_b_discretisation",
    "appendix_b_grid",
    "appendix_b_regret",
    "appendix_b_cumulative",
    "appendix_b_eigenvalues",
    "appendix_b_gain",
    "appendix_b_blocks",
    "appendix_c",
    "appendix_d_uniform",
    "appendix_d_capped",
    "appendix_d_biased",
    "theory_search",
    "theory_gain",
    "theory_a",
    "theory_a_relation",
    "theory_b",
    "theory_rates",
    "rivals",
    "rivals_gain",
    "rivals_static",
    "rivals_eigenvalues",
    "rivals_confidence",
    "rivals_regret",
    "rivals_reset",
    "theory_c",
    "theory_c_event",
    "theory_c_variants",
    "theory_certificate",
    "theory_box",
    "theory_filter",
    "theory_smoothness",
    "theory_regret_after",
    "theory_regret_before",
    "theory_regret_noise",
)

CLAIMS: tuple[Claim, ...] = tuple(
    claim
    for name in _IN_PAPER_ORDER
    for claim in import_module(f"proofs_check.claims.{name}").CLAIMS
)
