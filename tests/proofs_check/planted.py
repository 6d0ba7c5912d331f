"""Claims that tests plant, and all that is shipped."""

from __future__ import annotations

import shutil

import pytest

from proofs_check.language.claim import Claim, Verdict
from proofs_check.language.parameters import Parameter, Real
from proofs_check.ledgers import CLAIMS, TEMPLATE

ALL = {claim.id: claim for claim in (*CLAIMS, *TEMPLATE)}
X = Real("x", 0)
needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="the proof assistant is absent")


def claim(formula: str, *parameters: Parameter, **more: object) -> Claim:
    """A claim whose words are its formula, and of which nobody expects anything."""
    given: dict[str, object] = {
        "id": "planted",
        "label": "",
        "where": "",
        "statement": formula,
        "because": "",
        "formula": formula,
        "parameters": parameters,
        "expected": Verdict.UNDECIDED,
    }
    return Claim(**{**given, **more})  # type: ignore[arg-type]
